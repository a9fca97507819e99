// SPDX-License-Identifier: Apache-2.0
#include "mapping/rotation.h"

#include <algorithm>

#include "mapping/partials.h"

namespace gridloom::mapping {

using kernel::Operand;
using kernel::TileNest;

namespace {

// Whether the terms of the loop may be added in any order, in every tile alike.
bool isPlainSum(const TileNest& nest, LoopId loop) {
  const auto everywhere = [](const Operand& input) { return input.guard.always(); };
  return !nest.merge && isJoined(nest, loop) && nest.allReduces.empty() && nest.work.always() &&
         std::ranges::all_of(nest.inputs, everywhere);
}

// Whether the active cores along a dimension have work in every wave of the loop it carries.
bool worksInEveryWave(const Mapping& mapping, const Tiling& tiling, std::size_t dim) {
  const LoopTiling& loop = tiling.loops[mapping.space[dim].index()];
  const bool alone = std::ranges::count(mapping.space, mapping.space[dim]) == 1;
  return loop.tiles == loop.trips * loop.unroll || (alone && loop.trips == 1);
}

// See whyNotRotated; null where the input rotates.
const char* objectionTo(const TileNest& nest, const Mapping& mapping, const Tiling& tiling,
                        std::size_t input, std::size_t dim, LoopId loop) {
  const Operand& operand = nest.inputs[input];
  const LoopId carried = mapping.space[dim];
  if (!carried.valid() || operand.dependsOn(carried) || tiling.active[dim] < 2)
    return "cores along the dimension do not use the same tiles of it";
  if (!operand.dependsOn(loop) || operand.isReadIn(kernel::Phase::Epilogue))
    return "a tile rotates over the iterations of the loop just outside its transfer";
  if (!isPlainSum(nest, loop))
    return "cores run the loop in different orders, so it must be a plain sum";
  const LoopTiling& sum = tiling.loops[loop.index()];
  const std::int64_t cores = tiling.active[dim];
  if (sum.extent % sum.tileSize != 0 || sum.tiles % (sum.unroll * cores) != 0)
    return "the tiles of the loop must be whole, and a multiple of the cores along the dimension";
  if (!worksInEveryWave(mapping, tiling, dim))
    return "all cores along the dimension must have work in every wave";
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    if (i == input || !nest.inputs[i].dependsOn(loop)) continue;
    const DimMask shared = sharedDims(nest.inputs[i], mapping);
    if (hardware::has(shared, dim)) {
      return "cores along the dimension share tiles of another input, too";
    }
    for (std::size_t d = 0; d < tiling.active.size(); ++d) {
      if (hardware::has(shared, d) && tiling.active[d] > cores)
        return "another input has longer lines, and all rounds are as long as the longest";
    }
  }
  return nullptr;
}

}  // namespace

std::vector<LoopSkew> skewsOf(const Mapping& mapping, const Tiling& tiling) {
  std::vector<LoopSkew> skews(mapping.order.size());
  for (const InputMovement& movement : mapping.inputs) {
    const bool inLoop = movement.level > 0 && movement.level <= mapping.order.size();
    if (movement.kind != MovementKind::Rotate || !inLoop) continue;
    LoopSkew& skew = skews[movement.level - 1u];
    skew.along |= movement.along;
    if (movement.first < tiling.active.size()) skew.period = tiling.active[movement.first];
  }
  return skews;
}

std::optional<std::string> whyNotRotated(const TileNest& nest, const Mapping& mapping,
                                         const Tiling& tiling, std::size_t input, std::size_t dim,
                                         LoopId loop) {
  const char* objection = objectionTo(nest, mapping, tiling, input, dim, loop);
  return objection != nullptr ? std::optional<std::string>(objection) : std::nullopt;
}

DimMask rotatingDims(const hardware::Topology& hw, const Constraints& constraints) {
  const bool asked = std::ranges::any_of(constraints.inputs, [](const auto& input) {
    return input.second.kind == MovementKind::Rotate;
  });
  const bool helps = !hw.canMulticast(hw.readPlane());
  DimMask dims = 0;
  for (std::size_t d = 0; d < hw.dims().size(); ++d) {
    if (asked || (helps && hw.wrapsAround(hw.readPlane(), d))) dims |= DimMask{1} << d;
  }
  return dims;
}

std::vector<bool> rotationsOf(const TileNest& nest, const Mapping& mapping, const Tiling& tiling,
                              DimMask dims) {
  std::vector<bool> rotations;
  if (dims == 0) return rotations;
  rotations.reserve(nest.inputs.size() * tiling.active.size() * nest.reductions.size());
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    for (std::size_t d = 0; d < tiling.active.size(); ++d) {
      if (!hardware::has(dims, d)) continue;
      for (const LoopId loop : nest.reductions)
        rotations.push_back(objectionTo(nest, mapping, tiling, i, d, loop) == nullptr);
    }
  }
  return rotations;
}

}  // namespace gridloom::mapping
