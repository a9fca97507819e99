// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "cost/evaluator.h"
#include "cost/resource_loads.h"

namespace gridloom::cost {

/// Time of the loads of one operand back to back, each with a second step (`after`), when their
/// bytes share a resource with other transfers: of a time T, those leave (T - others) / T of it, so
/// that T = steps + bytes * T / (T - others). Without a second step it equals the resource's busy
/// time. Returns at least `least`.
inline double sharedChain(const MovementCost& o, std::span<const double> busy, double least) {
  const std::vector<double>& rows = o.pattern->resourceLoads;
  if (o.after <= 0) return least;
  const double alone = o.issues * o.repeat * o.lone();
  const double whole = o.issues * (o.repeat * o.start + o.after) + alone;
  for (std::size_t r = 0; r < busy.size(); ++r) {
    if (rows[r] <= 0 || whole + busy[r] <= least) continue;
    const double bytes = std::min(whole, o.weight * rows[r]);
    const double others = std::max(0.0, busy[r] - o.weight * rows[r]);
    const double sum = whole + others;
    const double root = std::sqrt(std::max(0.0, sum * sum - 4 * (whole - bytes) * others));
    least = std::max(least, (sum + root) / 2);
  }
  return least;
}

/// Contention terms for transfers of many cores that start at one moment. Only whole candidates
/// have them: which cores start together depends on all movements.
///
/// Two things synchronise cores. A tile that all of them receive from one multicast lets them start
/// each iteration together: their own transfers come as a burst, and the multicast's next load
/// waits for it. And all cores start the kernel at once: they desynchronise only because a resource
/// serves one before the other. The terms cover: the burst before a multicast, the first
/// iterations, tiles that fill second buffers during the transfer of a long first tile, and partial
/// results sent to a core that also loads an input, into one buffer, for the cores that send them.
class StartupContention {
 public:
  StartupContention(const TiledCandidate& candidate, std::span<const MovementCost* const> options,
                    Scratch& scratch)
      : m_options(options),
        m_sumResources(candidate.patterns->resourceCount()),
        m_rows(candidate.patterns->allResourceCount()),
        m_scratch(scratch) {}

  /// Cycles of all transfers of an operand one after the other when they share resources with the
  /// other transfers (`busy`: the load of all together); at least `least`.
  double shared(const MovementCost& o, std::span<const double> busy, double least) const {
    return sharedChain(o, busy, least);
  }

  /// Cycles per iteration of `level` for which a multicast further inside waits for the bursts of
  /// this level.
  double stall(int level) {
    if (!m_pacer) return 0;
    return stallBy(delayOf(*m_pacer, level, m_pacer->along));
  }

  /// Cycles per iteration of `level` when the bursts of the level delay the multicast that sets its
  /// pace; `inside` is an iteration without this level's overlapped transfers. The multicast takes
  /// F by itself, and a burst of W starts after the inside c; so the period is
  /// P = F + max(0, c + W - P).
  double paced(int level, double inside) {
    double period = 0;
    for (const MovementCost* o : m_options) {
      if (o->level != level || !o->overlapped || o->output || !o->paces()) continue;
      const double own = o->chain(o->lone());
      if (m_pacer && m_own * m_pacer->issues > own * o->issues) continue;
      const double burst = delayOf(*o, level, o->along);
      if (burst > std::abs(own - inside)) period = std::max(period, (own + inside + burst) / 2);
      m_pacer = o;
      m_own = own;
      m_inside = inside;
    }
    return period;
  }

  /// Cycles lost until the cores of `level` have desynchronised: a synchronised iteration takes as
  /// long as the bytes of all cores. `inside`: an iteration without this level's overlapped
  /// transfers; `steady`: an iteration in steady state.
  double settling(int level, double iterations, double inside, double steady) {
    double inPhase = 0;
    const MovementCost* slowest = nullptr;
    for (const MovementCost* o : m_options) {
      if (o->level != level || o->overlapped == o->output) continue;
      if (!o->output && !o->interleaves) continue;
      const double together = o->output ? inside + o->start + burstWith(*o)
                                        : o->start + std::max(burstWith(*o), o->least) + o->after;
      if (together <= inPhase) continue;
      inPhase = together;
      slowest = o;
    }
    const double stalls = stallsInPhase(level, iterations);
    if (!slowest) return stalls;
    return std::max(stalls,
                    untilApart(inPhase - steady,
                               iterations - (slowest->output ? 0 : slowest->early()), *slowest));
  }

  /// Cycles until the first tile of every input has arrived. All cores load at the same moment, and
  /// long transfers share bandwidth: during a long first tile, inputs with two buffers already load
  /// their second one.
  double fill() {
    double cycles = 0;
    for (const MovementCost* o : m_options) {
      if (!o->output) cycles = std::max(cycles, o->ahead + arrival(*o));
    }
    return cycles;
  }

  /// Cycles in which all cores wait for the core that combines partial results. It also loads an
  /// input for the cores that make them, into its single buffer, which is released when it has
  /// combined those of the previous tile.
  double joining() const {
    double cycles = 0;
    for (const MovementCost* output : m_options) {
      if (!output->output || output->joinInStep <= 0) continue;
      double times = 0;
      for (const MovementCost* o : m_options) {
        const bool common = !o->output && (o->along & output->split) != 0;
        if (common && !o->overlapped && o->level > 0 && o->level <= output->level) {
          times = std::max(times, o->issues - 1);
        }
      }
      cycles += times * output->joinInStep;
    }
    return cycles;
  }

  /// Cycles for which an all-reduce within a tile waits behind transfers of other tiles that
  /// started with it, on the same links. These transfers overlap with the work before the
  /// all-reduce.
  double splitAllReduce(std::span<const MovementCost* const> splitAllReduces) {
    if (splitAllReduces.empty()) return 0;
    const MovementCost& first = *splitAllReduces.front();
    m_scratch.waited.assign(m_sumResources, 0.0);
    for (const MovementCost* o : m_options) {
      if (o->level != first.level || !o->overlapped) continue;
      accumulate(m_scratch.waited.data(), *o, o->weight / first.issues, m_sumResources);
    }
    double burst = 0;
    for (std::size_t r = 0; r < m_sumResources; ++r) {
      if (first.pattern->resourceLoads[r] > 0) burst = std::max(burst, m_scratch.waited[r]);
    }
    return (first.issues - 1) * std::max(0.0, burst - first.headStart);
  }

  /// Remaining work of the most loaded resource when the first tile operation ends: until then,
  /// only the tiles that fill the buffers can arrive. `m_scratch.busy` holds its total work.
  double remaining() {
    m_scratch.waited = m_scratch.busy;
    for (const MovementCost* o : m_options) {
      if (o->output) continue;
      const double tiles = std::min(o->early(), o->issues);
      accumulate(m_scratch.waited.data(), *o, -tiles * o->perTransfer(), m_sumResources);
    }
    return maximum(m_scratch.waited.data(), m_sumResources);
  }

 private:
  /// Factor by which the time between the first and the last core grows from one burst to the next.
  /// When n cores arrive one by one and a resource serves their packets in turns, the time between
  /// the first and the last to end is (n H(n-1) - n + 1) / (n - 1) times that between the first and
  /// the last to start, with H the harmonic number: 2 for eight, 3.8 for 64.
  static constexpr double kDrift = 3;

  // Cycles that the bytes of an input's first tile take, from memory and between cores, while other
  // tiles move.
  double arrival(const MovementCost& o) {
    double cycles = 0;
    for (int step = 0; step < (o.pattern->stepCount > 0 ? 2 : 1); ++step) {
      m_scratch.waited.assign(m_rows, 0.0);
      if (step == 0) accumulateLoad(m_scratch.waited.data(), o, o.firstBytes(), m_rows);
      for (const MovementCost* other : m_options) {
        // A stationary tile has no bytes to move.
        if (other->output || other == &o || other->bytes <= 0) continue;
        const double there = o.interleaves ? other->early() : 1;
        const double each = o.bytes / other->bytes;
        const double tiles = std::clamp(there - step * each, 0.0, each);
        accumulateLoad(m_scratch.waited.data(), *other, tiles * other->firstBytes(), m_rows);
      }
      double most = 0;
      for (std::size_t r = 0; r < m_rows; ++r) {
        const bool uses = step == 0 ? o.pattern->load()[r] > 0
                                    : o.pattern->resourceLoads[r] > o.pattern->load()[r];
        if (uses) most = std::max(most, m_scratch.waited[r]);
      }
      cycles += most;
    }
    return cycles;
  }

  double stallBy(double delay) const { return std::max(0.0, delay - std::abs(m_own - m_inside)); }

  // Delay of a multicast further inside by the synchronised bursts at the beginning.
  double stallsInPhase(int level, double iterations) {
    if (!m_pacer) return 0;
    const MovementCost* first = nullptr;
    for (const MovementCost* o : m_options) {
      if (o->level == level && (!first || o->bytes > first->bytes)) first = o;
    }
    if (!first) return 0;
    const double over = stallBy(delayOf(*m_pacer, level, ~mapping::DimMask{0})) - stall(level);
    // Two tiles belong to the fill. The first output follows the first iteration, beside the third
    // multicast.
    const bool beside = !first->output || m_pacer->level == level;
    return untilApart(over, iterations - (beside ? 2 : 1), *first);
  }

  // Cycles lost until cores that take `over` longer when synchronised have desynchronised, after at
  // most `bursts` bursts.
  static double untilApart(double over, double bursts, const MovementCost& o) {
    double apart = o.output ? 0 : o.turn;
    // Cores stay synchronised unless their packets are served in turns.
    if (o.turn <= 0) return over > 0 && bursts > 0 ? over * std::ceil(bursts) : 0;
    double cycles = 0;
    for (double burst = 0; burst < bursts && over > apart; ++burst) {
      cycles += over - apart;
      apart = std::max(o.turn, kDrift * apart);
    }
    return cycles;
  }

  // Delay of the multicast's load by the synchronised bursts of a level on the resources it uses.
  // Packets are served in turns, so a load of fewer bytes ends before the others; but not before
  // another multicast of a single packet.
  double delayOf(const MovementCost& multicast, int level, mapping::DimMask inPhase) {
    bool any = false;
    for (const MovementCost* o : m_options) {
      if (o == &multicast || o->level != level || !bursts(*o, inPhase)) continue;
      if (!any) m_scratch.waited.assign(m_rows, 0.0);
      any = true;
      const bool both = multicast.along != 0 && o->along != 0 && !o->output && !o->continues;
      const bool turns = !both || o->interleaves;
      const double share = turns ? std::min(1.0, multicast.bytes / o->bytes) : 1;
      accumulate(m_scratch.waited.data(), *o, share * o->perTransfer(), m_rows);
    }
    if (!any) return 0;
    const std::vector<double>& own = multicast.pattern->load();
    double load = 0;
    for (std::size_t r = 0; r < m_rows; ++r) {
      if (own[r] <= 0) continue;
      load = std::max(load, multicast.perTransfer() * own[r] + m_scratch.waited[r]);
    }
    return std::max(0.0, load - multicast.lone());
  }

  // Whether all cores that load or store for themselves do so at the same moment.
  static bool bursts(const MovementCost& o, mapping::DimMask inPhase) {
    if (o.output && (!o.overlapped || o.pattern->stepCount > 0)) return false;
    return (o.pattern->loaders & ~inPhase) == 0;
  }

  // Time of the bytes of one transfer by all cores at once, together with the level's overlapped
  // inputs.
  double burstWith(const MovementCost& o) {
    if (o.output && o.pattern->stepCount > 0) return o.bytes * o.pattern->loadPeak;
    m_scratch.waited.assign(m_rows, 0.0);
    for (const MovementCost* other : m_options) {
      if (other->level != o.level ||
          (other != &o && (other->output || (!o.output && !other->overlapped))))
        continue;
      const double tiles = other == &o ? 1 : std::min(1.0, o.bytes / other->bytes);
      accumulateLoad(m_scratch.waited.data(), *other, tiles * other->perTransfer(), m_rows);
    }
    const std::vector<double>& own = o.pattern->load();
    double burst = 0;
    for (std::size_t r = 0; r < m_rows; ++r) {
      if (own[r] > 0) burst = std::max(burst, m_scratch.waited[r]);
    }
    return burst;
  }

  std::span<const MovementCost* const> m_options;
  std::size_t m_sumResources, m_rows;  ///< TrafficPatterns::resourceCount, allResourceCount
  Scratch& m_scratch;
  /// The slowest multicast further inside, its time per transfer, and the time of an iteration
  /// without it.
  const MovementCost* m_pacer = nullptr;
  double m_own = 0, m_inside = 0;
};

}  // namespace gridloom::cost
