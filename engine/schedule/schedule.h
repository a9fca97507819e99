// SPDX-License-Identifier: Apache-2.0
#pragma once

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

namespace gridloom::schedule {

struct SourceMap;

/// The waist of the engine: one program per PE, the buffers it works in and the channels that join
/// PEs. Programs of PEs that do the same are shared.
///
/// Where tiles stay in a middle memory, the two movers of its DMA engine (in and out) are among the processes of
/// the group's PE at coordinate 0.
///
/// A PE runs several processes at once, as the data-movement and compute threads of a real core do: one
/// *mover* per input (loads, receives, forwards), one *compute*, one *writer* per output. Processes of a
/// PE meet only in bounded buffers (slots filled by one process and emptied by another); PEs meet only in
/// channels. That is where all waiting comes from.

using BufferId = base::StrongId<struct BufferTag>;
using ProgramId = base::StrongId<struct ProgramTag>;
using PortId = base::StrongId<struct PortTag>;

/// Which tiles of the nest a buffer is filled for, where that is not all of them.
struct TileDemand {
  kernel::TileGuard guard;
  std::vector<mapping::LoopId> loops;  ///< those its tile depends on
  bool shared = false;                 ///< several cores take the same tile from one transfer
  int awaits = -1;  ///< output whose tiles it reads: a load waits until they are in global memory
  bool passed = false;  ///< with `awaits`: taken from the cores that make them, when they are made
  std::vector<kernel::RegionDim> region;  ///< with `awaits`: what of them
};

/// A ring of `slots` equal regions in each PE's local memory, or, for the PE at coordinate 0 of a group, in the
/// group's instance of the middle memory.
struct Buffer {
  enum class Use {
    Input,         ///< tiles of an input operand
    Output,        ///< finished (or accumulating) tiles of an output operand
    Partial,       ///< partial results received for combination
    Gather,        ///< finished tiles received from other PEs
    Local,         ///< state between statements; never moves
    Stationary,    ///< tiles that stay in the core that made them; `operand` is an input
    SharedOutput,  ///< finished tiles of an output in a shared buffer, before global memory
    SharedInput,  ///< tiles of an input in a shared buffer, for the group of the core that loads them
    Resident,  ///< tiles of an input operand that live there before the kernel, beside those in slots
    Remaining,  ///< tiles of an output operand that live there after the kernel, beside those in slots
    Held,  ///< tiles of an output that other cores take: a slot per iteration of the outermost loop, whose
           ///< outputs start once all tiles of the iteration that had it before were taken
    Contribution,  ///< what the core reduced a local tensor to, for cores to join; `operand`: an all-reduce
    Contributed,  ///< contributions received, to be joined with the core's own
    Total,        ///< what they gave together, as it comes back to all cores
  };
  std::string name;
  Use use = Use::Input;
  int operand = -1;        ///< index into TileNest::inputs / outputs / locals / allReduces
  std::int64_t bytes = 0;  ///< per slot
  int slots = 1;
  TileDemand need = {};  ///< inputs only
};

/// Whether the slots are in the middle memory and not in that of the PE.
inline bool isInSharedBuffer(Buffer::Use use) {
  return use == Buffer::Use::SharedInput || use == Buffer::Use::SharedOutput;
}

/// Whether the tiles are results of an all-reduce.
inline bool isOfAllReduce(Buffer::Use use) {
  return use == Buffer::Use::Contribution || use == Buffer::Use::Contributed ||
         use == Buffer::Use::Total;
}
/// Whether the slots are for what other cores send to be joined.
inline bool isJoined(Buffer::Use use) {
  return use == Buffer::Use::Partial || use == Buffer::Use::Contributed;
}

/// A typed, bounded connection between PEs: what a sender's tile reaches, and with how much credit.
struct Channel {
  enum class Kind {
    Multicast,  ///< one sender, all PEs that differ from it along `along` only
    /// To the PE with the next (step = +1) or previous (-1) coordinate along one dimension; partial results
    /// that go up start at coordinate 1, and go from the last one to coordinate 0.
    Neighbour,
    Pair,    ///< combination tree: to the PE `step` coordinates lower along one dimension
    ToRoot,  ///< gather: to the PE with coordinate 0 along one dimension
    Drain,   ///< from a PE into its slot of the middle memory
    /// One copy of a tile for the PEs that share a local memory: to all that differ from the sender along `along`
    /// only, which read the slot of the sender as if it were their own. No bytes move.
    Share,
    Feed,  ///< from the middle memory to all PEs that differ from the sender along `along` only, and itself
  };
  std::string name;
  Kind kind = Kind::Multicast;
  mapping::DimMask along = 0;
  std::uint8_t first = 0;  ///< dimension taken first by a two-dimensional multicast
  int step = 0;
  BufferId target;  ///< buffer of the receiver it fills
  int depth = 1;    ///< tiles that may be under way or unread: the receiver's slots
};

/// What one process of a core tells another: it counts how often it was signalled and not yet awaited.
struct Token {
  std::string name;
  std::int32_t atStart = 0;  ///< signals there are before the kernel; as many are left behind it
};

/// What processes of one core are bound to in space (the affinity and concurrency lists of
/// MLIR-AIR: Wang et al., 2025, Sec. 5.3.1).
struct DmaConstraint {
  enum class Kind {
    Affinity,     ///< their transfers use the same DMA channels: one after the other, in any order
    Concurrency,  ///< each has DMA channels to itself: its transfers wait for no other's
  };
  /// A mover or writer that touches tiles of an operand.
  struct Member {
    bool writes = false;  ///< a writer; otherwise a mover
    bool ofInput = true;  ///< `operand` is an index into TileNest::inputs; otherwise outputs
    int operand = -1;
    friend bool operator==(const Member&, const Member&) = default;
  };
  Kind kind = Kind::Affinity;
  std::vector<Member> members;
};

/// Instructions of a process. Loops nest; `arg` and `buffer`/`channel` by kind. On a Gather buffer `arg` is the
/// coordinate of the core whose tile is meant; the instruction is skipped where that core takes no part. A
/// Send without receivers that take part is skipped, too. A mover that releases a buffer it publishes
/// itself (a stream) reads the slot besides compute: the slot is free when both have released it. Instructions
/// on a buffer that nothing needs at the process's waves are skipped, as is Compute where there is no work.
enum class Op : std::uint8_t {
  LoopBegin,  ///< arg: temporal loop (position in Mapping::order)
  LoopEnd,
  Acquire,     ///< wait for a free slot of buffer
  Publish,     ///< the slot is full: the next process may use it
  WaitFull,    ///< wait for a full slot of buffer
  Release,     ///< the slot is free again
  Await,       ///< wait until the tiles that buffer gets next have been stored (to be taken: made)
  Signal,      ///< token `arg`: one more
  AwaitToken,  ///< wait until token `arg` has been signalled once more than awaited
  Load,        ///< global memory -> slot of buffer
  Take,        ///< tiles in the cores that made them -> slot of buffer
  Store,       ///< slot of buffer -> global memory
  Ready,       ///< tell the sender of channel that a slot waits (credit)
  Claim,  ///< wait until no receiver of a sharing channel reads the slot any more that is filled next
  Send,     ///< wait for the credit of every receiver, then slot of buffer -> channel
  Receive,  ///< wait until the channel has filled the slot of buffer
  /// The tile operations of Phase::Every. Where cores meet in the middle of them (mapping::meetings), those of part
  /// `arg`: behind meeting arg - 1, up to what goes to meeting `arg`.
  Compute,
  Epilogue,  ///< the tile operations of Phase::Epilogue
  Reduce,  ///< join the partial result in `buffer` into output `arg`, a contribution into all-reduce `arg`
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
  int operand = -1;  ///< of the mover or writer, as of its buffers
  std::vector<Instruction> code;
};

/// The processes of a class of PEs. Addresses are not in the program: a process at temporal indices t and
/// PE coordinates s works on tile t * ways + s of each loop; iterations whose tile is past the end are
/// skipped by every process alike.
struct Program {
  std::string name;  ///< "corner", "x edge", "interior", ...
  std::vector<Process> processes;
  std::int64_t cores = 0;  ///< how many PEs run it
};

/// What a tensor operand's transfers have in common, whoever makes them.
struct OperandTransfer {
  hardware::TensorLayout layout = hardware::TensorLayout::PageInterleaved;
  int hoistLevel = 0;           ///< temporal loops outside the transfer between cores and memory
  int sharedBufferLevel = -1;   ///< inputs: those outside the load into a shared buffer; -1: none
  hardware::DimMask along = 0;  ///< inputs: dimensions along which cores share one load
  hardware::DimMask sameTile = 0;  ///< inputs: dimensions along which cores use the same tile
  bool isReduced = false;          ///< outputs: several cores hold partial results of a tile
  mapping::Partials partials;      ///< outputs: what a message of partial results holds
};

/// Everything a simulation or a code generator needs. Immutable; made by `lower`, checked by `verify`.
/// The executor reads no mapping: `mapping` is kept for predictions, pictures and reports.
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
  std::vector<ProgramId> programOfCore;             ///< per CoreId; invalid for idle PEs
  kernel::TileGuard work;                           ///< tiles with anything to compute
  std::vector<std::vector<mapping::LoopId>> grids;  ///< per output: the loop of each dimension
  int outputLevel = 0;                              ///< temporal loops outside the output scope
  std::int64_t localBytes = 0;                      ///< of the fullest local memory
};

/// Mapping -> Schedule. Errors: a mapping for another kernel or mesh, more iterations than cores count,
/// cancelled.
base::Result<Schedule> lower(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                             const hardware::Topology& hw, const mapping::Mapping& mapping,
                             const base::Progress* progress = nullptr);

/// What can be seen without running anything: loops nest, names exist, buffers fit local memory, the schedule
/// is for this hardware. Part of `verify`.
base::Diagnostics checkPrograms(const Schedule& schedule, const kernel::TileNest& nest,
                                const hardware::Topology& hw);

/// Proves before anything runs: loops nest, every buffer and channel has one process at each end, every receive
/// has its send and the other way round with equal counts for every PE, buffers fit local memory, no slot is
/// read before it is written or overwritten before its last reader is done, and the processes cannot wait for
/// each other in a circle at the channels' depths. The run is abstract but whole: all iterations, the ragged
/// last ones included; a note says so when it had to be cut short. What compute needs of inputs follows from the
/// kernel's accesses, not from what the schedule brings. An error names the PE, the process and the
/// instruction, at its place in `places` when the schedule came from a text. Once `progress` is cancelled, an
/// error says so. `effort` limits the run, and says how long it was.
struct VerifyEffort {
  std::int64_t maxSteps =
      20'000'000;          ///< about two seconds; ordinary schedules need a hundredth of it
  std::int64_t steps = 0;  ///< of processes, each up to where it waits or moves a tile
};
base::Diagnostics verify(const Schedule& schedule, const kernel::Kernel& kernel,
                         const kernel::TileNest& nest, const hardware::Topology& hw,
                         const SourceMap* places = nullptr,
                         const base::Progress* progress = nullptr, VerifyEffort* effort = nullptr);

/// Whether iterations may repeat each other: verification and simulation then take many at once, and how long they
/// are cannot be told from the schedule.
bool mayRepeat(const Schedule& schedule);
/// Instructions that all processes together come to, those that are passed over included.
double instructionsToRun(const Schedule& schedule, const hardware::Topology& hw);

}  // namespace gridloom::schedule
