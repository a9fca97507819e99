// SPDX-License-Identifier: Apache-2.0
#include "cost/terms/bursts.h"

namespace gridloom::cost {

namespace {

// Whether all cores that load or store for themselves do so at the same moment.
bool bursts(const FlatCost& o, mapping::DimMask inPhase) {
  if (o.isStore && (!o.overlapped || o.pattern->stepCount > 0)) return false;
  return (o.pattern->loaders & ~inPhase) == 0;
}

// Whether two loads use one of the resources.
bool shareResource(const FlatCost& a, const FlatCost& b) {
  const std::vector<double>& one = a.pattern->load();
  const std::vector<double>& other = b.pattern->load();
  for (std::size_t r = 0; r < std::min(one.size(), other.size()); ++r) {
    if (one[r] > 0 && other[r] > 0) return true;
  }
  return false;
}

}  // namespace

double delayByBursts(WholeCandidate& whole, const FlatCost& multicast, int level) {
  const std::size_t resources = whole.allResources();
  std::vector<double>& waits = whole.scratch().waited;
  bool any = false;
  for (const LoadedCost& movement : whole.transfers()) {
    const FlatCost& o = *movement.cost;
    if (&o == &multicast || o.level != level || !bursts(o, multicast.along)) continue;
    if (!any) waits.assign(resources, 0.0);
    any = true;
    const bool both = multicast.along != 0 && o.along != 0 && !o.isStore && !o.continues;
    const bool turns = !both || o.interleaves;
    const double share = turns ? std::min(1.0, multicast.bytes / o.bytes) : 1;
    accumulate(waits.data(), o, share * o.perTransfer(), resources);
  }
  if (!any) return 0;
  accumulateLoad(waits.data(), multicast, multicast.perTransfer(), resources);
  return std::max(0.0, largestAt(waits, multicast.pattern->load()) - multicast.alone());
}

double delayByLines(WholeCandidate& whole, const FlatCost& multicast, int level, double slack) {
  const std::size_t resources = whole.allResources();
  std::vector<double>& waits = whole.scratch().waited;
  double delay = 0;
  for (const LoadedCost& movement : whole.transfers()) {
    const FlatCost& o = *movement.cost;
    const mapping::DimMask others = o.pattern->loaders & ~multicast.along;
    if (o.level != level || !o.loadsAhead() || o.interleaves || others == 0) continue;
    waits.assign(resources, 0.0);
    accumulateLoad(waits.data(), o, o.perTransfer(), resources);
    const double lines = whole.activeAlong(others);
    const double burst = largestAt(waits, multicast.pattern->load()) / lines;
    delay += lines * std::max(0.0, burst - slack);
  }
  return delay;
}

InnerLoads burstsInside(WholeCandidate& whole, const FlatCost& multicast) {
  InnerLoads inner;
  const std::size_t resources = whole.allResources();
  std::vector<double>& waits = whole.scratch().waited;
  waits.assign(resources, 0.0);
  for (const LoadedCost& movement : whole.transfers()) {
    const FlatCost& o = *movement.cost;
    if (o.isStore || o.level <= multicast.level || !bursts(o, multicast.along)) continue;
    const double times = o.issues / multicast.issues;
    accumulateLoad(waits.data(), o, times * o.perTransfer(), resources);
    if (shareResource(o, multicast)) inner.bytes += times * std::max(o.bytes, multicast.packet);
  }
  inner.cycles = largestAt(waits, multicast.pattern->load());
  return inner;
}

double burstWith(WholeCandidate& whole, const FlatCost& cost) {
  if (cost.isStore && cost.pattern->stepCount > 0) return cost.bytes * cost.pattern->loadPeak;
  const std::size_t resources = whole.allResources();
  std::vector<double>& waits = whole.scratch().waited;
  waits.assign(resources, 0.0);
  for (const LoadedCost& movement : whole.transfers()) {
    const FlatCost& o = *movement.cost;
    const bool beside = !o.isStore && (cost.isStore || o.overlapped);
    if (o.level != cost.level || (&o != &cost && !beside)) continue;
    const double tiles = &o == &cost ? 1 : std::min(1.0, cost.bytes / o.bytes);
    accumulateLoad(waits.data(), o, tiles * o.perTransfer(), resources);
  }
  return largestAt(waits, cost.pattern->load());
}

}  // namespace gridloom::cost
