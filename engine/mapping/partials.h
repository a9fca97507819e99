// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mapping/mapping.h"

namespace gridloom::mapping {

/// Whether what cores make of their shares of a loop's tiles can be joined at the end: sums of a reduction that no
/// other element of an output needs before, or state that runs along the loop and has a rule (kernel/state_merge.h).
bool isJoined(const kernel::TileNest& nest, LoopId loop);

/// What a core sends of its partial results where such a loop is split in space. The core at coordinate 0 of
/// the split dimensions joins them, and does there what follows the loop.
///
/// The reduction runs along one split dimension after the other, the last one first, as chains or
/// as trees. On rings with links in one direction only, chains run upwards and close at coordinate
/// 0. Inputs that nothing else needs than what follows the loop are loaded at coordinate 0 alone. A
/// message holds all sums of one output scope, in the output's tile and in local tensors, in their
/// own element types.
struct Partials {
  bool tile = false;                ///< sums in the tile of the output itself
  std::vector<std::size_t> locals;  ///< sums beside it, or states, per TileNest::locals
  bool any() const { return tile || !locals.empty(); }
};

/// The partial results that travel with an output. Sums in local tensors travel with the first one, and so does state.
Partials partialsOf(const kernel::TileNest& nest, const kernel::Operand& output);

/// Bytes of one message of them: as often as an output is written.
std::int64_t partialBytes(const kernel::TileNest& nest, const kernel::Operand& output,
                          const Tiling& tiling, const std::vector<LoopId>& order);
std::int64_t localElements(const kernel::LocalBuffer& local, const Tiling& tiling);

/// Dimensions along which only the core at coordinate 0 writes an output, or uses an input: the split ones,
/// for outputs and for inputs of what follows the reduction.
DimMask finishingDims(const kernel::TileNest& nest, const kernel::Operand& operand,
                      const Mapping& mapping);

/// Why the tiles of a loop, or shares of it (mapping/all_reduce.h), cannot be dealt to the cores along a mesh dimension; nothing where they can.
std::optional<std::string> whyNotInSpace(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                         LoopId loop);

}  // namespace gridloom::mapping
