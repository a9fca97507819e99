// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "base/strong_id.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"
#include "mapping/partials.h"
#include "mapping/transfers.h"

namespace gridloom::schedule {

struct SourceMap;

/// The central data structure of the engine: one program per core, the buffers it works in and
/// the channels that connect cores. Cores that do the same share a program.
///
/// Where tiles go through a shared buffer, the two movers of its DMA engine (in and out) are among
/// the processes of the group's core at coordinate 0.
///
/// A core runs several processes at once, as a real core's data-movement and compute threads do:
/// one *mover* per input (loads, receives, forwards), one *compute*, one *writer* per output.
/// Processes of a core synchronise through bounded buffers only (one process fills slots, another
/// empties them). Cores synchronise through channels only. There is no other waiting.

using BufferId = base::StrongId<struct BufferTag>;
using ProgramId = base::StrongId<struct ProgramTag>;
using PortId = base::StrongId<struct PortTag>;

/// The tiles of the nest for which a buffer is filled, where that is not all of them.
struct TileDemand {
  kernel::TileGuard guard;
  std::vector<mapping::LoopId> loops;  ///< the loops that its tile depends on
  bool shared = false;                 ///< several cores take the same tile from one transfer
  /// output whose tiles it reads: a load waits until they are stored in global memory
  int awaits = -1;
  bool passed = false;  ///< with `awaits`: forwarded by the cores that compute them, once computed
  std::vector<kernel::RegionDim> region;  ///< with `awaits`: the region of them that is read
};

/// Slots of a buffer, tiles in flight on a channel, signals of a token.
constexpr std::int32_t kMostSlots = 32767;

/// A ring of `slots` equal regions in each core's local memory; for buffers in a shared buffer, in
/// the group's instance of it, owned by the group's core at coordinate 0.
struct Buffer {
  using Use = mapping::BufferUse;
  std::string name;
  Use use = Use::Input;
  int operand = -1;        ///< index into TileNest::inputs / outputs / locals / allReduces
  std::int64_t bytes = 0;  ///< per slot
  int slots = 1;
  /// Of a buffer in a shared buffer: its level of Topology::sharedBuffers.
  std::size_t sharedLevel = 0;
  TileDemand need = {};  ///< inputs only
};

/// Whether the slots are in a shared buffer and not in the core's local memory.
inline bool isInSharedBuffer(Buffer::Use use) {
  return use == Buffer::Use::SharedInput || use == Buffer::Use::SharedOutput;
}

/// Whether the tiles are results of an all-reduce.
inline bool isOfAllReduce(Buffer::Use use) {
  return use == Buffer::Use::Contribution || use == Buffer::Use::Contributed ||
         use == Buffer::Use::Total;
}
/// Whether the slots hold shares that other cores send for reduction.
inline bool isJoined(Buffer::Use use) {
  return use == Buffer::Use::Partial || use == Buffer::Use::Contributed;
}

/// A typed, bounded connection between cores: the receivers of a sender's tiles, and the number of
/// credits.
struct Channel {
  enum class Kind {
    Multicast,  ///< one sender, all cores that differ from it along `along` only
    /// To the core with the next (step = +1) or previous (-1) coordinate along a dimension. Upward
    /// reductions start at coordinate 1; the last coordinate sends to coordinate 0.
    Neighbour,
    Pair,    ///< reduction tree: to the core `step` coordinates lower along one dimension
    ToRoot,  ///< gather: to the core with coordinate 0 along one dimension
    Drain,   ///< from a core into its slot of a shared buffer, or from there into one further out
    /// One copy of a tile for the cores that share a local memory: all that differ from the sender
    /// along `along` only read the sender's slot in place. No bytes move.
    Share,
    /// from a shared buffer to the sender and all cores that differ from it along `along` only, or
    /// to their slots of a shared buffer further inwards
    Feed,
    /// To the core with the next coordinate along one dimension, from the last one to coordinate 0;
    /// it carries shares of tiles (schedule/rings.h).
    Ring,
    /// To the next core along one dimension, from the last to the first, of tiles that rotate
    /// (mapping/rotation.h): one iteration later, in all iterations of a round but the first.
    Rotate,
  };
  std::string name;
  Kind kind = Kind::Multicast;
  mapping::DimMask along = 0;
  std::uint8_t first = 0;  ///< dimension that a two-dimensional multicast takes first
  int step = 0;
  BufferId target;  ///< buffer of the receiver it fills
  int depth = 1;    ///< tiles that may be in flight or unread: the receiver's slots
};

/// A counting semaphore between two processes of a core: signals not yet awaited.
struct Token {
  std::string name;
  std::int32_t atStart = 0;  ///< count before the kernel; the count after it must be the same
};

/// A constraint on the DMA channels of one core's processes (the affinity and concurrency lists of
/// MLIR-AIR: Wang et al., 2025, Sec. 5.3.1).
struct DmaConstraint {
  enum class Kind {
    /// the members share DMA channels: their transfers run one after the other, in any order
    Affinity,
    /// each member has DMA channels of its own: its transfers wait for no other member's
    Concurrency,
  };
  /// A mover or writer of an operand's tiles.
  struct Member {
    bool writes = false;  ///< a writer; otherwise a mover
    bool ofInput = true;  ///< `operand` is an index into TileNest::inputs; otherwise outputs
    int operand = -1;
    friend bool operator==(const Member&, const Member&) = default;
  };
  Kind kind = Kind::Affinity;
  std::vector<Member> members;
};

/// Instructions of a process. Loops nest. The meaning of `arg`, `buffer` and `channel` depends on
/// the instruction.
///  - On a Gather buffer, `arg` is the coordinate of the core whose tile it moves. The instruction
///    is skipped where that core is inactive.
///  - On a buffer with a ring, `arg` of Load, Store, Send, Receive and Reduce is the share that it
///    moves (schedule/rings.h).
///  - A Send without active receivers is skipped.
///  - Tiles rotate in rounds (mapping::LoopSkew). A buffer that a Rotate channel fills is loaded in
///    the first iteration of a round only. Ready and Receive are skipped in it, and Send in the
///    last one. Besides compute, the process that sends its tiles waits for its full slots.
///  - A mover that releases a buffer it publishes itself (a stream) reads the slot alongside
///    compute. The slot is free when both have released it.
///  - Instructions on a buffer that nothing needs at the process's waves are skipped. So is Compute
///    where there is no work.
enum class Op : std::uint8_t {
  LoopBegin,  ///< arg: temporal loop (position in Mapping::order)
  LoopEnd,
  Acquire,   ///< wait for a free slot of buffer
  Publish,   ///< the slot is full: the next process may use it
  WaitFull,  ///< wait for a full slot of buffer
  Release,   ///< the slot is free again
  /// wait until the tiles that buffer gets next are stored (or computed, when they are forwarded)
  Await,
  Signal,      ///< token `arg`: one more
  AwaitToken,  ///< wait until token `arg` has been signalled once more than awaited
  Load,        ///< global memory -> slot of buffer
  Take,        ///< forwarded tiles: from the cores that computed them -> slot of buffer
  Store,       ///< slot of buffer -> global memory
  Ready,       ///< tell the sender of channel that a slot is free (credit)
  Claim,  ///< wait until no receiver of a sharing channel still reads the slot that is filled next
  Send,   ///< wait for the credit of every receiver, then slot of buffer -> channel
  Receive,  ///< wait until the channel has filled the slot of buffer
  /// The tile operations of Phase::Every. All-reduces inside compute (mapping::splitAllReduces)
  /// split it into parts: part `arg` runs from after all-reduce arg - 1 up to the core's share for
  /// all-reduce `arg`.
  Compute,
  Epilogue,  ///< the tile operations of Phase::Epilogue
  /// reduce the partial result in `buffer` into output `arg`, or the received share into all-reduce
  /// `arg`
  Reduce,
};

struct Instruction {
  Op op = Op::Compute;
  std::int32_t arg = 0;
  BufferId buffer;
  PortId channel;  ///< index into Schedule::channels
};

/// One process of a program.
struct Process {
  enum class Role { Mover, Compute, Writer };
  Role role = Role::Compute;
  int operand = -1;  ///< the operand that the mover or writer moves, as in its buffers
  std::vector<Instruction> code;
};

/// The processes of a class of cores. Programs hold no addresses: a process at temporal indices t,
/// core coordinates s works on tile t * unroll + s of each loop; where tiles rotate over it, its
/// index is skewed first (mapping::LoopSkew). Every process skips iterations whose tile is past the
/// end.
struct Program {
  std::string name;  ///< "corner", "x edge", "interior", ...
  std::vector<Process> processes;
  std::int64_t cores = 0;  ///< how many cores run it
};

/// What a tensor operand's transfers have in common, whoever makes them.
struct OperandTransfer {
  hardware::TensorLayout layout = hardware::TensorLayout::PageInterleaved;
  int hoistLevel = 0;  ///< temporal loops outside the transfer between cores and memory
  /// Inputs: the same for the transfer into each shared buffer; kNone: its tiles do not use it.
  std::array<int, hardware::kMostSharedBuffers> sharedLevels{kNone, kNone, kNone, kNone};
  static constexpr int kNone = -1;
  /// Inputs: dimensions along which cores share one copy of a tile in each shared buffer.
  std::array<hardware::DimMask, hardware::kMostSharedBuffers> sharedAlong = {};
  hardware::DimMask sameTile = 0;  ///< inputs: dimensions along which cores use the same tile
  bool isReduced = false;          ///< outputs: several cores hold partial results of a tile
  mapping::Partials partials;      ///< outputs: what a message of partial results holds
};

/// Everything a simulation or a code generator needs. Immutable; made by `lower`, checked by
/// `verify`. The executor reads no mapping: `mapping` is kept for predictions, pictures and
/// reports.
struct Schedule {
  mapping::Mapping mapping;
  std::vector<mapping::LoopId> order;    ///< temporal loops, outermost first
  std::vector<OperandTransfer> inputs;   ///< per TileNest::inputs
  std::vector<OperandTransfer> outputs;  ///< per TileNest::outputs
  bool splitsReduction = false;  ///< a reduction or a loop with state is unrolled over cores
  mapping::Tiling tiling;
  std::vector<Buffer> buffers;
  std::vector<Channel> channels;
  std::vector<Token> tokens;
  std::vector<DmaConstraint> dmaConstraints;
  std::vector<Program> programs;
  std::vector<ProgramId> programOfCore;             ///< per CoreId; invalid for idle cores
  kernel::TileGuard work;                           ///< tiles with anything to compute
  std::vector<std::vector<mapping::LoopId>> grids;  ///< per output: the loop of each dimension
  int outputLevel = 0;                              ///< temporal loops outside the output scope
  std::int64_t localBytes = 0;                      ///< bytes in the fullest local memory
};

/// Dimensions along which cores share the slots of a buffer in a shared buffer.
hardware::DimMask sharersOf(const Schedule& schedule, const Buffer& buffer);
/// How the tensor lies whose tiles a buffer holds.
hardware::TensorLayout layoutOf(const Schedule& schedule, const Buffer& buffer);
/// The buffer in a shared buffer from which a Feed or Drain channel takes its tiles; invalid where
/// they come from the cores.
BufferId sourceOf(const Schedule& schedule, const Channel& channel);

/// Lowers a mapping to a schedule. Errors: the mapping is for another kernel or mesh, a core's
/// iteration count overflows, cancelled.
base::Result<Schedule> lower(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                             const hardware::Topology& hw, const mapping::Mapping& mapping,
                             const base::Progress* progress = nullptr);

/// Instructions that all processes execute, skipped ones included.
double instructionsToRun(const Schedule& schedule, const hardware::Topology& hw);

}  // namespace gridloom::schedule
