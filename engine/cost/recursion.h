// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "cost/buffer_release.h"
#include "cost/startup_contention.h"

namespace gridloom::cost {

/// What bounds a level of the recursion.
enum class Limit { Inside, Chain, Row, Channel, Dma };

/// One finished level: cycles before and after, cycles compute waits for single buffers, the bound,
/// and the busy times of the resources.
struct LevelSeen {
  int level = 0;
  double before = 0, waited = 0, after = 0;
  Limit limit = Limit::Inside;
  const std::vector<double>& busy;
};

/// Observes nothing; the search uses it.
struct SilentObserver {
  void level(const LevelSeen&) {}
  void waited(double) {}
  void excess(double, Limit, std::size_t) {}
  void fill(double) {}
  void drain(double) {}
};

namespace detail {

inline std::size_t largest(const std::vector<double>& rows, std::size_t count) {
  std::size_t at = 0;
  for (std::size_t r = 1; r < count; ++r) {
    if (rows[r] > rows[at]) at = r;
  }
  return at;
}

}  // namespace detail

/// The recursion of `Evaluator` for a whole candidate, with an observer for the terms: one function
/// serves ranking and explanation.
template <class Observer>
double evaluate(const TiledCandidate& s, std::span<const MovementCost* const> options,
                double launch, Scratch& scratch, Observer& observer) {
  const std::size_t rows = s.patterns->resourceCount();
  scratch.busy.assign(rows, 0.0);
  scratch.begun.resize(s.iterations.size());
  scratch.ended.resize(s.iterations.size());
  double time = s.compute.total();
  double lastIterationCredit = 0, busiestChannelCycles = 0;
  for (const MovementCost* o : options) time += o->reduction + o->exchange;
  // Cores along these dimensions are synchronised: in every transfer of a level they receive a
  // common tile at least once, or reduce together.
  mapping::DimMask inStep = 0;
  // All-reduces are work of the innermost iterations; their bytes share the links with all others.
  std::size_t moving = options.size();
  for (; moving > 0 && options[moving - 1]->isAllReduce; --moving) {
    accumulate(scratch.busy.data(), *options[moving - 1], options[moving - 1]->weight, rows);
    inStep |= options[moving - 1]->along;
  }
  const auto splitAllReduces = options.subspan(moving);
  options = options.first(moving);
  StartupContention phases(s, options, scratch);
  if (s.dma != nullptr) s.dma->deal(options, scratch.dma);
  const double behind = phases.splitAllReduce(splitAllReduces);
  observer.waited(behind);
  time += behind;

  for (int level = static_cast<int>(s.mapping.order.size()); level > 0; --level) {
    // `waited` is `fixed` plus `loads`: a core's single buffers are refilled at the same moment, so
    // their loads share the path into its memory.
    double fixed = 0, loads = 0, stored = 0, chained = 0, emptied = 0;
    bool any = false;
    for (const MovementCost* o : options) {
      if (o->level != level) continue;
      any = true;
      inStep |= o->along;
    }
    if (!any) continue;
    for (const MovementCost* o : options) {
      if (o->level != level) continue;
      accumulate(scratch.busy.data(), *o, o->weight, rows);
      busiestChannelCycles += o->busiestChannelCycles;
    }
    for (const MovementCost* o : options) {
      if (o->level != level) continue;
      if (o->overlapped && !o->output) {
        chained = std::max(chained, o->issues * o->chain(o->lone()));
        chained = phases.shared(*o, scratch.busy, chained);
        emptied = std::max(emptied, o->issues * emptySlot(s, *o, scratch.ended));
        continue;
      }
      const double load = o->load(inStep);
      if (o->output) {
        if (!o->overlapped) stored = std::max(stored, o->issues * o->wait(load));
        chained = std::max(chained, o->issues * o->chain(load));
        chained = phases.shared(*o, scratch.busy, chained);
      } else {
        // The first transfer of an input is part of the fill.
        const double waits = o->issues - 1;
        fixed = std::max(fixed, waits * (o->wait(load) - load));
        loads += waits * load;
        chained = std::max(chained, waits * o->chain(load));
      }
    }
    const double iterations = s.iterations[static_cast<std::size_t>(level)];
    const double waited = std::max(fixed + loads, stored);
    const double before = time;
    const double inside = time + waited;
    const double stalled = iterations * phases.stall(level);
    chained = std::max({chained, iterations * phases.paced(level, inside / iterations),
                        stalled > 0 ? inside + stalled : 0, emptied > 0 ? inside + emptied : 0});
    const double loaded = maximum(scratch.busy.data(), rows);
    const double busiest = std::max(loaded, busiestChannelCycles);
    double held = 0;
    if (s.dma != nullptr) {
      const DmaChannels::Load dma = DmaChannels::at(s, scratch.dma, level, scratch.ended);
      held = std::max(dma.busiest, dma.stalled > 0 ? inside + dma.stalled : 0);
    }
    time = std::max({inside, chained, busiest, held});
    const double settling =
        phases.settling(level, iterations, before / iterations, time / iterations);
    const double excess = time - inside;
    const double lastShare = excess / iterations;
    lastIterationCredit += lastShare;
    observer.waited(waited);
    const Limit limit = excess <= 0                         ? Limit::Inside
                        : held > std::max(busiest, chained) ? Limit::Dma
                        : busiest < chained                 ? Limit::Chain
                        : busiestChannelCycles > loaded     ? Limit::Channel
                                                            : Limit::Row;
    if (excess > 0) {
      observer.excess(excess - lastShare, limit, detail::largest(scratch.busy, rows));
    }
    if (settling > 0) observer.excess(settling, Limit::Chain, 0);
    time += settling;
    scratch.begun[static_cast<std::size_t>(level)] = before;
    scratch.ended[static_cast<std::size_t>(level)] = time;
    observer.level({level, before, waited, time, limit, scratch.busy});
  }

  const double joining = phases.joining();
  observer.waited(joining);
  time += joining;

  double first = phases.fill(), drain = 0;
  // Tiles that are loaded once are complete when the busiest channel has sent its part.
  double once = 0, start = 0;
  for (const MovementCost* o : options) {
    if (o->output) {
      // With one buffer compute waits for every store; only transfers between cores follow it.
      drain = std::max(drain, o->level == 0 || o->overlapped ? o->last : o->passing);
    } else {
      first = std::max(first, o->first);
      once += o->level == 0 ? o->busiestChannelCycles : 0;
      start = std::max(start, o->start);
    }
  }
  double fill = std::max(first, secondFill(s, options, scratch.begun, scratch.ended));
  if (once > 0) fill = std::max(fill, start + once);
  observer.fill(fill);
  observer.drain(drain);
  const double cycles = launch + fill + (time - lastIterationCredit) + drain;
  // Fill and drain are times of single transfers; the total busy time of a resource bounds the
  // whole.
  for (const MovementCost* o : options) {
    if (o->level != 0) continue;
    accumulate(scratch.busy.data(), *o, o->weight, rows);
    busiestChannelCycles += o->busiestChannelCycles;
  }
  const double firstEnds = first + s.compute.total() / s.iterations.back();
  const double loaded = maximum(scratch.busy.data(), rows);
  const double least =
      launch + std::max({loaded, busiestChannelCycles, firstEnds + phases.remaining()});
  if (cycles >= least) return cycles;
  observer.excess(least - cycles, busiestChannelCycles > loaded ? Limit::Channel : Limit::Row,
                  detail::largest(scratch.busy, rows));
  return least;
}

}  // namespace gridloom::cost
