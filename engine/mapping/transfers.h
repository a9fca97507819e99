// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/fixed_vector.h"
#include "mapping/mapping.h"

namespace gridloom::mapping {

/// Which transfers an operand's movement consists of: who sends what to whom, through which
/// memories, into which buffers. Traffic patterns, schedules, byte counts and the picture
/// of the mesh read this description; nothing else derives it. It holds for all groups of cores at
/// once, so it takes time in the number of mesh dimensions, not of cores, and allocates nothing.

/// The memories between which tiles move: local memory, the shared buffers, global memory.
class Memory {
 public:
  static const Memory Local, Global;
  /// A level of Topology::sharedBuffers.
  static constexpr Memory shared(std::size_t level) {
    return Memory(static_cast<std::uint8_t>(level + 1));
  }
  constexpr bool isShared() const { return m_level > 0 && m_level < kGlobal; }
  /// 0 for local memory, then the shared buffers, innermost first; below 16.
  constexpr std::uint8_t number() const { return m_level; }
  /// Of a shared buffer.
  constexpr std::size_t level() const { return m_level - std::size_t{1}; }
  friend constexpr bool operator==(Memory, Memory) = default;

 private:
  static constexpr std::uint8_t kGlobal = 1 + hardware::kMostSharedBuffers;
  explicit constexpr Memory(std::uint8_t level) : m_level(level) {}
  std::uint8_t m_level;
};
inline constexpr Memory Memory::Local{0}, Memory::Global{Memory::kGlobal};

/// Cores with coordinate 0 along the dimensions of `zero` and another one along at least one of
/// `other` (any coordinates where `other` is empty).
struct CoordinateClass {
  DimMask zero = 0, other = 0;
  friend bool operator==(const CoordinateClass&, const CoordinateClass&) = default;
};

/// One step of an operand's way. The steps of an operand follow each other.
struct TransferStep {
  enum class Kind : std::uint8_t {
    Load,     ///< from an outer memory
    Forward,  ///< from the cores that computed the tile
    /// from one core, or from a shared buffer, to all along `along`, or to their shared buffers
    Multicast,
    Stream,      ///< from neighbour to neighbour along `along`, from coordinate 0 upwards
    SharedCopy,  ///< the others along `along` read the tile in place; no bytes move
    Chain,       ///< partial results from neighbour to neighbour to coordinate 0
    Tree,        ///< partial results in rounds of pairs to coordinate 0
    Gather,      ///< finished tiles of all others along `along` to coordinate 0
    Store,       ///< to an outer memory
    /// shares of a tile to the next neighbour around the line along `along`, in one round less than
    /// it has cores; the Load before it is of one share per core
    AllGather,
    /// From every core along `along` to the next one, and from the last to the first. A round has
    /// as many iterations as the line has cores: in the first one the load before this step takes
    /// place, in the others this step (rotation.h).
    Rotate,
    /// partial results around the line along `along`, share by share; the Store after it is of one
    /// share per core
    ReduceScatter,
  };
  Kind kind = Kind::Load;
  Memory from = Memory::Global, to = Memory::Local;
  /// Only cores with coordinate 0 along these dimensions take part; a tile in a shared buffer
  /// belongs to such a core.
  DimMask zero = 0;
  /// Dimensions that the tile crosses. Cores with coordinate 0 along them send (Multicast, Stream,
  /// SharedCopy) or receive (Chain, Tree, Gather).
  DimMask along = 0;
  std::uint8_t first = 0;     ///< Multicast: the dimension that a two-dimensional tree takes first
  std::int8_t direction = 1;  ///< Stream, Chain: the step between coordinates
  std::uint8_t level = 0;     ///< temporal loops outside
  std::int64_t bytes = 0;     ///< of one transfer of whole tiles

  bool reduces() const {
    return kind == Kind::Chain || kind == Kind::Tree || kind == Kind::ReduceScatter;
  }
  bool isRing() const { return kind == Kind::AllGather || kind == Kind::ReduceScatter; }
  /// Cores that send, or store.
  CoordinateClass sources() const;
  /// Cores that receive, or load. Those of a Multicast from a shared buffer include its source.
  CoordinateClass sinks() const;
};

/// Room for a reduction along every dimension of a mesh and the way back.
using TransferSteps = base::FixedVector<TransferStep, 20>;

/// What a buffer holds. Its `operand` is an index into TileNest::inputs, outputs, locals or
/// allReduces.
enum class BufferUse : std::uint8_t {
  Input,         ///< tiles of an input operand
  Output,        ///< finished (or accumulating) tiles of an output operand
  Partial,       ///< partial results received for reduction
  Gather,        ///< finished tiles received from other cores
  Local,         ///< loop-carried state and local tensors; never transferred
  Stationary,    ///< tiles that are used in the core that made them; `operand` is an input
  SharedOutput,  ///< finished tiles of an output in a shared buffer, before global memory
  /// tiles of an input in a shared buffer, for the group of the core that loads them
  SharedInput,
  /// tiles of an input operand in local memory before the kernel, in addition to the slots
  Resident,
  /// tiles of an output operand in local memory after the kernel, in addition to the slots
  Remaining,
  /// Tiles of an output that are forwarded to other cores, one slot per iteration of the
  /// outermost loop. A slot is reused once all tiles of its earlier iteration have been taken.
  Held,
  /// the core's share of a local tensor in an all-reduce; `operand`: the all-reduce
  Contribution,
  Contributed,  ///< shares received, to be reduced with the core's own
  Total,        ///< the all-reduced result, sent back to all cores
};
inline constexpr std::size_t kBufferUses = 14;

/// A ring of equal slots, in each core's local memory or per group in a shared buffer.
struct TileBuffer {
  BufferUse use = BufferUse::Input;
  Memory memory = Memory::Local;
  /// Dimensions along which cores have one copy of it, or one group in a shared buffer.
  DimMask together = 0;
  std::int64_t bytes = 0;  ///< per slot
  int slots = 1;
};

/// The transfers of one operand.
struct Transfers {
  TransferSteps steps;
  base::FixedVector<TileBuffer, 6> buffers;
  int level = 0;         ///< temporal loops outside the transfers to, or from, the cores
  DimMask sameTile = 0;  ///< dimensions along which cores use the same tile
  DimMask absent = 0;    ///< dimensions along which only coordinate 0 uses, or writes, the operand
  bool has(TransferStep::Kind kind) const;
  bool has(BufferUse use) const;
  /// Bytes of all its buffers in the fullest instance of a memory.
  std::int64_t bytesIn(Memory memory, const hardware::Topology& hw, const Tiling& tiling) const;
};

/// The steps of a movement alone, without levels and bytes. `absent`: dimensions along which only
/// coordinate 0 takes part (finishingDims); for an output, those of its reduction.
TransferSteps inputSteps(const InputMovement& movement, DimMask absent);
TransferSteps outputSteps(const OutputMovement& movement, DimMask split,
                          const hardware::Topology& hw);
/// To coordinate 0 along `dims`, the last dimension first; then back, a multicast along two
/// dimensions at most or, without one, a stream along each.
TransferSteps allReduceSteps(ReductionTopology how, DimMask dims, const hardware::Topology& hw);

/// The transfers of an operand under a movement. Of `mapping`, the space and the order are read.
/// Bytes saturate.
Transfers inputTransfers(const kernel::TileNest& nest, const Mapping& mapping, const Tiling& tiling,
                         std::size_t input, const InputMovement& movement);
/// Without the tiles held for other cores: what they take depends on all inputs.
Transfers outputTransfers(const kernel::TileNest& nest, const hardware::Topology& hw,
                          const Mapping& mapping, const Tiling& tiling, std::size_t output,
                          const OutputMovement& movement);
/// Empty where every core reduces by itself.
Transfers allReduceTransfers(const kernel::TileNest& nest, const hardware::Topology& hw,
                             const Mapping& mapping, const Tiling& tiling, std::size_t reduce,
                             ReductionTopology how);

/// The transfers of a whole mapping.
struct TransferPlan {
  std::vector<Transfers> inputs;      ///< per TileNest::inputs
  std::vector<Transfers> outputs;     ///< per TileNest::outputs, held tiles included
  std::vector<Transfers> allReduces;  ///< per TileNest::allReduces
};
TransferPlan transferPlan(const kernel::TileNest& nest, const hardware::Topology& hw,
                          const Mapping& mapping, const Tiling& tiling);

/// Bytes of all buffers of a mapping in the fullest local memory, with state and local tensors.
std::int64_t localMemoryBytes(const kernel::TileNest& nest, const Mapping& mapping,
                              const Tiling& tiling, const hardware::Topology& hw);
/// The same in the fullest instance of a shared buffer; `level` of Topology::sharedBuffers.
std::int64_t sharedBufferBytes(std::size_t level, const kernel::TileNest& nest,
                               const Mapping& mapping, const Tiling& tiling,
                               const hardware::Topology& hw);
/// The first shared buffer that cannot hold its tiles; its number of levels where each can.
std::size_t overfullSharedBuffer(const kernel::TileNest& nest, const Mapping& mapping,
                                 const Tiling& tiling, const hardware::Topology& hw);

}  // namespace gridloom::mapping
