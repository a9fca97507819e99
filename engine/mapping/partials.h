// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mapping/mapping.h"

namespace gridloom::mapping {

/// Whether partial results of a loop's shares can be reduced at the end: sums that no other element
/// of an output needs earlier, or loop-carried state with an associative combine
/// (kernel/state_merge.h).
bool isJoined(const kernel::TileNest& nest, LoopId loop);

/// Partial results that a core sends where such a loop is split in space. The core at coordinate 0
/// of the split dimensions combines them and runs the epilogue.
///
/// The reduction runs along one split dimension after the other, the last one first, as chains or
/// as trees. On rings with links in one direction only, chains run upwards and close at coordinate
/// 0. Inputs that only the epilogue needs are loaded at coordinate 0 alone. A message holds all
/// sums of one output scope, in the output's tile and in local tensors, in their own element types.
struct Partials {
  bool tile = false;                ///< sums in the tile of the output itself
  std::vector<std::size_t> locals;  ///< sums in local tensors, or state, per TileNest::locals
  bool any() const { return tile || !locals.empty(); }
};

/// The partial results that travel with an output. Sums in local tensors and state travel with the
/// first output.
Partials partialsOf(const kernel::TileNest& nest, const kernel::Operand& output);

/// Bytes of one message of partial results; there is one per write of the output.
std::int64_t partialBytes(const kernel::TileNest& nest, const kernel::Operand& output,
                          const Tiling& tiling, const std::vector<LoopId>& order);
std::int64_t localElements(const kernel::LocalBuffer& local, const Tiling& tiling);

/// Bytes of one of the shares, of whole elements, into which a ring of cores divides a tile.
std::int64_t shareBytes(kernel::DType dtype, std::int64_t bytes, std::int64_t cores);

/// Dimensions along which only the core at coordinate 0 writes an output or uses an input: the
/// split ones, for outputs and for inputs of the epilogue.
DimMask finishingDims(const kernel::TileNest& nest, const kernel::Operand& operand,
                      const Mapping& mapping);

/// Why a loop, or shares of it (mapping/all_reduce.h), cannot be unrolled over a mesh dimension;
/// nothing when it can.
std::optional<std::string> whyNotInSpace(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                         LoopId loop);

}  // namespace gridloom::mapping
