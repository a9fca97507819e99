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
  Forwarded,   ///< a produced operand: every core takes it from the cores that make it
};

/// Where the tiles of an input stay on their way: in the memory between global memory and the cores. They are
/// loaded into it at one level and go from there to the cores at another, further inside.
struct SharedBufferUse {
  /// Number of temporal loops outside the load into the middle memory; kNone: tiles do not pass it.
  std::int8_t level = kNone;
  std::uint8_t buffers = 1;
  static constexpr std::int8_t kNone = -1;
  friend bool operator==(const SharedBufferUse&, const SharedBufferUse&) = default;
};

/// Movement of one input operand.
struct InputMovement {
  MovementKind kind = MovementKind::Direct;
  /// Multicast, Staged, Stream: the mesh dimensions along which cores share one load. The cores with
  /// coordinate 0 in these dimensions are the ones that load.
  DimMask along = 0;
  /// Multicast, Staged: dimension taken first, for a two-dimensional `along`.
  std::uint8_t first = 0;
  /// Number of temporal loops outside the transfer: 0 loads once (stationary), order.size() loads in every
  /// iteration. The buffer holds all tiles the loops inside need.
  std::uint8_t level = 0;
  /// 1 or 2 buffers; with 2, the next transfer runs while the current tile is used.
  std::uint8_t buffers = 1;
  /// Direct, Multicast: the middle memory's instance takes the place of the global memory for this transfer.
  SharedBufferUse sharedBuffer = {};
  bool usesSharedBuffer() const { return sharedBuffer.level != SharedBufferUse::kNone; }
  TensorLayout layout = TensorLayout::PageInterleaved;
  /// Dimensions along which cores share a local memory and one copy of the tile in it: the core at coordinate 0
  /// gets the tile as the spread says, the others read it where it lies.
  DimMask shared = 0;
  friend bool operator==(const InputMovement&, const InputMovement&) = default;
};

enum class ReductionTopology : std::uint8_t {
  None,   ///< nothing to join: no reduction is split in space
  Chain,  ///< partial results go from neighbour to neighbour to coordinate 0
  Tree,   ///< partial results meet in pairs, in ceil(log2 n) rounds
};

/// Names of combinations in directives, schedules and results, by ReductionTopology.
inline constexpr std::array<std::string_view, 3> kReductionNames{"none", "chain", "tree"};

/// Movement of one output operand.
struct OutputMovement {
  ReductionTopology reduction = ReductionTopology::None;
  /// Mesh dimension along which finished tiles are sent to coordinate 0, which writes them; -1: every
  /// core writes its own.
  std::int8_t gather = -1;
  std::uint8_t buffers = 1;
  TensorLayout layout = TensorLayout::PageInterleaved;
  /// Buffers of the middle memory that a finished tile passes, one after the other, on its way to global
  /// memory; 0: it goes there at once.
  std::uint8_t sharedBuffer = 0;
  bool usesSharedBuffer() const { return sharedBuffer > 0; }
  friend bool operator==(const OutputMovement&, const OutputMovement&) = default;
};

/// One mapping of one kernel on one hardware. The axes of `space.h` hold the legal ones; one that
/// comes from outside goes through `checkMapping`.
///
/// What it means, to the cost model and to the schedule alike:
///  - Tiles of a spatial loop are assigned cyclically: tile = wave * ways + position. Coordinate 0
///    has work whenever any coordinate has, and at edge tiles it has the most.
///  - The cores with coordinate 0 along the shared dimensions load. A multicast is
///    store-and-forward per tile: it starts when the tile is there. A stream goes from neighbour to
///    neighbour, a hop later each.
///  - Each operand has one process, which loads and then sends. Two buffers let it run beside
///    compute.
///  - A transfer takes its setup, the latency of its route, and its bytes at the bandwidth that
///    other transfers leave.
///  - Neighbouring tiles of a tensor start at successive memory channels along every dimension.
///  - A tensor has one layout for all its windows. In local memory its tiles are spread evenly over
///    the cores that share them. Loads then take no time; sends start at the first core of the
///    line, whoever holds the tile; each core's part counts against its capacity.
///  - The output scope is everything inside the outermost non-parallel temporal loop: accumulators
///    live through it.
struct Mapping {
  /// Elements per tile, per loop of the kernel.
  std::vector<std::int64_t> tileSize;
  /// Per mesh dimension: the loop whose tiles are dealt to its cores, or none (only coordinate 0 works).
  std::vector<LoopId> space;
  /// Mesh dimensions in the order of tiling, outermost first; matters when two carry the same loop:
  /// tile = (wave * size[first] + coordinate[first]) * size[second] + coordinate[second].
  std::vector<std::uint8_t> dimOrder;
  /// Temporal tile loops with more than one trip, outermost first.
  std::vector<LoopId> order;
  std::vector<InputMovement> inputs;    ///< per TileNest::inputs
  std::vector<OutputMovement> outputs;  ///< per TileNest::outputs
  /// Per TileNest::allReduces; None where no core has a share only.
  std::vector<ReductionTopology> allReduces;
  friend bool operator==(const Mapping&, const Mapping&) = default;
};

/// Numbers that follow from a mapping's blocks and space, per loop of the kernel.
struct LoopTiling {
  std::int64_t extent = 1;    ///< elements
  std::int64_t tileSize = 1;  ///< elements per tile
  std::int64_t tiles = 1;     ///< ceil(extent / block)
  std::int64_t unroll = 1;    ///< cores the loop's tiles are dealt to
  std::int64_t trips = 1;     ///< ceil(tiles / ways): waves
};

/// A mapping with everything that follows from it, shared by cost, lowering and display.
struct Tiling {
  std::vector<LoopTiling> loops;        ///< per loop of the kernel
  std::vector<std::int64_t> tileSizes;  ///< of these: elements per tile
  /// Per mesh dimension: how many of its coordinates have work (1 where it carries no loop).
  std::vector<std::int64_t> active;

  /// Position of a core among the `ways` of a loop; coordinates per mesh dimension.
  static std::int64_t unrollIndexOf(const Mapping& mapping, const hardware::Topology& hw,
                                    LoopId loop, const std::int64_t* coordinates);
  std::int64_t tileOf(LoopId loop, std::int64_t wave, std::int64_t way) const {
    return wave * loops[loop.index()].unroll + way;
  }
  /// Elements of a tile: the block, less at the ragged edge, 0 past the end.
  std::int64_t elementsOf(LoopId loop, std::int64_t tile) const;
};
Tiling tilingOf(const Mapping& mapping, const kernel::Kernel& kernel, const hardware::Topology& hw);

std::vector<std::int64_t> activeExtents(const Mapping& mapping, const Tiling& tiling,
                                        const hardware::Topology& hw);

/// Mesh dimensions along which an operand's tile is the same for all cores: those that carry a loop it
/// does not depend on. Those that carry none are not among them: only coordinate 0 works there.
DimMask sharedDims(const kernel::Operand& operand, const Mapping& mapping);

/// Dimensions that carry a loop whose partial results must be joined along them.
DimMask splitDims(const kernel::TileNest& nest, const Mapping& mapping);

/// Number of temporal loops outside the place where outputs are finished and written: everything from
/// the outermost non-parallel temporal loop inward belongs to one output scope.
int outputLevel(const kernel::TileNest& nest, const std::vector<LoopId>& order);

/// Bytes of local memory per core for one operand, its buffers counted. An input in local memory that every
/// core loads for itself is used where it lies and needs none; an output there is one buffer for all its
/// tiles.
std::int64_t inputBufferBytes(const kernel::Operand& operand, const InputMovement& movement,
                              const Tiling& tiling, const std::vector<LoopId>& order);
std::int64_t outputBufferBytes(const kernel::TileNest& nest, const kernel::Operand& operand,
                               const OutputMovement& movement, const Tiling& tiling,
                               const std::vector<LoopId>& order);
std::int64_t localBufferBytes(const kernel::TileNest& nest, const kernel::LocalBuffer& local,
                              const Tiling& tiling, const std::vector<LoopId>& order);
/// Bytes of a tensor that live in a core's local memory (TensorLayout::Local) beside its buffers: the tiles the core
/// loads over the whole kernel, dealt evenly to those that share them; what an output's buffers do not hold.
std::int64_t residentBytes(const kernel::Operand& operand, const InputMovement& movement,
                           const Tiling& tiling);
std::int64_t residentBytes(const kernel::TileNest& nest, const kernel::Operand& operand,
                           const OutputMovement& movement, const Tiling& tiling,
                           const std::vector<LoopId>& order);
/// Tiles that are passed on stay in the core that made them, those of so many iterations of the outermost temporal
/// loop: of two, where a transfer in one iteration reads nothing older than the one before it; else of all.
std::int64_t heldIterations(const kernel::Operand& window, const InputMovement& movement,
                            const Tiling& tiling, const std::vector<LoopId>& order);
/// Bytes of an output's tiles that stay so for `iterations` of them.
std::int64_t heldBytes(const kernel::Operand& output, std::int64_t iterations, const Tiling& tiling,
                       const std::vector<LoopId>& order);
/// For all windows together through which an output is passed on; 0 when there is none.
std::int64_t heldIterations(const kernel::TileNest& nest, const Mapping& mapping,
                            const Tiling& tiling, const kernel::Operand& output);
/// All of them together, in the fullest local memory: the buffers of all cores that share it, and once those of
/// operands of which they share one copy.
std::int64_t localMemoryBytes(const kernel::TileNest& nest, const Mapping& mapping,
                              const Tiling& tiling, const hardware::Topology& hw);

/// The core through which tiles from the middle memory enter a group of cores that share them; its instance
/// holds them. `coordinates` are those of the group's core at 0 along `along`. Along dimensions with an
/// instance each, groups that could enter anywhere are dealt to the instances in turn.
void moveToEntry(const hardware::Topology& hw, std::span<const std::int64_t> active, DimMask along,
                 std::span<std::int64_t> coordinates);
/// Bytes of the fullest instance of the middle memory for one operand, its buffers counted.
std::int64_t sharedBufferBytes(const kernel::Operand& operand, const InputMovement& movement,
                               const Tiling& tiling, const std::vector<LoopId>& order,
                               const hardware::Topology& hw, std::span<const std::int64_t> active);
/// The same for an output, of which every core has its own tile there.
std::int64_t sharedBufferBytes(const kernel::TileNest& nest, const kernel::Operand& operand,
                               const OutputMovement& movement, const Tiling& tiling,
                               const std::vector<LoopId>& order, const hardware::Topology& hw,
                               std::span<const std::int64_t> active);
/// Of all operands together.
std::int64_t totalSharedBufferBytes(const kernel::TileNest& nest, const Mapping& mapping,
                                    const Tiling& tiling, const hardware::Topology& hw);

/// `i->x j->y`, and `mcast y`: parts of the line below.
std::string describePlacement(const kernel::Kernel& kernel, const hardware::Topology& hw,
                              const Mapping& mapping);
std::string describeMovement(const kernel::Kernel& kernel, const hardware::Topology& hw,
                             const InputMovement& movement);

/// One readable line: `i/x j/y | block i128 j128 k512 | order j i k | A mcast y @k x2, B mcast x @k x2, C`
std::string describe(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                     const hardware::Topology& hw, const Mapping& mapping);

}  // namespace gridloom::mapping
