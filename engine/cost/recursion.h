// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "cost/evaluator.h"

namespace gridloom::cost {

/// What limits a level of the recursion.
enum class Limit { Inside, Chain, Row };

/// One level, seen when it is done: cycles before and after, what single buffers wait for, what decides, and the
/// rows' busy times.
struct LevelSeen {
  int level = 0;
  double before = 0, waited = 0, after = 0;
  Limit limit = Limit::Inside;
  const std::vector<double>& busy;
};

/// Sees nothing; the search's instance.
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

inline double maximum(const double* rows, std::size_t count) {
  double m = 0;
  for (std::size_t r = 0; r < count; ++r) m = std::max(m, rows[r]);
  return m;
}

inline void accumulate(double* rows, const OptionCost& o, double weight, std::size_t count) {
  const double* pattern = o.pattern->rows.data();
  for (std::size_t r = 0; r < count; ++r) rows[r] += weight * pattern[r];
  if (o.partial == 1) return;
  const double* stored = o.pattern->loadRows.data();
  const double more = weight * (o.partial - 1);
  for (std::size_t r = 0; r < count; ++r) rows[r] += more * (pattern[r] - stored[r]);
}

/// Time of the loads of one operand back to back, each with a second step (`after`), when their bytes share a
/// resource with other transfers: of a time T, those leave (T - others) / T of it, so that
/// T = steps + bytes * T / (T - others). Without a second step it would be the resource's busy time. Only
/// times above `least` are of interest.
inline double sharedChain(const OptionCost& o, double load, const double* busy, double least) {
  const std::vector<double>& loads = o.pattern->loadRows;
  const double alone = o.issues * load;
  const double whole = o.issues * (o.start + o.after) + alone;
  for (std::size_t r = 0; r < loads.size(); ++r) {
    if (loads[r] <= 0 || whole + busy[r] <= least) continue;
    const double bytes = std::min(alone, o.weight * loads[r]);
    const double others = std::max(0.0, busy[r] - o.weight * loads[r]);
    const double sum = whole + others;
    const double root = std::sqrt(std::max(0.0, sum * sum - 4 * (whole - bytes) * others));
    least = std::max(least, (sum + root) / 2);
  }
  return least;
}

}  // namespace detail

/// The recursion of `Evaluator`, with an observer for the terms. One function serves ranking and
/// explanation, so that both give the same cycles.
template <class Observer>
double evaluate(const Skeleton& s, std::span<const OptionCost* const> options, double launch,
                Scratch& scratch, Observer& observer) {
  const std::size_t rows = s.patterns->rowCount();
  scratch.busy.assign(rows, 0.0);
  double time = s.compute.total();
  double takenOff = 0;
  for (const OptionCost* o : options) time += o->combine + o->exchange;
  // Cores along these dimensions take a common tile at least once per transfer of the level: they keep step.
  mapping::DimMask inStep = 0;

  for (int level = static_cast<int>(s.mapping.order.size()); level > 0; --level) {
    // `waited` without the loads, and the loads: a core's single buffers are refilled at the same moment
    // and share the way in.
    double fixed = 0, loads = 0, stored = 0, chained = 0;
    bool any = false;
    for (const OptionCost* o : options) {
      if (o->level != level) continue;
      any = true;
      inStep |= o->along;
    }
    if (!any) continue;
    for (const OptionCost* o : options) {
      if (o->level == level) detail::accumulate(scratch.busy.data(), *o, o->weight, rows);
    }
    for (const OptionCost* o : options) {
      if (o->level != level) continue;
      const double load = o->load(inStep);
      if (o->overlapped) {
        chained = std::max(chained, o->issues * o->chain(load));
        chained = std::max(chained, detail::sharedChain(*o, load, scratch.busy.data(), chained));
      } else if (o->output) {
        stored = std::max(stored, o->issues * o->wait(load));
      } else {
        // The first transfer of an input is part of the fill.
        const double waits = o->issues - 1;
        fixed = std::max(fixed, waits * (o->wait(load) - load));
        loads += waits * load;
        chained = std::max(chained, waits * o->chain(load));
      }
    }
    const double waited = std::max(fixed + loads, stored);
    const double before = time;
    const double inside = time + waited;
    const double busiest = detail::maximum(scratch.busy.data(), rows);
    time = std::max(inside, std::max(chained, busiest));
    const double excess = time - inside;
    const double lastShare = excess / s.iterations[static_cast<std::size_t>(level)];
    takenOff += lastShare;
    observer.waited(waited);
    if (excess > 0) {
      observer.excess(excess - lastShare, busiest >= chained ? Limit::Row : Limit::Chain,
                      busiest >= chained ? detail::largest(scratch.busy, rows) : 0);
    }
    observer.level({level, before, waited, time,
                    excess <= 0          ? Limit::Inside
                    : busiest >= chained ? Limit::Row
                                         : Limit::Chain,
                    scratch.busy});
  }

  // Before the first tile operation: every input's first tile, by all cores at the same moment. Later
  // transfers spread out in time, and share what the busy rows say.
  double fill = 0, longest = 0, drain = 0;
  scratch.waited.assign(rows, 0.0);
  for (const OptionCost* o : options) {
    if (o->output) {
      // With one buffer compute waits for every store; the last partial results pass along the chain after it.
      drain = std::max(drain, o->level == 0 || o->overlapped ? o->last : o->passing);
      continue;
    }
    const double bytes = o->weight / o->issues;
    detail::accumulate(scratch.waited.data(), *o, bytes, rows);
    longest = std::max(longest, o->first);
    fill = std::max(fill, o->ahead);
  }
  fill = std::max(longest, fill + detail::maximum(scratch.waited.data(), rows));
  observer.fill(fill);
  observer.drain(drain);
  const double cycles = launch + fill + (time - takenOff) + drain;
  // Fill and drain are times of single transfers; what a resource is busy in all bounds the whole.
  for (const OptionCost* o : options) {
    if (o->level == 0) detail::accumulate(scratch.busy.data(), *o, o->weight, rows);
  }
  const double least = launch + detail::maximum(scratch.busy.data(), rows);
  if (cycles >= least) return cycles;
  observer.excess(least - cycles, Limit::Row, detail::largest(scratch.busy, rows));
  return least;
}

}  // namespace gridloom::cost
