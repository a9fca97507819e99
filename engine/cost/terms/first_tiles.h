// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost/resource_loads.h"
#include "cost/terms/whole_candidate.h"

namespace gridloom::cost {

/// Cycles until the first tile of every input has arrived. All cores load at the same moment, and
/// long transfers share bandwidth: during a long first tile, inputs with two buffers already load
/// their second one.
struct FirstTiles {
  static constexpr bool kMonotone = false;

  static double first(WholeCandidate& whole) {
    return arrivals(whole, [](const FlatCost& o) { return !o.late; });
  }

  /// The same of the inputs for which `waits` holds.
  template <class Waits> static double arrivals(WholeCandidate& whole, const Waits& waits) {
    double cycles = 0;
    if (!whole.asks(TermId::FirstTiles)) return cycles;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.isStore || !waits(o)) continue;
      double arrival = o.ahead + during(whole, o, false);
      if (o.pattern->stepCount > 0) arrival += during(whole, o, true);
      cycles = std::max(cycles, arrival);
    }
    return cycles;
  }

 private:
  // Cycles that the bytes of an input's first tile take, from memory or (`step`) between cores,
  // while other tiles move.
  static double during(WholeCandidate& whole, const FlatCost& o, bool step) {
    const std::size_t resources = whole.allResources();
    std::vector<double>& waits = whole.scratch().waited;
    waits.assign(resources, 0.0);
    if (!step) accumulateLoad(waits.data(), o, o.firstBytes(), resources);
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& other = *movement.cost;
      // A stationary tile has no bytes to move.
      if (other.isStore || &other == &o || other.bytes <= 0) continue;
      const double there = o.interleaves ? other.early() : 1;
      const double each = o.bytes / other.bytes;
      const double tiles = std::clamp(there - (step ? each : 0), 0.0, each);
      accumulateLoad(waits.data(), other, tiles * other.firstBytes(), resources);
    }
    const std::vector<double>&load = o.pattern->load(), &all = o.pattern->resourceLoads;
    double most = 0;
    for (std::size_t r = 0; r < resources; ++r) {
      const bool uses = step ? all[r] > load[r] : load[r] > 0;
      if (uses) most = std::max(most, waits[r]);
    }
    return most;
  }
};

}  // namespace gridloom::cost
