// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "base/fixed_vector.h"
#include "cost/dma_use.h"
#include "cost/term_set.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"
#include "traffic/traffic.h"

/// Cost of one operand's movement: described as a variant, and flattened into the plain numbers
/// that the recursion reads. Candidates are combinations of movements: terms factor per operand.
namespace gridloom::cost {

/// Elements of an operand's transfers at a level, as fractions of those of whole tiles.
struct EdgeShares {
  /// The first transfer of the core at coordinate 0, which has the most work: the loops inside the
  /// transfer have edge tiles, those outside do not have theirs yet.
  double transfer = 1;
  double transfers = 1;  ///< its average transfer, as a fraction of its first
  double all = 1;        ///< on average over the cores with work, of loops with one wave
};

/// One transfer of an operand, in cycles and bytes: `start`, then the tile's bytes with global
/// memory (or a shared buffer), `repeat` times; then `after`. The bandwidth depends on the other
/// operands: cores that receive tiles of one multicast are synchronised and load together.
struct Transfer {
  const traffic::Pattern* pattern = nullptr;
  int level = 0;
  bool overlapped = false;  ///< two buffers: overlaps with compute; otherwise compute waits for it
  bool forwards = false;    ///< compute may start before `after`
  /// Whether transfers of several cores interleave packet by packet. Those that start together then
  /// end together, so their cores stay synchronised. Transfers of one packet are served one after
  /// the other, so their cores desynchronise.
  bool interleaves = false;
  double issues = 0;  ///< transfers per core over the kernel
  double start = 0;
  /// Cycles that the first transfer of the farthest core takes longer to start: later ones are as
  /// far on average.
  double farthest = 0;
  double bytes = 0;
  double average = 0;       ///< bytes, averaged over all cores; some may have less than the first
  double edgeFraction = 1;  ///< bytes of the average transfer, as a fraction of the first
  double least = 0;         ///< least time of the bytes: few pages do not use all channels
  double repeat = 1;
  double after = 0;
  double other = 0;  ///< a step of another core of the same chain
  /// bytes per core over the kernel; times a pattern's resource load = busy cycles
  double weight = 0;
  /// How many times the bytes moved are `bytes`, `average` and `weight`, for the memory's stripes.
  double longer = 1;
  double turn = 0;    ///< cycles in which every core transfers one packet
  double packet = 0;  ///< bytes in one turn, over all memory channels; 0: served whole
  DmaUse dma = {};

  /// `bytes` without what stripes add: what other resources than global memory see.
  double moved() const { return bytes / longer; }
  /// Time of the bytes of one transfer without contention.
  double alone() const { return std::max(moved() * pattern->together[0], least); }
  /// The same by the cores along `inStep` together.
  double together(mapping::DimMask inStep) const {
    return togetherIn(interleaves ? pattern->loaders : inStep);
  }
  /// The same where cores start together along these dimensions alone.
  double togetherIn(mapping::DimMask inStep) const {
    const mapping::DimMask mask = inStep & pattern->loaders;
    return std::max(alone(), average * pattern->together[mask]);
  }
  /// Scales from the first transfer to the average one: of the first core, and over all cores.
  void takeOffEdges(const EdgeShares& edges) {
    average = edges.transfers * edges.all * bytes;
    bytes *= edges.transfers;
    least *= edges.transfers;
    edgeFraction = edges.transfers;
  }
  /// Bytes per core of one transfer, on average.
  double perTransfer() const { return weight / issues; }
  /// The same for the first transfer: at most a tile, though more lines of cores may need it than
  /// start a transfer.
  double firstBytes() const { return std::min(perTransfer(), bytes); }
  /// Cycles of a transfer that all cores start at one moment.
  double allAtOnce() const {
    return start + farthest + std::max(firstBytes() * pattern->loadPeak, alone());
  }
  /// What of these is spent on the bytes of other cores.
  double crowding() const { return std::max(firstBytes() * pattern->loadPeak - alone(), 0.0); }
  /// From the start of a transfer to the start of the next one, back to back. `load`: of its bytes.
  double chain(double load) const { return std::max(repeat * (start + load) + after, other); }
  /// The part for which compute with one buffer waits.
  double wait(double load) const {
    return forwards ? std::max(start + load, other / 2) : chain(load);
  }
};

/// A transfer through shared buffers has a stage for each of them and one more, each with its cost.
enum class Stage : std::uint8_t {
  Only,   ///< between global and local memory, or between cores
  Cores,  ///< between a shared buffer and the cores
  Outer,  ///< between a shared buffer and a memory further out; follows the stages inwards
};

/// What the transfers of an input that the kernel makes wait for.
enum class Made : std::uint8_t { Elsewhere, Stored, Forwarded, Stationary };

struct Load {
  mapping::DimMask along = 0;  ///< dimensions whose cores get the tile together
  Made made = Made::Elsewhere;
  bool fills = true;  ///< the first tile operation waits for its first tile
  double first = 0;   ///< cycles until the first tile is at every core
  /// the part of `first` without the bytes that share bandwidth with other transfers
  double ahead = 0;
  /// For a tile with a single buffer in the shared buffer that transfers further inside read: their
  /// level, the number of local buffers they fill, and the cycles of one of them.
  struct Feed {
    int level = kNone;
    double slots = 0, cycles = 0;
    static constexpr int kNone = -1;
  } feed = {};
  /// Bytes of the steps between cores per byte loaded. Of tiles that rotate, a round is one
  /// transfer: a load, and a step for every other core of the line.
  double passed = 1;
  /// Extra `cycles` after the load when the cores along the dimensions `along`, which share a
  /// memory and its port, send at the same moment.
  struct PortShare {
    mapping::DimMask along = 0;
    double cycles = 0;
  } port = {};
};

struct Store {
  double last = 0;  ///< cycles from the end of compute to the last byte written
  /// The part of `last` for which it waits for the last tiles of other cores, if all leave at once.
  double crowded = 0;
  double passing = 0;          ///< the part of `last` in which partial results move along a chain
  double partial = 1;          ///< bytes of partial results per byte stored
  double reduction = 0;        ///< cycles to combine partial results, over the kernel
  double exchange = 0;         ///< cycles compute waits for partial results, over the kernel
  mapping::DimMask split = 0;  ///< dimensions along which partial results go
  /// Cycles of one scope's partial results that count only where cores begin their scopes together.
  double joinInStep = 0;
};

/// Compute waits for `reduction` and `exchange` within every tile's work, and no tile moves.
struct AllReduce {
  mapping::DimMask along = 0;  ///< dimensions whose cores reduce together
  double reduction = 0;        ///< as of a store
  double exchange = 0;         ///< with the result sent back
  double headStart = 0;        ///< cycles of a tile's work before it
};

/// An output's tiles that its core holds for other cores; once for all windows that read it.
struct HeldTiles {
  std::int64_t bytes = 0;  ///< of the fullest local memory
  kernel::TensorId tensor;
};

struct MovementCost {
  int operand = 0;  ///< number of the input, output or all-reduce
  Stage stage = Stage::Only;
  Transfer transfer;
  std::variant<Load, Store, AllReduce> kind;
  HeldTiles held;
};

/// The stages of a movement, from the cores outwards.
using Stages = base::FixedVector<MovementCost, hardware::kMostSharedBuffers + 1>;

/// One struct for loads, stores and all-reduces, which the recursion reads; what is not used is 0.
struct FlatCost : Transfer {
  bool isStore = false;
  bool isAllReduce = false;
  bool continues = false;  ///< a further stage of the movement before it
  /// Whether it keeps cores synchronised. Cores that read the shared buffer one by one
  /// desynchronise.
  bool paces = false;
  mapping::DimMask along = 0;
  /// Dimensions along which loads that start together stay together: they contend with each other
  /// every time, also where a core's next load waits until this one is sent on.
  mapping::DimMask lockstep = 0;
  /// Dimensions along which it matters to the transfers whether cores start together.
  mapping::DimMask contends = 0;
  mapping::DimMask split = 0;
  mapping::DimMask scope = 0;  ///< `split`, if there is more than one tile to sum
  double work = 0;             ///< cycles added to compute over the kernel
  double pipelined = 0;        ///< cycles of its transfers without contention, back to back
  double first = 0;            ///< of a load
  double drain = 0;            ///< of a store: cycles after the end of compute
  double crowded = 0;          ///< the part of `drain`, as of Store
  /// Of `drain`, what is left without the time of its bytes; below 0 where compute waited for them.
  double latency = 0;
  double ahead = 0;
  Load::Feed feed = {};
  Load::PortShare port = {};
  double partial = 1;  ///< bytes of the steps between cores per byte loaded or stored
  double joinInStep = 0;
  double headStart = 0;
  Made made = Made::Elsewhere;
  bool fills = false;
  bool drainsTogether = false;  ///< with the last tiles of other outputs
  bool late = false;            ///< only a scope's epilogue waits for its first tile
  int operand = 0;

  /// Time of the bytes of one transfer by the cores along `inStep` together.
  double load(mapping::DimMask inStep) const {
    return together(inStep) + ((port.along & ~inStep) == 0 ? port.cycles : 0);
  }
  /// Tiles that arrive before the first one is consumed: a load that is sent on delays the next
  /// one.
  double early() const {
    return overlapped && after <= 0 && feed.level == Load::Feed::kNone && issues > 1 ? 2 : 1;
  }
  /// Cycles from the first to the last core that gets its tile when all ask at one moment: packets
  /// that are served in turns arrive together, but for one turn.
  double apart() const { return interleaves ? std::min(turn, crowding()) : crowding(); }
  /// Whether its overlapped loads hide behind compute and each other.
  bool loadsAhead() const { return overlapped && !isStore; }
};
/// `terms`: corrections that single movements have.
FlatCost flatten(const MovementCost& cost, TermSet terms = {});

/// A flattened movement with the cycles for which its transfers keep each resource busy.
struct LoadedCost {
  const FlatCost* cost = nullptr;
  const double* resourceLoads = nullptr;  ///< cycles over the kernel
  const double* once = nullptr;  ///< cycles of the first tile of a load, or the last of a store
};
/// The loads are written to `rows`, which has twice `paddedRows` entries.
LoadedCost loadsOf(const FlatCost& cost, std::span<double> rows);
/// Number of resources of a machine, padded for loops that take several at a time.
std::size_t paddedRows(const traffic::TrafficPatterns& patterns);

/// The movements of one candidate, flattened.
class FlatCosts {
 public:
  FlatCosts(const traffic::TrafficPatterns& patterns, std::span<const MovementCost> costs,
            TermSet terms = {});
  std::span<const LoadedCost> all() const { return m_all; }

 private:
  std::vector<FlatCost> m_costs;
  std::vector<double> m_rows;
  std::vector<LoadedCost> m_all;
};

}  // namespace gridloom::cost
