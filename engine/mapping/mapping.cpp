// SPDX-License-Identifier: Apache-2.0
#include "mapping/mapping.h"

#include "mapping/all_reduce.h"
#include "mapping/constraints.h"
#include "mapping/partials.h"

#include <algorithm>

namespace gridloom::mapping {

using base::ceilDiv;
using base::saturatingAdd;
using base::saturatingMul;
using kernel::contains;

namespace {

// Tiles of an operand that one buffer holds when the loops from `level` inward run inside its
// scope.
template <class DependsOn>
std::int64_t tilesInside(const Tiling& tiling, const std::vector<LoopId>& order, int level,
                         DependsOn&& dependsOn) {
  std::int64_t tiles = 1;
  for (std::size_t i = static_cast<std::size_t>(level); i < order.size(); ++i) {
    if (dependsOn(order[i])) tiles = saturatingMul(tiles, tiling.loops[order[i].index()].trips);
  }
  return tiles;
}

// Tiles of an operand that a core uses over the whole kernel.
std::int64_t tilesOfCore(const kernel::Operand& operand, const Tiling& tiling) {
  std::int64_t tiles = 1;
  for (const LoopId loop : operand.loops) {
    tiles = saturatingMul(tiles, tiling.loops[loop.index()].trips);
  }
  return tiles;
}

}  // namespace

std::int64_t Tiling::unrollIndexOf(const Mapping& mapping, const hardware::Topology& hw,
                                   LoopId loop, const std::int64_t* coordinates) {
  std::int64_t way = 0;
  for (const std::uint8_t d : mapping.dimOrder) {
    if (mapping.space[d] != loop) continue;
    way = way * hw.dims()[d].size + coordinates[d];
  }
  return way;
}

std::vector<std::int64_t> Tiling::extentsTogether(std::uint64_t outside) const {
  std::vector<std::int64_t> extents;
  extents.reserve(loops.size());
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const LoopTiling& loop = loops[l];
    const std::int64_t waves = (outside >> l & 1U) != 0 ? 1 : loop.trips;
    extents.push_back(std::min(loop.extent, loop.tileSize * loop.unroll * waves));
  }
  return extents;
}

std::int64_t Tiling::elementsOf(LoopId loop, std::int64_t tile) const {
  const LoopTiling& l = loops[loop.index()];
  if (tile < 0 || tile >= l.tiles) return 0;
  return std::min(l.tileSize, l.extent - tile * l.tileSize);
}

Tiling tilingOf(const Mapping& mapping, const kernel::Kernel& kernel,
                const hardware::Topology& hw) {
  Tiling tiling;
  tiling.loops.resize(kernel.loops.size());
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    LoopTiling& loop = tiling.loops[l];
    loop.extent = kernel.loops[l].extent;
    loop.tileSize = mapping.tileSize[l];
    loop.tiles = ceilDiv(loop.extent, loop.tileSize);
    for (std::size_t d = 0; d < mapping.space.size(); ++d) {
      if (mapping.space[d] == LoopId::of(l)) loop.unroll *= hw.dims()[d].size;
    }
    loop.trips = ceilDiv(loop.tiles, loop.unroll);
  }
  tiling.tileSizes = mapping.tileSize;
  tiling.active = activeExtents(mapping, tiling, hw);
  return tiling;
}

std::vector<std::int64_t> activeExtents(const Mapping& mapping, const Tiling& tiling,
                                        const hardware::Topology& hw) {
  std::vector<std::int64_t> active(mapping.space.size(), 1);
  for (std::size_t d = 0; d < active.size(); ++d) {
    const LoopId loop = mapping.space[d];
    if (!loop.valid()) continue;
    // Neighbouring coordinates of d are `inner` tiles apart.
    std::int64_t inner = 1;
    for (auto at = mapping.dimOrder.rbegin(); *at != d; ++at) {
      if (mapping.space[*at] == loop) inner *= hw.dims()[*at].size;
    }
    active[d] = std::min(hw.dims()[d].size, ceilDiv(tiling.loops[loop.index()].tiles, inner));
  }
  return active;
}

DimMask sharedDims(const kernel::Operand& operand, const Mapping& mapping) {
  DimMask mask = 0;
  for (std::size_t d = 0; d < mapping.space.size(); ++d) {
    const LoopId loop = mapping.space[d];
    if (loop.valid() && !operand.dependsOn(loop)) mask |= DimMask{1} << d;
  }
  return mask;
}

DimMask splitDims(const kernel::TileNest& nest, const Mapping& mapping) {
  DimMask mask = 0;
  for (std::size_t d = 0; d < mapping.space.size(); ++d) {
    if (mapping.space[d].valid() && isJoined(nest, mapping.space[d])) mask |= DimMask{1} << d;
  }
  return mask;
}

namespace {

int levelBehind(const std::vector<LoopId>& loops, const std::vector<LoopId>& order) {
  const auto inner =
      std::ranges::find_if(order, [&](LoopId loop) { return !contains(loops, loop); });
  return static_cast<int>(inner - order.begin());
}

}  // namespace

int outputLevel(const kernel::TileNest& nest, const std::vector<LoopId>& order) {
  return levelBehind(nest.outputLoops, order);
}

std::int64_t tileBytes(const kernel::Operand& operand, const Tiling& tiling,
                       const std::vector<LoopId>& order, int level) {
  return saturatingMul(
      regionBytes(operand, tiling.tileSizes),
      tilesInside(tiling, order, level, [&](LoopId loop) { return operand.dependsOn(loop); }));
}

std::int64_t residentBytes(const kernel::Operand& operand, const InputMovement& movement,
                           const Tiling& tiling) {
  if (movement.layout != TensorLayout::Local) return 0;
  std::int64_t sharers = 1;
  for (std::size_t d = 0; d < tiling.active.size(); ++d) {
    if (movement.along >> d & 1) sharers *= tiling.active[d];
  }
  return saturatingMul(regionBytes(operand, tiling.tileSizes),
                       ceilDiv(tilesOfCore(operand, tiling), sharers));
}

std::int64_t residentBytes(const kernel::TileNest& nest, const kernel::Operand& operand,
                           const OutputMovement& movement, const Tiling& tiling,
                           const std::vector<LoopId>& order) {
  if (movement.layout != TensorLayout::Local) return 0;
  const std::int64_t all =
      saturatingMul(regionBytes(operand, tiling.tileSizes), tilesOfCore(operand, tiling));
  return all - tileBytes(operand, tiling, order, outputLevel(nest, order));
}

namespace {

template <class PlaceOf>
std::vector<kernel::TensorId> residents(const std::vector<kernel::Operand>& operands,
                                        const PlaceOf& placeOf) {
  std::vector<kernel::TensorId> tensors;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (placeOf(i) == TensorLayout::Local) tensors.push_back(operands[i].tensor);
  }
  return tensors;
}

template <class Map>
std::vector<kernel::TensorId> pinnedResidents(const std::vector<kernel::Operand>& operands,
                                              const Map& constraints) {
  return residents(operands, [&](std::size_t i) {
    const auto at = constraints.find(static_cast<int>(i));
    return at == constraints.end() ? TensorLayout::PageInterleaved
                                   : at->second.layout.value_or(TensorLayout::PageInterleaved);
  });
}

std::vector<kernel::TensorId> joined(std::vector<kernel::TensorId> a,
                                     const std::vector<kernel::TensorId>& b) {
  for (const kernel::TensorId id : b) {
    if (std::find(a.begin(), a.end(), id) == a.end()) a.push_back(id);
  }
  return a;
}

}  // namespace

std::vector<kernel::TensorId> residentTensors(const kernel::TileNest& nest,
                                              const Constraints& constraints) {
  return joined(pinnedResidents(nest.inputs, constraints.inputs),
                pinnedResidents(nest.outputs, constraints.outputs));
}

std::vector<kernel::TensorId> residentTensors(const kernel::TileNest& nest,
                                              const Mapping& mapping) {
  return joined(residents(nest.inputs, [&](std::size_t i) { return mapping.inputs[i].layout; }),
                residents(nest.outputs, [&](std::size_t o) { return mapping.outputs[o].layout; }));
}

std::int64_t localBufferBytes(const kernel::TileNest& nest, const kernel::LocalBuffer& local,
                              const Tiling& tiling, const std::vector<LoopId>& order) {
  const std::int64_t tile = localBytes(local, tiling.tileSizes);
  if (!local.carried) return tile;
  // Sums live within an output scope; state lives from tile to tile of its loop.
  const bool isState = local.keptAlong.valid();
  const int level = isState ? levelBehind(nest.parallel, order) : outputLevel(nest, order);
  return saturatingMul(tile, tilesInside(tiling, order, level, [&](LoopId loop) {
                         return loop != local.keptAlong && contains(local.loops, loop);
                       }));
}

namespace {

// Whether the tiles that a window reads lie at most one tile away along a loop of its output.
bool readsNear(const kernel::Operand& window, LoopId loop, std::int64_t tileSize) {
  for (std::size_t d = 0; d < window.dims.size(); ++d) {
    if (window.makers[d] != loop) continue;
    const kernel::RegionDim& dim = window.dims[d];
    return dim.index == affine::LinearExpr::dim(loop.index()) && -tileSize <= dim.minOffset &&
           dim.maxOffset <= tileSize;
  }
  return false;
}

}  // namespace

std::int64_t heldIterations(const kernel::Operand& window, const InputMovement& movement,
                            const Tiling& tiling, const std::vector<LoopId>& order) {
  if (order.empty() || !contains(window.makers, order.front())) return 1;
  const LoopTiling& outermost = tiling.loops[order.front().index()];
  const bool near = movement.level > 0 && readsNear(window, order.front(), outermost.tileSize);
  return near ? std::min<std::int64_t>(2, outermost.trips) : outermost.trips;
}

std::int64_t heldBytes(const kernel::Operand& output, std::int64_t iterations, const Tiling& tiling,
                       const std::vector<LoopId>& order) {
  std::int64_t bytes = regionBytes(output, tiling.tileSizes);
  for (std::size_t p = 0; p < order.size(); ++p) {
    if (!output.dependsOn(order[p])) continue;
    bytes = saturatingMul(bytes, p == 0 ? iterations : tiling.loops[order[p].index()].trips);
  }
  return bytes;
}

std::int64_t heldIterations(const kernel::TileNest& nest, const Mapping& mapping,
                            const Tiling& tiling, const kernel::Operand& output) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    const bool passed = nest.inputs[i].produced && nest.inputs[i].tensor == output.tensor &&
                        mapping.inputs[i].kind == MovementKind::Forwarded;
    if (!passed) continue;
    most = std::max(most, heldIterations(nest.inputs[i], mapping.inputs[i], tiling, mapping.order));
  }
  return most;
}

}  // namespace gridloom::mapping
