// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/constraints.h"
#include "mapping/dependences.h"
#include "mapping/mapping.h"

namespace gridloom::mapping {

/// The axes of the mapping space, each as the list of its choices. A point of the space is one
/// choice of each; directives shorten the lists. Choices that would describe the same execution
/// stand in them once:
/// - a loop with one tile is never spatial and never appears in the temporal order;
/// - a transfer stands directly inside a loop it depends on: further in, it would repeat the same
///   bytes into the same buffer ("hoisting" in TL: Li et al., 2025, Sec. 2.3).
/// Tensors have the page-interleaved layout, or the nearest-channel layout where it can help: no
/// other core loads the tile, and the cores that load are spread over the channels. The
/// tile-interleaved layout loads the machine as pages do and makes each transfer slower, so only
/// directives choose it, as they do the local layout.
///
/// Only directives choose a ring all-gather. It reads what a multicast along its dimension reads,
/// sends in n - 1 rounds, each with its setup. Offered everywhere, it makes the exhaustive search
/// of a gemm of 4096 on a Wormhole execute 31% more instructions, and no built-in machine tried
/// (six, gemm of 1024) has a faster best mapping by it. Nor is a ring reduce-scatter offered.
///
/// Restrictions of the space:
/// - Loops with state that has no associative combine (TileNest::noMerge) are not spatial, nor are
///   sums whose result other elements of the output need.
/// - A two-pass reduction is spatial only under the conditions of kernel/loop_shares.h.
/// - An input may go through any of the shared buffers between global and local memory, where lines
///   of the mesh share their instances, with direct or multicast movement: its tiles are
///   loaded into one at one level, and go on at the same level or further inside. Finished
///   tiles may go through one (or more, by directives), one after the other. Outputs whose
///   reduction is split in space are neither gathered nor go through any.
/// - Cores of whole lines that share a local memory may hold one copy of an input there. The core
///   at coordinate 0 receives the tile by any movement, the others read it in place. Capacity is
///   counted per memory, over the cores that work in it. Inputs from a shared buffer, in local
///   layout, or made by the kernel have no shared copy. Outputs have none either: their partial
///   results go through the port of the memory. A local memory shared in another way is divided
///   into equal parts.
/// - A ring needs all its cores in every round. An all-gather is legal where no wave of the loop
///   along it leaves cores of a line without a tile while others have one, with a tile that every
///   iteration needs, interleaved over the channels, into memories of the cores' own.
/// - At most kMostPlacements placements, unless directives pin some.

/// Which loop each mesh dimension carries, and the tiling order of the dimensions.
struct SpaceChoice {
  std::vector<LoopId> space;
  std::vector<std::uint8_t> dimOrder;
};

/// Meshes of many dimensions have too many placements to list.
inline constexpr std::size_t kMostPlacements = 100'000;

struct Axes {
  /// Per loop of the kernel: tile sizes, ascending. Powers of two times the intrinsic's size, the
  /// whole extent, and the even shares over the mesh's dimensions (rounded up to the intrinsic).
  std::vector<std::vector<std::int64_t>> tileSizes;
  /// Every assignment of at most one loop to each dimension; both tiling orders when two dimensions
  /// carry the same loop. Loops whose partial results can be reduced are included
  /// (mapping/partials.h: isJoined).
  std::vector<SpaceChoice> spaces;
  bool tooManySpaces = false;  ///< more than kMostPlacements; then none is listed
};

/// `intrinsic` is the matrix unit's m, n, k (1 where the hardware has none), `lanes` the vector
/// unit's width.
Axes makeAxes(const kernel::Kernel& kernel, const kernel::TileNest& nest,
              const hardware::Topology& hw, const std::int64_t intrinsic[3], std::int64_t lanes,
              const Constraints& constraints);

/// The unit of a loop's tile sizes: the intrinsic's size where the loop is the last of a role of a
/// contraction (a role of several loops is one product); the lanes where it is the innermost loop
/// of all vector work over it; else one element.
std::int64_t tileSizeUnit(const kernel::TileNest& nest, LoopId loop,
                          const std::int64_t intrinsic[3], std::int64_t lanes);

/// Whether a placement is one of Axes::spaces, without listing them.
bool isPlacement(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                 const hardware::Topology& hw, const SpaceChoice& choice);

/// Whether a dimension carries a loop but has work at one coordinate only: the execution is the
/// same as with the dimension unused.
bool isRedundant(const Mapping& mapping, const Tiling& tiling, const hardware::Topology& hw);

/// Legal temporal orders of the loops with more than one trip; sequential loops keep their order.
std::vector<std::vector<LoopId>> ordersOf(const kernel::TileNest& nest, const Tiling& tiling,
                                          const Constraints& constraints);

/// Whether an order is one of ordersOf without constraints, without listing them.
bool isOrder(const kernel::TileNest& nest, const Tiling& tiling, const std::vector<LoopId>& order);

/// The kinds of movement of a tile that cores along `dims` share, with dimensions; at level 0,
/// with one buffer.
std::vector<InputMovement> movementsAlong(DimMask dims, const hardware::Topology& hw);

/// Movements of an input; `mapping` has its tile sizes, space, dimOrder and order set. A produced
/// operand is direct, stationary or forwarded, and only as its dependences allow. They are computed
/// from the mapping's tile sizes when `dependences` is null. `tooEarly` counts the movements with a
/// violated dependence.
std::vector<InputMovement> inputOptions(const kernel::TileNest& nest, std::size_t input,
                                        const Mapping& mapping, const hardware::Topology& hw,
                                        const Constraints& constraints,
                                        const TileDependences* dependences = nullptr,
                                        std::int64_t* tooEarly = nullptr);
std::vector<OutputMovement> outputOptions(const kernel::TileNest& nest, std::size_t output,
                                          const Mapping& mapping, const hardware::Topology& hw,
                                          const Constraints& constraints);

/// Point number `seed` of the space in a fixed pseudo-random order. It is legal and fits the local
/// memory. None when `tries` draws do not fit.
std::optional<Mapping> sampleMapping(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                     const hardware::Topology& hw, const Axes& axes,
                                     const Constraints& constraints, std::uint64_t seed,
                                     int tries = 200);

/// Whether a mapping from outside (a file) is a legal point for this kernel and machine. Tile sizes
/// are free. Errors name the constraint and what is allowed; capacity is one of them.
base::Diagnostics checkMapping(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                               const hardware::Topology& hw, const Mapping& mapping);

/// Whether directives admit a mapping that `checkMapping` accepts. Tile sizes they leave free are
/// free.
bool isAdmitted(const kernel::TileNest& nest, const hardware::Topology& hw, const Mapping& mapping,
                const Constraints& constraints);

}  // namespace gridloom::mapping
