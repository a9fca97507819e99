// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cost/dependence_critical_path.h"

namespace gridloom::cost {

namespace {

/// What brings one input to one core.
struct Mover {
  double free = 0;   ///< start of its idle time
  double begun = 0;  ///< when its last buffer began to be consumed
};

struct Core {
  double done = 0;               ///< end of the last tile's computation
  double store = 0, before = 0;  ///< end of the last store, and of the one before it
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
  for (std::size_t s = 0; s < steps.size(); ++s) {
    if (steps[s].outer >= level) continue;
    const auto next = static_cast<std::int32_t>(out.missing.size());
    if (addTransfer(s, input, level, out)) out.ofStep[s] = next;
  }
  out.waits.push_back(static_cast<std::int32_t>(out.scopes.size()));
  return out;
}

// False if none of the steps needs the input.
bool DependenceCriticalPath::Trace::addTransfer(std::size_t first, std::size_t input, int level,
                                                Transfers& out) const {
  double share = 0;
  int served = 0;
  const std::size_t before = out.scopes.size();
  for (std::size_t s = first;;) {
    const Step& step = steps[s];
    if (step.needs >> input & 1U) {
      ++served;
      share += step.share;
      const auto end =
          s + 1 < steps.size() ? static_cast<std::size_t>(steps[s + 1].waits) : waits.size();
      for (auto w = static_cast<std::size_t>(step.waits); w < end; ++w) {
        if (waits[w].input == static_cast<std::int32_t>(input))
          out.scopes.push_back(waits[w].scope);
      }
    }
    if (step.next < 0) break;
    s = static_cast<std::size_t>(step.next);
    if (steps[s].outer < level) break;
  }
  if (served == 0) return false;
  out.missing.push_back(1 - share / served);
  out.waits.push_back(static_cast<std::int32_t>(before));
  return true;
}

double DependenceCriticalPath::walk(Trace& trace, const WalkMovements& movements, double enough) {
  const std::size_t inputs = movements.inputs.size();
  struct Moved {
    const WalkMovements::Input& input;
    const Transfers& transfers;
  };
  std::vector<Moved> moved;
  for (std::size_t i = 0; i < inputs; ++i) {
    const WalkMovements::Input& input = movements.inputs[i];
    if (input.moves) moved.push_back({input, trace.transfersOf(i, input.level)});
  }
  std::vector<Core> clocks(static_cast<std::size_t>(trace.cores));
  std::vector<Mover> movers(clocks.size() * moved.size());
  std::vector<double> made(static_cast<std::size_t>(trace.scopes), 0.0), stored = made;
  const auto readyAt = [&](const Moved& of, std::size_t transfer) {
    const auto& [input, transfers] = of;
    const std::vector<double>& times = input.stored ? stored : made;
    double ready = 0;
    for (std::int32_t w = transfers.waits[transfer]; w < transfers.waits[transfer + 1]; ++w) {
      const auto scope = transfers.scopes[static_cast<std::size_t>(w)];
      ready = std::max(ready, times[static_cast<std::size_t>(scope)]);
    }
    return ready;
  };
  double end = 0;
  for (std::size_t s = 0; s < trace.steps.size(); ++s) {
    const Step& step = trace.steps[s];
    Core& core = clocks[static_cast<std::size_t>(step.core)];
    double start = core.done;
    if (step.begins) start = std::max(start, movements.storesBeside ? core.before : core.store);
    Mover* mover = movers.data() + static_cast<std::size_t>(step.core) * moved.size();
    for (const Moved& of : moved) {
      Mover& own = *mover++;
      const std::int32_t at = of.transfers.ofStep[s];
      if (at < 0) continue;
      const auto transfer = static_cast<std::size_t>(at);
      const WalkMovements::Input& input = of.input;
      const double slot = input.overlapped ? own.begun : core.done;
      const double missing = of.transfers.missing[transfer];
      const double served = readyAt(of, transfer) + (1 - missing) * input.queue;
      own.free = std::max({own.free, slot, served}) + input.cycles - missing * input.bytes;
      own.begun = core.done;
      start = std::max(start, own.free);
    }
    core.done = start + step.work;
    m_steps += static_cast<std::int64_t>(inputs);
    if (core.done > enough) return core.done;
    if (!step.ends) continue;
    const auto scope = static_cast<std::size_t>(step.scope);
    made[scope] = core.done;
    core.before = core.store;
    core.store = std::max(core.store, core.done) + movements.store -
                 (1 - step.stored) * movements.storedBytes;
    stored[scope] = core.store;
    end = std::max(end, core.store);
  }
  return end;
}

}  // namespace gridloom::cost
