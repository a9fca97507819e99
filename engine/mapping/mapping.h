// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/tensor_layout.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"

namespace gridloom::mapping {

using kernel::LoopId;

using hardware::DimMask;
using hardware::kLayoutNames;
using hardware::TensorLayout;

/// How the tile of an input reaches the cores that use the same tile (TL: Li et al., 2025, Section
/// 2.3).
enum class MovementKind : std::uint8_t {
  Direct,      ///< every core loads it from global memory itself
  Multicast,   ///< one core per group loads it, then one multicast along `along` (a tree in 2-D)
  TwoStage,    ///< multicast along `first`, then each receiver along the other dimension
  Stream,      ///< systolic: one core loads it, then from neighbour to neighbour along a dimension
  Stationary,  ///< a produced operand: its tiles are read in the core that makes them
  Forwarded,   ///< a produced operand: every core receives it from its producer cores
  /// ring all-gather: every core of a line along `along` loads one share of the tile, then passes
  /// the shares to its next neighbour, round by round, until all have the whole tile
  AllGather,
  Rotate,  ///< every core of a line loads a tile, then the tiles travel round (rotation.h)
};

/// Use of a shared buffer by the tiles of an input. They enter it at one hoist level, from global
/// memory or from the next shared buffer outwards that they use, and leave it at the same hoist
/// level or further inside.
struct SharedBufferUse {
  /// Number of temporal loops outside the transfer into it; kNone: tiles do not use it.
  std::int8_t level = kNone;
  std::uint8_t buffers = 1;
  /// Mesh dimensions along which one multicast takes a tile from here to the next shared buffer
  /// inwards that the operand uses; 0 for the innermost one, which the movement's own leaves.
  std::uint8_t along = 0;
  static constexpr std::int8_t kNone = -1;
  bool isUsed() const { return level != kNone; }
  friend bool operator==(const SharedBufferUse&, const SharedBufferUse&) = default;
};

/// Movement of one input operand.
struct InputMovement {
  MovementKind kind = MovementKind::Direct;
  /// Multicast, TwoStage, Stream, AllGather: the mesh dimensions along which cores share one load.
  /// The cores with coordinate 0 in these dimensions load; in an all-gather, each loads a share.
  /// Rotate: the one along which tiles travel.
  DimMask along = 0;
  /// Multicast, TwoStage: the dimension taken first, for a two-dimensional `along`.
  std::uint8_t first = 0;
  /// Hoist level: number of temporal loops outside the transfer. 0 loads once, order.size() loads
  /// in every iteration. The buffer holds all tiles that the loops inside need.
  std::uint8_t level = 0;
  /// 1 or 2 buffers; with 2, the next transfer runs while the current tile is used.
  std::uint8_t buffers = 1;
  /// Direct, Multicast: by level of Topology::sharedBuffers. The source of this transfer is the
  /// innermost one that is used instead of global memory.
  std::array<SharedBufferUse, hardware::kMostSharedBuffers> sharedBuffers = {};
  bool usesSharedBuffer() const { return nextShared(-1) >= 0; }
  /// The next shared buffer outwards that is used, from `inner` (-1: the cores); -1: none,
  /// its tiles come from global memory.
  int nextShared(int inner) const;
  /// Dimensions along which cores use one copy of a tile in a shared buffer: those of all
  /// multicasts between it and the cores.
  DimMask sharedAlong(int level) const;
  TensorLayout layout = TensorLayout::PageInterleaved;
  /// Dimensions along which cores share a local memory and one copy of the tile in it: the core at
  /// coordinate 0 receives the tile by the movement's kind, the others read it in place.
  DimMask shared = 0;
  friend bool operator==(const InputMovement&, const InputMovement&) = default;
};

enum class ReductionTopology : std::uint8_t {
  None,   ///< no reduction is split in space
  Chain,  ///< partial results go from neighbour to neighbour to coordinate 0
  Tree,   ///< partial results are reduced in pairs, in ceil(log2 n) rounds
  /// shares of partial results go around a ring, each reduced in every core; every core ends with
  /// one finished share, and stores it
  ReduceScatter,
};

/// Names of reductions in directives, schedules and results, by ReductionTopology.
inline constexpr std::array<std::string_view, 4> kReductionNames{"none", "chain", "tree",
                                                                 "reduce_scatter"};

/// Movement of one output operand.
struct OutputMovement {
  ReductionTopology reduction = ReductionTopology::None;
  /// Mesh dimension along which finished tiles are sent to coordinate 0, which writes them; -1:
  /// every core writes its own.
  std::int8_t gather = -1;
  std::uint8_t buffers = 1;
  TensorLayout layout = TensorLayout::PageInterleaved;
  /// By level of Topology::sharedBuffers: buffers there through which a finished tile goes towards
  /// global memory; 0: it does not use that one.
  std::array<std::uint8_t, hardware::kMostSharedBuffers> sharedBuffers = {};
  bool usesSharedBuffer() const { return nextShared(-1) >= 0; }
  /// The next shared buffer outwards that is used, from `inner` (-1: the cores); -1: none.
  int nextShared(int inner) const;
  friend bool operator==(const OutputMovement&, const OutputMovement&) = default;
};

/// One mapping of one kernel on one hardware. The axes of `space.h` hold the legal ones; one that
/// comes from outside goes through `checkMapping`.
///
/// Its semantics, for the cost model and the schedule alike:
/// - Tiles of a spatial loop are assigned cyclically: tile = wave * unroll + position. Coordinate 0
///   has work whenever any coordinate has, and at edge tiles it has the most.
/// - The cores with coordinate 0 along the shared dimensions load. A multicast is
///   store-and-forward per tile: it starts when the tile is complete. A stream goes from neighbour
///   to neighbour, a hop later each.
/// - Each operand has one process, which loads and then sends. Two buffers let it overlap with
///   compute.
/// - A transfer takes its setup, the latency of its route, and its bytes at the bandwidth that
///   other transfers leave.
/// - A ring of n cores divides a tile into n contiguous shares of equal size, in the order of the
///   tensor's elements; the last ones may be smaller or empty. Each core is a round ahead of what
///   its next neighbour receives, and the last core's next neighbour is the first.
/// - Neighbouring tiles of a tensor start at successive memory channels along every dimension.
/// - A tensor has one layout for all its windows. In local layout its tiles are distributed evenly
///   over the cores that share them. Loads then take no time; sends start at the first core of the
///   line, whichever core holds the tile; each core's part counts against its capacity.
/// - The output scope is everything inside the outermost temporal loop that is not a loop of the
///   outputs: accumulators live through it. State along a loop of outputs lives from scope to
///   scope.
struct Mapping {
  /// Elements per tile, per loop of the kernel.
  std::vector<std::int64_t> tileSize;
  /// Per mesh dimension: the loop unrolled over its cores, or none (only coordinate 0 works).
  std::vector<LoopId> space;
  /// Mesh dimensions in the order of tiling, outermost first; matters when two carry the same loop:
  /// tile = (wave * size[first] + coordinate[first]) * size[second] + coordinate[second].
  std::vector<std::uint8_t> dimOrder;
  /// Temporal tile loops with more than one trip, outermost first.
  std::vector<LoopId> order;
  std::vector<InputMovement> inputs;    ///< per TileNest::inputs
  std::vector<OutputMovement> outputs;  ///< per TileNest::outputs
  /// Per TileNest::allReduces; None where no all-reduce is needed.
  std::vector<ReductionTopology> allReduces;
  friend bool operator==(const Mapping&, const Mapping&) = default;
};

/// Numbers that follow from a mapping's tile sizes and space, per loop of the kernel.
struct LoopTiling {
  std::int64_t extent = 1;    ///< elements
  std::int64_t tileSize = 1;  ///< elements per tile
  std::int64_t tiles = 1;     ///< ceil(extent / tileSize)
  std::int64_t unroll = 1;    ///< cores the loop is unrolled over
  std::int64_t trips = 1;     ///< ceil(tiles / unroll): waves
};

/// A mapping with everything that follows from it, shared by cost, lowering and display.
struct Tiling {
  std::vector<LoopTiling> loops;        ///< per loop of the kernel
  std::vector<std::int64_t> tileSizes;  ///< elements per tile, per loop
  /// Per mesh dimension: how many of its coordinates have work (1 where it carries no loop).
  std::vector<std::int64_t> active;

  /// Position of a core among the `unroll` cores of a loop; `coordinates` per mesh dimension.
  static std::int64_t unrollIndexOf(const Mapping& mapping, const hardware::Topology& hw,
                                    LoopId loop, const std::int64_t* coordinates);
  std::int64_t tileOf(LoopId loop, std::int64_t wave, std::int64_t way) const {
    return wave * loops[loop.index()].unroll + way;
  }
  /// Elements along each loop that all cores move together in one transfer, with the loops of the
  /// set `outside` around it.
  std::vector<std::int64_t> extentsTogether(std::uint64_t outside) const;
  /// Elements of a tile: the tile size, fewer for an edge tile, 0 past the end.
  std::int64_t elementsOf(LoopId loop, std::int64_t tile) const;
};
Tiling tilingOf(const Mapping& mapping, const kernel::Kernel& kernel, const hardware::Topology& hw);

std::vector<std::int64_t> activeExtents(const Mapping& mapping, const Tiling& tiling,
                                        const hardware::Topology& hw);

/// Mesh dimensions along which an operand's tile is the same for all cores: those that carry a loop
/// it does not depend on. Dimensions that carry no loop are excluded: only coordinate 0 works
/// there.
DimMask sharedDims(const kernel::Operand& operand, const Mapping& mapping);

/// Dimensions that carry a loop whose partial results need a reduction along them.
DimMask splitDims(const kernel::TileNest& nest, const Mapping& mapping);

/// Number of temporal loops outside the level at which outputs are finished and written: everything
/// from the outermost temporal loop inward that is not an output loop belongs to one output scope.
int outputLevel(const kernel::TileNest& nest, const std::vector<LoopId>& order);

/// Bytes of an operand's tiles that one transfer at `level` moves: all tiles that the loops from
/// that level inward need. `level`: number of temporal loops outside.
std::int64_t tileBytes(const kernel::Operand& operand, const Tiling& tiling,
                       const std::vector<LoopId>& order, int level);
std::int64_t localBufferBytes(const kernel::TileNest& nest, const kernel::LocalBuffer& local,
                              const Tiling& tiling, const std::vector<LoopId>& order);
/// Bytes of a tensor in local layout that a core holds beside its buffers: for an input, the tiles
/// the core loads over the whole kernel, divided evenly among the cores that share them; for an
/// output, what its buffers do not hold.
std::int64_t residentBytes(const kernel::Operand& operand, const InputMovement& movement,
                           const Tiling& tiling);
std::int64_t residentBytes(const kernel::TileNest& nest, const kernel::Operand& operand,
                           const OutputMovement& movement, const Tiling& tiling,
                           const std::vector<LoopId>& order);
/// Number of iterations of the outermost temporal loop for which a core holds its forwarded tiles:
/// two where a transfer in one iteration reads nothing older than the previous one, else all.
std::int64_t heldIterations(const kernel::Operand& window, const InputMovement& movement,
                            const Tiling& tiling, const std::vector<LoopId>& order);
/// Bytes of an output's tiles held for `iterations` iterations.
std::int64_t heldBytes(const kernel::Operand& output, std::int64_t iterations, const Tiling& tiling,
                       const std::vector<LoopId>& order);
/// The maximum over all windows that forward an output; 0 when there is none.
std::int64_t heldIterations(const kernel::TileNest& nest, const Mapping& mapping,
                            const Tiling& tiling, const kernel::Operand& output);
/// Moves `coordinates` to the core through which tiles from a shared buffer enter a group of
/// cores; that core's instance holds them. `coordinates` are those of the group's core at 0 along
/// `along`. Where several instances are possible, groups are assigned to them cyclically.
void moveToEntry(const hardware::SharedBuffer& buffer, std::span<const std::int64_t> active,
                 DimMask along, std::span<std::int64_t> coordinates);
/// Groups of cores, one per tile shared along `along`, that enter through the fullest instance of
/// a shared buffer.
std::int64_t groupsPerInstance(const hardware::SharedBuffer& buffer,
                               std::span<const std::int64_t> active, DimMask along);

/// Parts of the line below, such as `i->x j->y` and `multicast y`.
std::string describePlacement(const kernel::Kernel& kernel, const hardware::Topology& hw,
                              const Mapping& mapping);
std::string describeMovement(const kernel::Kernel& kernel, const hardware::Topology& hw,
                             const InputMovement& movement);

/// One readable line: placement | tile sizes | loop order | movements.
std::string describe(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                     const hardware::Topology& hw, const Mapping& mapping);

}  // namespace gridloom::mapping
