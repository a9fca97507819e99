// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "mapping/admit.h"
#include "mapping/partials.h"
#include "mapping/space.h"

namespace gridloom::mapping {

using base::ceilDiv;
using kernel::contains;
using kernel::TileNest;

namespace {

/// Smaller tiles than a unit works on are not tried for more tiles than these: with them, a search
/// for `lu` on a wafer of 996 x 757 cores found no mapping within 20 s; without, it finds one.
constexpr std::int64_t kMostTied = 64;

bool isWhole(const TileNest& nest, LoopId loop) {
  return std::any_of(nest.whole.begin(), nest.whole.end(),
                     [&](const TileNest::Whole& w) { return w.loop == loop; });
}

// Tile sizes that directives name one by one; they need not be among the usual sizes.
std::set<std::int64_t> singleSizes(const Constraints& constraints, LoopId loop) {
  std::set<std::int64_t> sizes;
  if (const auto pinned = constraints.tileSizes.find(loop); pinned != constraints.tileSizes.end()) {
    for (const TileSizeRange& r : pinned->second) {
      if (r.least == r.most) sizes.insert(r.least);
    }
  }
  return sizes;
}

// The whole extent, or the share of each core when the loop is spatial.
std::set<std::int64_t> shareChoices(std::int64_t extent, const std::vector<std::int64_t>& unroll) {
  std::set<std::int64_t> sizes{extent};
  for (const std::int64_t w : unroll) sizes.insert(ceilDiv(extent, w));
  return sizes;
}

std::set<std::int64_t> tileSizeChoices(std::int64_t extent, std::int64_t unit,
                                       const std::vector<std::int64_t>& unroll) {
  std::set<std::int64_t> sizes{extent};
  for (std::int64_t b = unit; b < extent; b *= 2) sizes.insert(b);
  for (const std::int64_t w : unroll) {
    for (const std::int64_t waves : {1, 2}) {
      const std::int64_t share = ceilDiv(ceilDiv(extent, w * waves), unit) * unit;
      if (share < extent) sizes.insert(share);
    }
  }
  return sizes;
}

// Loops with one tile size in common have the sizes of each of them, from the coarsest unit on:
// with smaller tiles, a unit is not filled. Where that leaves cores without a tile, smaller ones
// are worth their cost: halves of it, down to one tile per core, but no more than kMostTied tiles.
std::set<std::int64_t> tiedSizes(const kernel::Kernel& kernel, const TileNest& nest,
                                 std::span<const LoopId> tied, const std::int64_t intrinsic[3],
                                 std::int64_t lanes, const std::vector<std::int64_t>& unroll) {
  const std::int64_t extent = kernel.loop(tied.front()).extent;
  std::set<std::int64_t> units;
  for (const LoopId loop : tied) units.insert(tileSizeUnit(nest, loop, intrinsic, lanes));
  std::int64_t least = *units.rbegin();
  const std::int64_t cores = std::min(kMostTied, unroll.empty() ? 1 : unroll.back());
  for (; least > 1 && ceilDiv(extent, least) < cores; least /= 2) units.insert(least / 2);
  std::set<std::int64_t> sizes;
  for (const std::int64_t unit : units) {
    for (const std::int64_t size : tileSizeChoices(extent, unit, unroll)) {
      if (size >= std::min(least, extent)) sizes.insert(size);
    }
  }
  return sizes;
}

// Products of sizes of sets of mesh dimensions: the possible numbers of cores a loop is unrolled
// over.
std::vector<std::int64_t> unrollChoices(const hardware::Topology& hw) {
  std::set<std::int64_t> unroll;
  const std::size_t dims = hw.dims().size();
  for (DimMask mask = 1; mask < (DimMask{1} << dims); ++mask) {
    std::int64_t product = 1;
    for (std::size_t d = 0; d < dims; ++d) product *= (mask >> d & 1) ? hw.dims()[d].size : 1;
    if (product > 1) unroll.insert(product);
  }
  return {unroll.begin(), unroll.end()};
}

// Whether a mesh dimension may carry the tiles or shares of a loop at all.
bool mayCarry(const kernel::Kernel& kernel, const TileNest& nest, const hardware::Topology& hw,
              std::size_t d, LoopId loop) {
  if (hw.dims()[d].size < 2 || kernel.loop(loop).extent < 2) return false;
  return contains(nest.parallel, loop) || isJoined(nest, loop) || nest.isInShares(loop);
}

// Loops a mesh dimension may carry, none first.
std::vector<LoopId> carriers(const kernel::Kernel& kernel, const TileNest& nest,
                             const hardware::Topology& hw, std::size_t d,
                             const Constraints& constraints) {
  if (const auto pinned = constraints.space.find(static_cast<int>(d));
      pinned != constraints.space.end()) {
    return {pinned->second};
  }
  std::vector<LoopId> loops{LoopId{}};
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    if (mayCarry(kernel, nest, hw, d, LoopId::of(l))) loops.push_back(LoopId::of(l));
  }
  return loops;
}

// Whether all dimensions but those that carry the same loop stand in ascending order; only the
// relative order of the latter matters.
bool isNatural(const std::vector<LoopId>& space, const std::vector<std::uint8_t>& order) {
  for (std::size_t p = 0; p < order.size(); ++p) {
    const bool same = space[p].valid() && space[order[p]] == space[p];
    if (order[p] != p && !same) return false;
  }
  return true;
}

// The next order of the dimensions that carry one loop, with all others unchanged; false after the
// last one.
bool nextOf(const std::vector<std::uint8_t>& group, std::vector<std::uint8_t>& order) {
  std::vector<std::uint8_t> own;
  for (const std::uint8_t at : group) own.push_back(order[at]);
  const bool more = std::next_permutation(own.begin(), own.end());
  for (std::size_t n = 0; n < group.size(); ++n) order[group[n]] = own[n];
  return more;
}

using Groups = std::map<LoopId, std::vector<std::uint8_t>>;

// Sets of dimensions that carry the same loop: their order matters, unless directives pin it.
Groups freeGroups(const std::vector<LoopId>& space, const Constraints& constraints) {
  Groups groups;
  for (std::size_t d = 0; d < space.size(); ++d) {
    if (space[d].valid()) groups[space[d]].push_back(static_cast<std::uint8_t>(d));
  }
  std::erase_if(groups, [&](const auto& g) {
    return g.second.size() < 2 || constraints.dimOrder.contains(g.first);
  });
  return groups;
}

double countOrders(const Groups& groups) {
  double orders = 1;
  for (const auto& [loop, dims] : groups)
    orders *= std::tgamma(static_cast<double>(dims.size() + 1));
  return orders;
}

// The dimensions in ascending order, except those that directives order.
std::vector<std::uint8_t> firstOrder(const std::vector<LoopId>& space,
                                     const Constraints& constraints) {
  std::vector<std::uint8_t> order;
  std::map<LoopId, std::size_t> taken;
  for (std::size_t d = 0; d < space.size(); ++d) {
    const auto pinned = constraints.dimOrder.find(space[d]);
    const bool named =
        pinned != constraints.dimOrder.end() && taken[space[d]] < pinned->second.size();
    order.push_back(named ? pinned->second[taken[space[d]]++] : static_cast<std::uint8_t>(d));
  }
  return order;
}

// Dimension orders that assign tiles to cores differently.
std::vector<std::vector<std::uint8_t>>
dimOrders(const std::vector<LoopId>& space, const Groups& groups, const Constraints& constraints) {
  std::vector<std::uint8_t> order = firstOrder(space, constraints);
  std::vector<std::vector<std::uint8_t>> orders;
  for (bool more = true; more;) {
    if (isNatural(space, order) && admitsSpace(constraints, space, order)) orders.push_back(order);
    more = std::ranges::any_of(groups, [&](const auto& g) { return nextOf(g.second, order); });
  }
  return orders;
}

// Loops per dimension, all combinations; nothing when there are too many.
std::vector<std::vector<LoopId>> assignments(const kernel::Kernel& kernel, const TileNest& nest,
                                             const hardware::Topology& hw,
                                             const Constraints& constraints) {
  std::vector<std::vector<LoopId>> spaces{{}};
  for (std::size_t d = 0; d < hw.dims().size(); ++d) {
    const std::vector<LoopId> loops = carriers(kernel, nest, hw, d, constraints);
    if (spaces.size() * loops.size() > kMostPlacements) return {};
    std::vector<std::vector<LoopId>> longer;
    for (const auto& space : spaces) {
      for (const LoopId loop : loops) {
        longer.push_back(space);
        longer.back().push_back(loop);
      }
    }
    spaces = std::move(longer);
  }
  return spaces;
}

void addSpaces(const kernel::Kernel& kernel, const TileNest& nest, const hardware::Topology& hw,
               const Constraints& constraints, Axes& axes) {
  const auto spaces = assignments(kernel, nest, hw, constraints);
  double placements = spaces.empty() ? kMostPlacements + 1.0 : 0;
  for (const auto& space : spaces) placements += countOrders(freeGroups(space, constraints));
  axes.tooManySpaces = placements > kMostPlacements;
  if (axes.tooManySpaces) return;
  for (const auto& space : spaces) {
    for (auto& order : dimOrders(space, freeGroups(space, constraints), constraints)) {
      axes.spaces.push_back({space, std::move(order)});
    }
  }
}

}  // namespace

std::int64_t tileSizeUnit(const TileNest& nest, LoopId loop, const std::int64_t intrinsic[3],
                          std::int64_t lanes) {
  std::int64_t unit = 1;
  bool inMatrix = false;
  for (const kernel::TileOp& op : nest.ops) {
    if (op.unit != kernel::UnitKind::Matrix) continue;
    const std::vector<LoopId>* roles[] = {&op.m, &op.n, &op.k};
    for (int r = 0; r < 3; ++r) {
      inMatrix = inMatrix || contains(*roles[r], loop);
      if (!roles[r]->empty() && roles[r]->back() == loop) unit = std::max(unit, intrinsic[r]);
    }
    inMatrix = inMatrix || contains(op.batch, loop);
  }
  if (inMatrix) return unit;
  bool innermost = false;
  for (const kernel::TileOp& op : nest.ops) {
    if (op.unit != kernel::UnitKind::Vector || !contains(op.loops, loop)) continue;
    if (op.innermost != loop) return unit;
    innermost = true;
  }
  return innermost ? std::max(unit, lanes) : unit;
}

Axes makeAxes(const kernel::Kernel& kernel, const TileNest& nest, const hardware::Topology& hw,
              const std::int64_t intrinsic[3], std::int64_t lanes, const Constraints& constraints) {
  Axes axes;
  const std::vector<std::int64_t> unroll = unrollChoices(hw);
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    const LoopId loop = LoopId::of(l);
    const std::int64_t extent = kernel.loops[l].extent;
    std::set<std::int64_t> sizes{extent};
    if (nest.isInShares(loop)) {
      sizes = shareChoices(extent, unroll);
    } else if (!isWhole(nest, loop)) {
      const auto tied =
          std::ranges::find_if(nest.ties, [&](const auto& loops) { return contains(loops, loop); });
      sizes = tied == nest.ties.end()
                  ? tileSizeChoices(extent, tileSizeUnit(nest, loop, intrinsic, lanes), unroll)
                  : tiedSizes(kernel, nest, *tied, intrinsic, lanes, unroll);
      sizes.merge(singleSizes(constraints, loop));
    }
    std::erase_if(sizes, [&](std::int64_t b) { return !admitsTileSize(constraints, loop, b); });
    axes.tileSizes.emplace_back(sizes.begin(), sizes.end());
  }
  addSpaces(kernel, nest, hw, constraints, axes);
  return axes;
}

bool isPlacement(const kernel::Kernel& kernel, const TileNest& nest, const hardware::Topology& hw,
                 const SpaceChoice& choice) {
  for (std::size_t d = 0; d < choice.space.size(); ++d) {
    if (choice.space[d].valid() && !mayCarry(kernel, nest, hw, d, choice.space[d])) return false;
  }
  return isNatural(choice.space, choice.dimOrder);
}

bool isRedundant(const Mapping& mapping, const Tiling& tiling, const hardware::Topology& hw) {
  const auto active = activeExtents(mapping, tiling, hw);
  for (std::size_t d = 0; d < active.size(); ++d) {
    if (mapping.space[d].valid() && active[d] < 2) return true;
  }
  return false;
}

}  // namespace gridloom::mapping
