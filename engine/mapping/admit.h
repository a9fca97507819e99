// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/constraints.h"

namespace gridloom::mapping {

/// Whether directives admit a choice of one axis: it agrees with everything they pin and with
/// nothing they exclude.

bool contains(const std::vector<TileSizeRange>& sizes, std::int64_t size);

bool admitsTileSize(const Constraints& constraints, LoopId loop, std::int64_t size);
bool admitsSpace(const Constraints& constraints, const std::vector<LoopId>& space,
                 const std::vector<std::uint8_t>& dimOrder);
bool admitsOrder(const Constraints& constraints, const std::vector<LoopId>& order);
bool admitsMovement(const Constraints& constraints, std::size_t input, MovementKind kind,
                    DimMask along, std::uint8_t first);
/// `level` counts temporal loops outside the transfer; `deepest` is the innermost level it may
/// have.
bool admitsLevel(const Constraints& constraints, std::size_t input, int level, int deepest,
                 const std::vector<LoopId>& order);
bool admitsShared(const Constraints& constraints, std::size_t input, DimMask shared);
bool admitsInputBuffers(const Constraints& constraints, std::size_t input, std::uint8_t buffers);
/// Of the movement, its shared buffers are read.
bool admitsSharedBuffers(const Constraints& constraints, std::size_t input,
                         const InputMovement& movement, const std::vector<LoopId>& order);
bool admitsReduction(const Constraints& constraints, std::size_t output,
                     ReductionTopology reduction);
bool admitsAllReduce(const Constraints& constraints, std::size_t reduce,
                     ReductionTopology reduction);
bool admitsGather(const Constraints& constraints, std::size_t output, int gather);
bool admitsOutputBuffers(const Constraints& constraints, std::size_t output, std::uint8_t buffers);
bool admitsSharedBuffers(const Constraints& constraints, std::size_t output,
                         const OutputMovement& movement);

bool admitsInputLayout(const Constraints& constraints, std::size_t input, TensorLayout layout);
bool admitsOutputLayout(const Constraints& constraints, std::size_t output, TensorLayout layout);

/// The level just outside a loop; the deepest for the invalid id and for a loop that is not in the
/// order.
int levelOutside(LoopId loop, const std::vector<LoopId>& order, int deepest);

/// Whether an exclusion leaves no choice of those that the directives pin on its axis.
bool excludesPinned(const Constraints& exclusion, const Constraints& pinned);

}  // namespace gridloom::mapping
