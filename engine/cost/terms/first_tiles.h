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

  /// The same of the inputs for which `waits` holds. Inputs that cannot be the last are left out.
  template <class Waits> static double arrivals(WholeCandidate& whole, const Waits& waits) {
    double cycles = 0;
    if (!whole.asks(TermId::FirstTiles)) return cycles;
    const FlatCost* slowest = nullptr;
    double most = 0;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.isStore || !waits(o)) continue;
      const double atMost = latest(whole, o);
      if (slowest != nullptr && atMost <= most) continue;
      slowest = &o;
      most = atMost;
    }
    if (slowest == nullptr) return cycles;
    cycles = arrival(whole, *slowest);
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& o = *movement.cost;
      if (o.isStore || &o == slowest || !waits(o) || latest(whole, o) <= cycles) continue;
      cycles = std::max(cycles, arrival(whole, o));
    }
    return cycles;
  }

 private:
  static double arrival(WholeCandidate& whole, const FlatCost& o) {
    double cycles = o.ahead + during(whole, o, false);
    if (o.pattern->stepCount > 0) cycles += during(whole, o, true);
    return cycles;
  }

  // At least `arrival`, as if all tiles met at one resource.
  static double latest(WholeCandidate& whole, const FlatCost& o) {
    double cycles = o.firstBytes() * o.pattern->loadPeak;
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& other = *movement.cost;
      if (!shares(o, other)) continue;
      const double each = other.firstBytes() * other.pattern->loadPeak;
      cycles += tilesDuring(o, other, false) * each;
      if (o.pattern->stepCount > 0) cycles += tilesDuring(o, other, true) * each;
    }
    constexpr double kRounding = 1 + 1e-9;
    return o.ahead + cycles * kRounding;
  }

  // A stationary tile has no bytes to move.
  static bool shares(const FlatCost& o, const FlatCost& other) {
    return !other.isStore && &other != &o && other.bytes > 0;
  }

  // Tiles of another input that move with the first tile of `o`, or with its steps.
  static double tilesDuring(const FlatCost& o, const FlatCost& other, bool step) {
    const double there = o.interleaves ? other.early() : 1;
    const double each = o.bytes / other.bytes;
    return std::clamp(there - (step ? each : 0), 0.0, each);
  }

  // Cycles that the bytes of an input's first tile take, from memory or (`step`) between cores,
  // while other tiles move.
  static double during(WholeCandidate& whole, const FlatCost& o, bool step) {
    const std::size_t resources = whole.allResources();
    std::vector<double>& waits = whole.scratch().waited;
    waits.assign(resources, 0.0);
    if (!step) accumulateLoad(waits.data(), o, o.firstBytes(), resources);
    for (const LoadedCost& movement : whole.transfers()) {
      const FlatCost& other = *movement.cost;
      if (!shares(o, other)) continue;
      const double bytes = tilesDuring(o, other, step) * other.firstBytes();
      accumulateLoad(waits.data(), other, bytes, resources);
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
