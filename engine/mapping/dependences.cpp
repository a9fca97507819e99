// SPDX-License-Identifier: Apache-2.0
#include "mapping/dependences.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridloom::mapping {

using affine::LinearExpr;
using kernel::Operand;
using kernel::TileNest;

namespace {

// The first of `loops` along which reader and maker differ: 1 when the reader comes later, 0 when
// none is.
int firstSign(const std::vector<int>& signs, std::span<const LoopId> loops) {
  for (const LoopId loop : loops) {
    if (signs[loop.index()] != 0) return signs[loop.index()];
  }
  return 0;
}

// Why `isInTime` refuses one combination of signs.
enum class Fault { None, OtherCore, Later };

Fault faultOf(const TileNest& nest, const Mapping& mapping, const Tiling& tiling,
              const std::vector<int>& signs, bool oneOrder, const InputMovement& movement) {
  if (movement.kind == MovementKind::Stationary) {
    for (std::size_t l = 0; l < signs.size(); ++l) {
      if (signs[l] != 0 && tiling.loops[l].unroll > 1) return Fault::OtherCore;
    }
    return firstSign(signs, mapping.order) > 0 ? Fault::None : Fault::Later;
  }
  const auto written = static_cast<std::size_t>(outputLevel(nest, mapping.order));
  const auto shared = std::min<std::size_t>(movement.level, written);
  const std::span<const LoopId> order(mapping.order);
  std::vector<LoopId> sequence(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shared));
  const bool hoisted =
      std::ranges::any_of(order.subspan(shared, written - shared),
                          [&](LoopId loop) { return tiling.loops[loop.index()].trips > 1; });
  if (oneOrder && hoisted && firstSign(signs, sequence) == 0) return Fault::Later;
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    if (tiling.loops[l].trips == 1 && tiling.loops[l].unroll > 1) sequence.push_back(LoopId::of(l));
  }
  return firstSign(signs, sequence) > 0 ? Fault::None : Fault::Later;
}

}  // namespace

bool isInTime(const TileNest& nest, const Mapping& mapping, const Tiling& tiling,
              const TileSigns& signs, const InputMovement& movement) {
  return !signs.withinStep && std::ranges::all_of(signs.vectors, [&](const std::vector<int>& v) {
    return faultOf(nest, mapping, tiling, v, signs.oneOrder, movement) == Fault::None;
  });
}

std::optional<std::string> whyTooEarly(const kernel::Kernel& kernel, const TileNest& nest,
                                       const hardware::Topology& hw, const Mapping& mapping,
                                       const TileSigns& signs, std::size_t input,
                                       const InputMovement& movement) {
  const std::string& name = nest.inputs[input].name;
  if (signs.withinStep) {
    const bool single = std::ranges::all_of(
        nest.steps, [&](LoopId loop) { return mapping.tileSize[loop.index()] == 1; });
    return fmt::format("tiles of {} need neighbours of the same step; {}", name,
                       single ? "compute it in a `local` that the output copies"
                              : "give the stepped loop tile size 1");
  }
  const Tiling tiling = tilingOf(mapping, nest, hw);
  for (const std::vector<int>& v : signs.vectors) {
    const Fault fault = faultOf(nest, mapping, tiling, v, signs.oneOrder, movement);
    if (fault == Fault::None) continue;
    std::string where;
    for (std::size_t l = 0; l < v.size(); ++l) {
      if (v[l] == 0) continue;
      where += fmt::format("{}{} {}", where.empty() ? "" : ", ",
                           v[l] > 0 ? "an earlier" : "a later", kernel.loops[l].name);
    }
    return fault == Fault::OtherCore
               ? fmt::format("{} is stationary, but other cores read it (from {})", name, where)
               : fmt::format(
                     "{} is read before it is made (violated dependence): a tile needs one of {}",
                     name, where);
  }
  return std::nullopt;
}

DimMask crossedDims(const Operand& window, const Mapping& mapping) {
  DimMask mask = 0;
  for (std::size_t d = 0; d < window.dims.size(); ++d) {
    const kernel::RegionDim& read = window.dims[d];
    const LoopId maker = window.makers[d];
    if (read.index == LinearExpr::dim(maker.index()) && read.minOffset == 0 &&
        read.maxOffset == 0) {
      continue;
    }
    for (std::size_t at = 0; at < mapping.space.size(); ++at) {
      if (mapping.space[at] == maker) mask |= DimMask{1} << at;
    }
  }
  return mask;
}

DimMask waitingDims(const TileNest& nest, const Mapping& mapping) {
  DimMask mask = 0;
  for (const Operand& window : nest.inputs) {
    if (window.produced) mask |= crossedDims(window, mapping);
  }
  return mask;
}

bool keepsTies(const TileNest& nest, const std::vector<std::int64_t>& tileSize) {
  return std::ranges::all_of(nest.ties, [&](const std::vector<LoopId>& tied) {
    return std::ranges::all_of(tied, [&](LoopId loop) {
      return tileSize[loop.index()] == tileSize[tied.front().index()];
    });
  });
}

Tiling tilingOf(const Mapping& mapping, const TileNest& nest, const hardware::Topology& hw) {
  Tiling tiling;
  tiling.loops.resize(nest.extents.size());
  for (std::size_t l = 0; l < nest.extents.size(); ++l) {
    LoopTiling& loop = tiling.loops[l];
    loop.extent = nest.extents[l];
    loop.tileSize = mapping.tileSize[l];
    loop.tiles = base::ceilDiv(loop.extent, loop.tileSize);
    for (std::size_t d = 0; d < mapping.space.size(); ++d) {
      if (mapping.space[d] == LoopId::of(l)) loop.unroll *= hw.dims()[d].size;
    }
    loop.trips = base::ceilDiv(loop.tiles, loop.unroll);
  }
  return tiling;
}

}  // namespace gridloom::mapping
