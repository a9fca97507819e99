// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "mapping/all_reduce.h"
#include "mapping/layout_options.h"
#include "mapping/partials.h"
#include "mapping/rotation.h"
#include "mapping/space.h"
#include "mapping/transfers.h"

namespace gridloom::mapping {

namespace {

using base::Diagnostics;
using base::plainError;

bool isPermutation(std::vector<std::uint8_t> order, std::size_t size) {
  std::sort(order.begin(), order.end());
  if (order.size() != size) return false;
  for (std::size_t i = 0; i < size; ++i) {
    if (order[i] != i) return false;
  }
  return true;
}

// Checks the sizes of the mapping's arrays and its tile sizes, so that later checks can index with
// them.
Diagnostics checkShape(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                       const hardware::Topology& hw, const Mapping& mapping) {
  Diagnostics errors;
  const auto wantSize = [&](const char* what, std::size_t have, std::size_t want) {
    if (have != want)
      errors.push_back(
          plainError(fmt::format("the mapping has {} {}, {} wanted", have, what, want)));
  };
  wantSize("tile sizes", mapping.tileSize.size(), kernel.loops.size());
  wantSize("mesh dimensions", mapping.space.size(), hw.dims().size());
  wantSize("input movements", mapping.inputs.size(), nest.inputs.size());
  wantSize("output movements", mapping.outputs.size(), nest.outputs.size());
  wantSize("all-reduces", mapping.allReduces.size(), nest.allReduces.size());
  if (!isPermutation(mapping.dimOrder, hw.dims().size())) {
    errors.push_back(plainError("the tiling order does not name every mesh dimension once"));
  }
  if (!errors.empty()) return errors;
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    const std::int64_t extent = kernel.loops[l].extent;
    if (mapping.tileSize[l] < 1 || mapping.tileSize[l] > extent) {
      errors.push_back(plainError(fmt::format("tile size {} of loop {} is not between 1 and {}",
                                              mapping.tileSize[l], kernel.loops[l].name, extent)));
    }
  }
  for (const LoopId loop : mapping.space) {
    if (loop.valid() && loop.index() >= kernel.loops.size()) {
      errors.push_back(plainError("the mapping names a loop the kernel does not have"));
    }
  }
  return errors;
}

// A spatial loop that cannot be tiled in time has one share per core.
void checkShares(const kernel::Kernel& kernel, const kernel::TileNest& nest, const Tiling& tiling,
                 Diagnostics& errors) {
  for (const kernel::TileNest::Whole& whole : nest.whole) {
    const LoopTiling& loop = tiling.loops[whole.loop.index()];
    const std::int64_t share = base::ceilDiv(loop.extent, loop.unroll);
    if (loop.unroll == 1 || loop.tileSize == share) continue;
    errors.push_back(plainError(
        fmt::format("the share of loop {} is {} on each of {} cores, its tile size is {}",
                    kernel.loop(whole.loop).name, share, loop.unroll, loop.tileSize),
        fmt::format("give it the tile size {}", share)));
  }
}

// Of an input that rotates; none where its rotation is possible.
std::optional<std::string> whyRotationFails(const kernel::TileNest& nest, const Mapping& mapping,
                                            const Tiling& tiling, std::size_t input) {
  const InputMovement& m = mapping.inputs[input];
  if (m.kind != MovementKind::Rotate) return std::nullopt;
  const bool inLoop = m.level > 0 && m.level <= mapping.order.size();
  if (m.first >= tiling.active.size() || m.along != DimMask{1} << m.first || !inLoop)
    return "a tile rotates along one dimension, in every iteration of a loop";
  if (m.buffers != 2) return "a core receives a tile while it sends one, into two buffers";
  if (m.usesSharedBuffer() || m.shared != 0)
    return "its tiles come from global memory, into a buffer of each core";
  return whyNotRotated(nest, mapping, tiling, input, m.first, mapping.order[m.level - 1u]);
}

void checkAllReduces(const kernel::TileNest& nest, const Mapping& mapping, Diagnostics& errors) {
  for (std::size_t r = 0; r < nest.allReduces.size(); ++r) {
    const auto options = allReduceOptions(nest, r, mapping, {});
    const ReductionTopology how = mapping.allReduces[r];
    if (std::ranges::find(options, how) != options.end()) continue;
    const std::string& name = nest.allReduces[r].name;
    errors.push_back(
        how == ReductionTopology::None
            ? plainError(fmt::format("cores reduce {} together, but the topology is missing", name),
                         "reduce their results as a chain or as a tree")
            : plainError(fmt::format("every core reduces {} by itself", name),
                         "there is nothing to reduce: `none` is meant"));
  }
}

void checkLayouts(const kernel::TileNest& nest, const Mapping& mapping, Diagnostics& errors) {
  const kernel::Operand* const other = operandOfOtherLayout(nest, mapping);
  if (other == nullptr) return;
  errors.push_back(plainError(fmt::format("the windows of {} have different layouts", other->name),
                              "a tensor has one layout"));
}

// Tile sizes of loops that cannot be tiled.
void checkWholeLoops(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                     const Mapping& mapping, Diagnostics& errors) {
  for (const kernel::TileNest::Whole& whole : nest.whole) {
    const bool dealt = whole.inShares && kernel::contains(mapping.space, whole.loop);
    if (!dealt && mapping.tileSize[whole.loop.index()] != kernel.loop(whole.loop).extent) {
      errors.push_back(plainError(
          fmt::format("loop {} cannot be tiled: {}", kernel.loop(whole.loop).name, whole.reason),
          whole.inShares ? "cores may take one share of it each, none of them several" : ""));
    }
  }
}

std::optional<base::Diagnostic> wrongPlacement(const kernel::Kernel& kernel,
                                               const kernel::TileNest& nest,
                                               const hardware::Topology& hw, const Mapping& mapping,
                                               const Tiling& tiling) {
  if (isPlacement(kernel, nest, hw, {mapping.space, mapping.dimOrder}) &&
      !isRedundant(mapping, tiling, hw)) {
    return std::nullopt;
  }
  for (const LoopId loop : mapping.space) {
    const auto reason = loop.valid() ? whyNotInSpace(kernel, nest, loop) : std::nullopt;
    if (!reason) continue;
    return plainError(
        fmt::format("loop {} cannot be placed in space: {}", kernel.loop(loop).name, *reason));
  }
  return plainError("the placement of loops on mesh dimensions is not legal here",
                    "loops with more than one tile may be placed, on dimensions with "
                    "more than one core");
}

// Directives under which the movements of an input are listed. They may place a transfer where it
// loads the same bytes again: slow, but legal.
Constraints asMoved(const Mapping& mapping, std::size_t input) {
  const InputMovement& m = mapping.inputs[input];
  const auto loopInside = [&](std::size_t level) {
    return level < mapping.order.size() ? mapping.order[level] : LoopId{};
  };
  Constraints constraints;
  Constraints::Input& said = constraints.inputs[static_cast<int>(input)];
  said.hoistOutside = {loopInside(m.level)};
  for (std::size_t k = 0; k < hardware::kMostSharedBuffers; ++k) {
    const SharedBufferUse& use = m.sharedBuffers[k];
    if (!use.isUsed()) continue;
    said.sharedBuffers[k].along = use.along;
    said.sharedBuffers[k].outside = loopInside(static_cast<std::size_t>(use.level));
  }
  said.layout = m.layout;
  said.kind = m.kind;
  return constraints;
}

std::optional<base::Diagnostic> wrongInput(const kernel::Kernel& kernel,
                                           const kernel::TileNest& nest,
                                           const hardware::Topology& hw, const Mapping& mapping,
                                           const Tiling& tiling, std::size_t i) {
  if (nest.inputs[i].produced) {
    SignCombinations known;
    const TileSigns signs = tileDependences(nest, mapping.tileSize, known)[i];
    const auto early = whyTooEarly(kernel, nest, hw, mapping, signs, i, mapping.inputs[i]);
    if (early)
      return plainError(*early, "every dependence distance must be lexicographically positive");
  }
  const auto options = inputOptions(nest, i, mapping, hw, asMoved(mapping, i));
  if (std::ranges::find(options, mapping.inputs[i]) != options.end()) return std::nullopt;
  if (const auto reason = whyRotationFails(nest, mapping, tiling, i)) {
    return plainError(
        fmt::format("the tiles of {} cannot rotate: {}", nest.inputs[i].name, *reason),
        "`multicast` and `stream` have fewer conditions");
  }
  return plainError(
      fmt::format("the movement of {} is not possible in this mapping", nest.inputs[i].name),
      "it may be shared only along dimensions whose loop it does not depend on, "
      "transferred only directly inside a loop it depends on, stay in a shared buffer only "
      "where the hardware has one, outside of a direct or multicast transfer, and have one copy "
      "only for cores that share a local memory");
}

std::optional<base::Diagnostic> wrongOutput(const kernel::TileNest& nest,
                                            const hardware::Topology& hw, const Mapping& mapping,
                                            std::size_t i) {
  Constraints itsLayout;  // and its shared buffers
  Constraints::Output& said = itsLayout.outputs[static_cast<int>(i)];
  said.layout = mapping.outputs[i].layout;
  said.reduction = mapping.outputs[i].reduction;
  for (std::size_t k = 0; k < hardware::kMostSharedBuffers; ++k) {
    if (mapping.outputs[i].sharedBuffers[k] > 0) said.sharedBuffers[k].isUsed = true;
  }
  const auto options = outputOptions(nest, i, mapping, hw, itsLayout);
  if (std::ranges::find(options, mapping.outputs[i]) != options.end()) return std::nullopt;
  return plainError(
      fmt::format("the movement of {} is not possible in this mapping", nest.outputs[i].name),
      "partial results are reduced exactly when a reduction is split in space; a ring has one "
      "dimension, and nothing follows the sums in it");
}

void checkMemories(const kernel::TileNest& nest, const hardware::Topology& hw,
                   const Mapping& mapping, const Tiling& tiling, Diagnostics& errors) {
  const std::int64_t bytes = localMemoryBytes(nest, mapping, tiling, hw);
  if (bytes > hw.local().bytes) {
    errors.push_back(plainError(
        fmt::format("the mapping needs {} bytes of local memory, {} has {}", bytes,
                    hw.local().sharedBy == 1 ? "a core"
                                             : fmt::format("an instance of {}", hw.local().name),
                    hw.local().bytes),
        "smaller tiles, transfers further inside, or single buffers"));
  }
  const std::size_t full = overfullSharedBuffer(nest, mapping, tiling, hw);
  if (full < hw.sharedBuffers().size()) {
    const hardware::SharedBuffer& buffer = hw.sharedBuffer(full);
    errors.push_back(plainError(
        fmt::format("the mapping needs {} bytes of an instance of {}, which has {}",
                    sharedBufferBytes(full, nest, mapping, tiling, hw), buffer.name, buffer.bytes),
        "smaller tiles, transfers into it further inside, or single buffers"));
  }
}

}  // namespace

Diagnostics checkMapping(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                         const hardware::Topology& hw, const Mapping& mapping) {
  Diagnostics errors = checkShape(kernel, nest, hw, mapping);
  if (!errors.empty()) return errors;
  checkWholeLoops(kernel, nest, mapping, errors);
  if (!keepsTies(nest, mapping.tileSize)) {
    errors.push_back(plainError("loops that index one dimension of an output differ in tile size",
                                "give them one tile size"));
    return errors;
  }
  const Tiling tiling = tilingOf(mapping, kernel, hw);
  checkShares(kernel, nest, tiling, errors);
  if (!errors.empty()) return errors;
  if (auto wrong = wrongPlacement(kernel, nest, hw, mapping, tiling)) return {std::move(*wrong)};
  if (!isOrder(nest, tiling, mapping.order)) {
    return {plainError("the temporal order is not one of the loops with more than one trip, or "
                       "moves a sequential loop")};
  }
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    if (auto wrong = wrongInput(kernel, nest, hw, mapping, tiling, i))
      errors.push_back(std::move(*wrong));
  }
  for (std::size_t i = 0; i < nest.outputs.size(); ++i) {
    if (auto wrong = wrongOutput(nest, hw, mapping, i)) errors.push_back(std::move(*wrong));
  }
  checkAllReduces(nest, mapping, errors);
  checkLayouts(nest, mapping, errors);
  if (errors.empty()) checkMemories(nest, hw, mapping, tiling, errors);
  return errors;
}

}  // namespace gridloom::mapping
