// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "cost/dependence_critical_path.h"

namespace gridloom::cost {

namespace {

// Scopes of a set from which on it is looked up rather than walked again.
constexpr std::size_t kMany = 8;

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// What brings one input to one core.
struct Mover {
  double free = kNever;  ///< end of the last transfer
  double begun = 0;      ///< when its last buffer began to be consumed
};

struct Core {
  double done = 0;                         ///< end of the last tile's computation
  double store = kNever, before = kNever;  ///< end of the last store, and of the one before it
};

}  // namespace

const DependenceCriticalPath::Transfers&
DependenceCriticalPath::Trace::transfersOf(std::size_t input, int level) {
  const auto [at, fresh] = transfers.try_emplace({input, level});
  if (fresh) at->second = makeTransfers(input, level);
  return at->second;
}

DependenceCriticalPath::Transfers DependenceCriticalPath::Trace::makeTransfers(std::size_t input,
                                                                               int level) const {
  Transfers out;
  out.ofStep.assign(steps.size(), -1);
  out.sets.push_back(0);
  std::map<std::vector<std::int32_t>, std::int32_t> known;
  std::vector<std::int32_t> waited;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (steps[s].outer >= level) continue;
    const auto next = static_cast<std::int32_t>(out.missing.size());
    waited.clear();
    if (!addTransfer(s, input, level, out, waited)) continue;
    out.ofStep[s] = next;
    out.isOwn.push_back(std::ranges::all_of(waited, [&](std::int32_t scope) {
      return coreOf[static_cast<std::size_t>(scope)] == steps[s].core;
    }));
    out.waits.push_back(static_cast<std::int32_t>(out.setCount()));
    if (waited.size() >= kMany) {
      const auto [at, fresh] = known.try_emplace(waited, out.waits.back());
      out.waits.back() = at->second;
      out.hasLarge = true;
      if (!fresh) continue;
    }
    out.scopes.insert(out.scopes.end(), waited.begin(), waited.end());
    out.sets.push_back(static_cast<std::int32_t>(out.scopes.size()));
  }
  return out;
}

// False if none of the steps needs the input.
bool DependenceCriticalPath::Trace::addTransfer(std::size_t first, std::size_t input, int level,
                                                Transfers& out,
                                                std::vector<std::int32_t>& waited) const {
  double share = 0;
  int served = 0;
  for (std::size_t s = first;;) {
    const Step& step = steps[s];
    if (step.needs >> input & 1U) {
      ++served;
      share += step.share;
      const auto end =
          s + 1 < steps.size() ? static_cast<std::size_t>(steps[s + 1].waits) : waits.size();
      for (auto w = static_cast<std::size_t>(step.waits); w < end; ++w) {
        if (waits[w].input == static_cast<std::int32_t>(input)) waited.push_back(waits[w].scope);
      }
    }
    if (step.next < 0) break;
    s = static_cast<std::size_t>(step.next);
    if (steps[s].outer < level) break;
  }
  if (served == 0) return false;
  out.missing.push_back(1 - share / served);
  return true;
}

/// An input that moves, with the waits of its transfers.
struct DependenceCriticalPath::Moved {
  const WalkMovements::Input& input;
  const Transfers& transfers;
  /// Per set of scopes, if any is large: when the last is there; -1: not known yet.
  std::vector<double> ready;

  // Steps come after those they wait for, so a set is complete when it is first asked for.
  double readyAt(std::size_t transfer, const std::vector<double>& times) {
    const auto set = static_cast<std::size_t>(transfers.waits[transfer]);
    const std::span scopes(transfers.scopes.begin() + transfers.sets[set],
                           transfers.scopes.begin() + transfers.sets[set + 1]);
    const bool isLarge = scopes.size() >= kMany;
    if (isLarge && ready[set] >= 0) return ready[set];
    double last = 0;
    for (const std::int32_t scope : scopes)
      last = std::max(last, times[static_cast<std::size_t>(scope)]);
    if (isLarge) ready[set] = last;
    return last;
  }
};

double DependenceCriticalPath::walk(Trace& trace, const WalkMovements& movements, double enough) {
  const std::size_t inputs = movements.inputs.size();
  std::vector<Moved> moved;
  for (std::size_t i = 0; i < inputs; ++i) {
    const WalkMovements::Input& input = movements.inputs[i];
    if (!input.moves) continue;
    const Transfers& transfers = trace.transfersOf(i, input.level);
    moved.push_back({input, transfers, std::vector<double>(transfers.cachedSets(), -1)});
  }
  std::vector<Core> clocks(static_cast<std::size_t>(trace.cores));
  std::vector<Mover> movers(clocks.size() * moved.size());
  std::vector<double> made(static_cast<std::size_t>(trace.scopes), 0.0), stored = made;
  double end = 0;
  // Sums in another order differ in their last digits.
  const double tooMuch = enough + 1e-9 * std::abs(enough);
  for (std::size_t s = 0; s < trace.steps.size(); ++s) {
    const Step& step = trace.steps[s];
    Core& core = clocks[static_cast<std::size_t>(step.core)];
    double start = core.done;
    if (step.begins) start = std::max(start, movements.storesBeside ? core.before : core.store);
    Mover* mover = movers.data() + static_cast<std::size_t>(step.core) * moved.size();
    for (Moved& of : moved) {
      Mover& own = *mover++;
      const std::int32_t at = of.transfers.ofStep[s];
      if (at < 0) continue;
      const auto transfer = static_cast<std::size_t>(at);
      const WalkMovements::Input& input = of.input;
      const double slot = input.overlapped ? own.begun : core.done;
      const double missing = of.transfers.missing[transfer];
      const bool isHere = input.forwarded && of.transfers.isOwn[transfer] != 0;
      const double queue = isHere ? 0 : (1 - missing) * input.queue;
      const double served = of.readyAt(transfer, input.stored ? stored : made) + queue;
      const double cycles = isHere ? 0 : input.cycles - missing * input.bytes;
      const double period = isHere ? 0 : input.period;
      own.free = std::max(own.free + period, std::max(slot, served) + cycles);
      own.begun = core.done;
      start = std::max(start, own.free);
    }
    core.done = start + step.work;
    m_steps += static_cast<std::int64_t>(inputs);
    if (core.done + step.later > tooMuch) return core.done + step.later;
    if (!step.ends) continue;
    const auto scope = static_cast<std::size_t>(step.scope);
    made[scope] = core.done;
    core.before = core.store;
    const double store = movements.store - (1 - step.stored) * movements.storedBytes;
    core.store = std::max(core.store + movements.storePeriod, core.done + store);
    stored[scope] = core.store;
    end = std::max(end, core.store);
  }
  return end;
}

}  // namespace gridloom::cost
