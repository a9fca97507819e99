// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "cost/compute.h"
#include "cost/dependence_critical_path.h"
#include "cost/dma_channels.h"
#include "cost/estimate.h"
#include "cost/tile_counts.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"
#include "traffic/traffic.h"

namespace gridloom::cost {

/// Bytes of one transfer of an operand. They are the same for every temporal order with the same
/// loops outside.
struct Transferred {
  const kernel::Operand* operand = nullptr;
  std::uint64_t outside = 0;
  mapping::DimMask sharing = 0;  ///< dimensions along which only coordinate 0 transfers
  double bytes = 0;              ///< to a core with whole tiles
  double filled = 1;             ///< average over cores and waves, as a fraction of `bytes`
};

/// A mapping without its movements: tile sizes, space and order, with everything that follows from
/// them. Shared by all combinations of movements.
struct TiledCandidate {
  mapping::Mapping mapping;
  mapping::Tiling tiling;
  const traffic::TrafficPatterns* patterns = nullptr;
  const DmaChannels* dma = nullptr;  ///< set where DMA channels are few enough to delay transfers
  std::vector<std::int64_t> active;
  std::vector<double> iterations;  ///< [l]: iterations of the l outermost temporal loops together
  ComputeTime compute;             ///< of the busiest core, over the whole kernel
  int outputLevel = 0;
  std::vector<std::uint64_t> outside;  ///< [l]: set of the l outermost temporal loops
  /// The most recently computed transfers (a cache).
  mutable std::array<Transferred, 64> transferred;
  /// For kernels whose outputs depend on each other: computed on first use, for one order.
  mutable std::shared_ptr<DependenceCriticalPath> walk;
};

/// Bytes that an operand needs of the fullest memory of a kind.
struct Footprint {
  std::int64_t local = 0;
  std::int64_t sharedBuffer = 0;  ///< of the shared buffer
};

/// Cost of one operand's movement. Candidates are combinations of these: terms factor per operand.
struct MovementCost {
  std::int64_t localBytes = 0;  ///< of the fullest local memory
  /// of an output's tiles that its core holds for other cores; once for all windows
  std::int64_t heldBytes = 0;
  kernel::TensorId holds;              ///< the tensor of that output
  std::int64_t sharedBufferBytes = 0;  ///< of the fullest instance of the shared buffer
  int operand = 0;                     ///< number of the input or output
  int level = 0;
  bool output = false;
  /// the second stage of the previous option: a transfer through the shared buffer has two
  bool continues = false;
  bool sharedBuffer = false;  ///< one stage of a transfer through the shared buffer
  /// Whether it keeps cores synchronised. Cores that read the shared buffer one by one
  /// desynchronise.
  bool paces() const { return !continues && (!sharedBuffer || along != 0); }
  /// For a tile with a single buffer in the shared buffer that transfers further inside read:
  /// their level, the number of local buffers they fill, and the cycles of one of them; kNoFeeds
  /// otherwise.
  int feedLevel = kNoFeeds;
  double feedSlots = 0, feed = 0;
  static constexpr int kNoFeeds = -1;
  bool overlapped = false;  ///< two buffers: overlaps with compute; otherwise compute waits for it
  double issues = 0;        ///< transfers per core over the kernel
  /// One transfer, in cycles and bytes: `start`, then the tile's bytes with global memory, `repeat`
  /// times; then `after`. The bandwidth depends on the other operands: cores that receive tiles of
  /// one multicast are synchronised and load together. `other` is a step of another core of the
  /// same chain.
  double start = 0;
  double bytes = 0;
  /// bytes of one transfer, averaged over all cores; some may have less than the first one
  double average = 0;
  double edgeFraction = 1;  ///< bytes of the average tile, as a fraction of a whole one
  double least = 0;         ///< least time of the bytes: few pages do not use all channels
  double repeat = 1;
  double after = 0;
  double other = 0;
  /// An all-reduce: compute waits for `reduction` and `exchange` within every tile's
  /// work, and no tile moves. All-reduces come last in a combination.
  bool isAllReduce = false;
  double headStart = 0;        ///< all-reduce: cycles of a tile's work before it
  bool forwards = false;       ///< compute may start before `after`
  mapping::DimMask along = 0;  ///< dimensions whose cores get the tile together, or reduce together
  double first = 0;            ///< inputs: cycles until the first tile is at every core
  /// inputs: the part of `first` without the bytes that share bandwidth with other transfers
  double ahead = 0;
  double last = 0;     ///< outputs: cycles from the end of compute to the last byte written
  double passing = 0;  ///< outputs: the part of `last` in which partial results move along a chain
  /// bytes per core over the kernel; times a pattern's resource load = busy cycles
  double weight = 0;
  double partial = 1;  ///< outputs: bytes of partial results per byte stored
  /// cycles that the busiest channel works for it, over the kernel
  double busiestChannelCycles = 0;
  double reduction = 0;  ///< cycles to combine partial results, over the kernel
  /// cycles compute waits for partial results and for the result of an all-reduce, over the kernel
  double exchange = 0;
  mapping::DimMask split = 0;  ///< outputs: dimensions along which partial results go
  /// Outputs: cycles of one scope's partial results that count only where cores begin their scopes
  /// together.
  double joinInStep = 0;
  const traffic::Pattern* pattern = nullptr;
  /// For inputs that the kernel makes: what their transfers wait for.
  enum class Made : std::uint8_t { Elsewhere, Stored, Forwarded, Stationary };
  Made made = Made::Elsewhere;

  /// Whether transfers of several cores interleave packet by packet. Those that start together then
  /// end together, so their cores stay synchronised. Transfers of one packet are served one after
  /// the other, so their cores desynchronise.
  bool interleaves = false;

  double turn = 0;  ///< cycles in which every core transfers one packet
  /// Extra time `besides` of `after` when the cores along the dimensions `beside`, which share a
  /// memory and its port, send at the same moment.
  mapping::DimMask beside = 0;
  double besides = 0;

  DmaUse dma = {};

  /// Time of the bytes of one load or store by the cores along `inStep` together.
  double load(mapping::DimMask inStep) const {
    const mapping::DimMask together = interleaves ? pattern->loaders : inStep & pattern->loaders;
    const double bare =
        std::max({bytes * pattern->together[0], average * pattern->together[together], least});
    return bare + ((beside & ~inStep) == 0 ? besides : 0);
  }
  /// The same without contention.
  double lone() const { return std::max(bytes * pattern->together[0], least); }
  /// Scales from whole tiles to edge tiles: of the first core, and on average over all cores.
  void takeOffEdges(double ofFirst, double ofAll) {
    average = std::min(ofFirst, ofAll) * bytes;
    bytes *= ofFirst;
    least *= ofFirst;
    edgeFraction = ofFirst;
  }
  /// Bytes per core of one transfer, on average.
  double perTransfer() const { return weight / issues; }
  /// The same for the first transfer: at most a tile, though more lines of cores may need it than
  /// start a transfer.
  double firstBytes() const { return std::min(perTransfer(), bytes); }
  /// Tiles that arrive before the first one is consumed: a load that is sent on delays the next
  /// one.
  double early() const {
    return overlapped && after <= 0 && feedLevel == kNoFeeds && issues > 1 ? 2 : 1;
  }
  /// From the start of a transfer to the start of the next one, back to back.
  double chain(double load) const { return std::max(repeat * (start + load) + after, other); }
  /// The part for which compute with one buffer waits.
  double wait(double load) const {
    return forwards ? std::max(start + load, other / 2) : chain(load);
  }
};

/// Buffers of one thread, reused between candidates.
struct Scratch {
  std::vector<double> busy, waited;
  std::vector<double> begun, ended;  ///< [l]: cycles before and after level l of the recursion
  DmaFlows dma;
};

/// The analytical model, after TL (Li et al., 2025, Sec. 2.5). From the innermost temporal loop
/// outward, with S the time spent so far over the whole kernel (starting with compute):
///
///   S := max(S + waited, chained, busiest)
///
/// where, over the transfers placed at that level, `waited` is what compute waits for (single
/// buffers), `chained` the time of the overlapped transfers of one operand one after the other, and
/// `busiest` the busy time of the most loaded resource by all transfers at this level and further
/// inside (a hoisted transfer competes with the traffic of the nest it overlaps with). The last
/// iteration of a level has no next transfer to wait for, so its share of the excess is subtracted;
/// this makes the pipeline formula of TL exact at one and two iterations, where the printed one
/// drops compute. Launch, first fill and last drain are added.
///
/// An option (one movement of one operand) is costed once per tile sizes and spatial loops, and
/// once per set of loops outside its transfers: their order makes no difference. An option that
/// does not fit into memory by itself is not costed. A candidate is one option per operand.
///
/// Only the contention terms must assume when cores act. Over the whole kernel, transfers share the
/// resources that `busiest` counts. With two buffers, cores desynchronise until their transfers no
/// longer contend, so that a single transfer has the machine to itself. With one buffer, a transfer
/// contends with those of the cores that stay synchronised with it: cores that receive tiles of
/// another operand from one multicast or stream at least as often, and cores whose long transfers
/// interleave with its own. Synchronised bursts add a contention term to whole candidates
/// (cost/startup_contention.h).
class Evaluator {
 public:
  /// A candidate made after `progress` was cancelled must not be used unless its patterns are
  /// complete.
  Evaluator(const kernel::Kernel& kernel, const kernel::TileNest& nest,
            const hardware::Topology& hw, const hardware::ComputeModel& compute,
            const base::Progress* progress = nullptr,
            traffic::LayoutScope scope = traffic::LayoutScope::Every);

  /// Movements outside of these will not be costed: large machines then need a part of the work.
  void restrictTo(traffic::WantedPatterns wanted) {
    m_tilePlaces = wanted.tiles();
    m_traffic.restrictTo(std::move(wanted));
  }

  /// Which traffic patterns a candidate of this mapping needs, and the steps of a search that
  /// making those of one key takes as long as.
  traffic::TrafficCache::Key patternsFor(const mapping::Mapping& mapping) const;
  std::int64_t patternWork() const;

  /// `mapping` has tile sizes, space and dimOrder; `setOrder` may set its order later.
  TiledCandidate candidate(const mapping::Mapping& mapping) const;
  void setOrder(TiledCandidate& candidate, std::vector<kernel::LoopId> order) const;

  /// `sharedBuffer`: the cost of the first stage, where it is known.
  MovementCost input(const TiledCandidate& candidate, std::size_t index,
                     const mapping::InputMovement& movement,
                     const MovementCost* sharedBuffer = nullptr) const;
  /// The first stage of an input's transfer through the shared buffer; `input` is then the second.
  MovementCost sharedBuffer(const TiledCandidate& candidate, std::size_t index,
                            const mapping::InputMovement& movement) const;
  MovementCost output(const TiledCandidate& candidate, std::size_t index,
                      const mapping::OutputMovement& movement) const;
  /// The second stage of an output's transfer through the shared buffer; `output` is then the
  /// first.
  MovementCost sharedBuffer(const TiledCandidate& candidate, std::size_t index,
                            const mapping::OutputMovement& movement,
                            const MovementCost& output) const;

  /// Memory that these options need, before they are costed.
  Footprint footprint(const TiledCandidate& candidate, std::size_t index,
                      const mapping::InputMovement& movement) const;
  Footprint footprint(const TiledCandidate& candidate, std::size_t index,
                      const mapping::OutputMovement& movement) const;
  Footprint footprint(const TiledCandidate& candidate, std::size_t reduce,
                      mapping::ReductionTopology how) const;

  /// The all-reduce of a local tensor. Compute waits for all of it: every step to coordinate 0,
  /// each combine, and the transfers back add to the work of the innermost iteration (term
  /// `all-reduce`; combines count as vector work), while the bytes share the links with all other
  /// transfers. The cores stay synchronised: their loads into single buffers start at one moment.
  MovementCost allReduce(const TiledCandidate& candidate, std::size_t index,
                         mapping::ReductionTopology how) const;

  /// Predicted cycles of a whole combination: one option per input, then one per output (two for a
  /// transfer through the shared buffer), then one per all-reduce (mapping::splitAllReduces). When
  /// the cycles exceed `enough`, the result may be any number between the two.
  double cycles(const TiledCandidate& candidate, std::span<const MovementCost* const> options,
                Scratch& scratch, double enough = std::numeric_limits<double>::infinity()) const;
  /// The same with every term; the sum equals `cycles` to the last bit.
  Estimate explain(const TiledCandidate& candidate,
                   std::span<const MovementCost* const> options) const;

  /// Bytes that a combination moves, and transfers per core.
  static Traffic traffic(std::span<const MovementCost* const> options);
  static double transfers(std::span<const MovementCost* const> options);

  /// The estimate of one mapping. Empty if `progress` was cancelled before its traffic patterns
  /// were complete.
  Estimate estimate(const mapping::Mapping& mapping) const;

  /// Bytes that an option adds to the tiles held for other cores; an output's tiles count once for
  /// all windows.
  static std::int64_t moreHeld(std::span<const MovementCost* const> chosen,
                               const MovementCost& option);

  /// Local memory for state between statements, for a candidate with its order set.
  std::int64_t stateBytes(const TiledCandidate& candidate) const;

  /// Compute time of the busiest core, for a candidate of this tiling.
  ComputeTime compute(const mapping::Tiling& tiling) const {
    return computeTime(m_nest, tiling, m_compute, m_counts);
  }

  const kernel::TileNest& nest() const { return m_nest; }
  const hardware::Topology& hardware() const { return m_hw; }

 private:
  Footprint footprintOf(const TiledCandidate& candidate,
                        const mapping::Transfers& transfers) const;
  /// Bytes of the fullest local memory with one buffer per core.
  std::int64_t inMemory(const TiledCandidate& candidate, std::int64_t bytes) const;
  double narrow(const TiledCandidate& candidate, const kernel::Operand& operand,
                const mapping::InputMovement& movement, double bytes, MovementCost& cost) const;
  double waiting(const TiledCandidate& candidate, std::span<const MovementCost* const> options,
                 double cycles) const;
  /// Dimensions along which cores all-reduce any tensor.
  mapping::DimMask allReduceDims(const TiledCandidate& candidate) const;
  void combination(const TiledCandidate& candidate, const kernel::Operand& operand,
                   mapping::ReductionTopology how, MovementCost& cost) const;
  double joinCycles(const TiledCandidate& candidate, const kernel::Operand& operand) const;
  MovementCost leaving(const TiledCandidate& candidate, const kernel::Operand& operand,
                       const traffic::Pattern& pattern) const;
  MovementCost kept(const TiledCandidate& candidate, std::size_t input,
                    const mapping::InputMovement& movement) const;
  MovementCost passed(const TiledCandidate& candidate, std::size_t input,
                      const mapping::InputMovement& movement) const;
  MovementCost arriving(const TiledCandidate& candidate, const kernel::Operand& operand,
                        const mapping::InputMovement& movement, int level, int buffers,
                        const traffic::Pattern& pattern) const;
  /// Times of the memory channels for one transfer without contention.
  struct Channels {
    double time = 0;   ///< cycles of the busiest channel
    double start = 0;  ///< cycles before the first byte
    bool interleaves = false;
  };
  Channels channelsFor(mapping::TensorLayout layout, double bytes, double tiles, double rate) const;
  double channelCycles(const TiledCandidate& candidate, const kernel::Operand& operand, int level,
                       mapping::TensorLayout layout, const MovementCost& cost, double rate) const;
  /// Number of the window that transfers at a level use (TrafficPatterns::numberOf).
  std::size_t windowAt(const TiledCandidate& candidate, const kernel::Operand& operand, int level,
                       mapping::TensorLayout layout) const;
  void sendBeside(const TiledCandidate& candidate, MovementCost& cost) const;
  void holdChannels(const mapping::InputMovement& movement, MovementCost& cost) const;
  void holdChannels(const mapping::OutputMovement& movement, MovementCost& cost) const;
  double sendFixed() const { return m_sync + m_setup; }

  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  const hardware::ComputeModel& m_compute;
  traffic::TrafficCache::Key patternsFor(const TiledCandidate& candidate) const;

  mutable traffic::TrafficCache m_traffic;
  TileCounts m_counts;
  traffic::ChannelWindows m_windows;
  bool m_tilePlaces = true;  ///< tensors may lie tile by tile, whole in one channel each
  DmaChannels m_dma;
  double m_sync = 0, m_setup = 0;  ///< of transfers between cores
  double m_packet = 1;             ///< bytes that take one turn at a link
  double m_flops = 0;
};

}  // namespace gridloom::cost
