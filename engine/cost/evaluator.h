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

/// What one transfer of an operand brings. Under another temporal order it is the same as long as the same loops are
/// outside.
struct Transferred {
  const kernel::Operand* operand = nullptr;
  std::uint64_t outside = 0;
  mapping::DimMask sharing = 0;  ///< dimensions along which only coordinate 0 transfers
  double bytes = 0;              ///< to a core with full tiles
  double filled = 1;             ///< part of them that all cores have in all waves (`filledShare`)
};

/// A mapping without its movements: blocks, space and order, with what follows from them. Shared by all
/// combinations of movements.
struct TiledCandidate {
  mapping::Mapping mapping;
  mapping::Tiling tiling;
  const traffic::TrafficPatterns* patterns = nullptr;
  const DmaChannels* dma = nullptr;  ///< where there are so few that transfers wait for them
  std::vector<std::int64_t> active;
  std::vector<double> iterations;  ///< [l]: iterations of the l outermost temporal loops together
  ComputeTime compute;             ///< of the busiest core, over the whole kernel
  int outputLevel = 0;
  std::vector<std::uint64_t> outside;  ///< [l]: set of the l outermost temporal loops
  /// Transfers costed last.
  mutable std::array<Transferred, 64> transferred;
  /// Of kernels whose outputs depend on each other: made when first asked for, for one order.
  mutable std::shared_ptr<DependenceCriticalPath> walk;
};

/// Bytes that an operand takes of the fullest memory of a kind.
struct Footprint {
  std::int64_t local = 0;
  std::int64_t sharedBuffer = 0;  ///< on the way between global and local memory
};

/// One operand's movement, costed by itself. Candidates are combinations of these: terms factor per operand.
struct MovementCost {
  std::int64_t localBytes = 0;  ///< of the fullest local memory
  std::int64_t heldBytes =
      0;                   ///< of an output's tiles that stay for others; once for all its windows
  kernel::TensorId holds;  ///< that output's tensor
  std::int64_t sharedBufferBytes = 0;  ///< of the fullest instance of the middle memory
  int operand = 0;                     ///< number of the input or output
  int level = 0;
  bool output = false;
  bool continues = false;     ///< the other half of the way of the option before it
  bool sharedBuffer = false;  ///< half of the way through the middle memory
  /// Whether cores wait for it together; those that take tiles from the middle memory by themselves drift apart.
  bool paces() const { return !continues && (!sharedBuffer || along != 0); }
  /// Of a tile that stays in one slot of the middle memory while transfers further inside take it from there: their
  /// level, the slots of local memory they go on to, and the cycles of one of them; kNoFeeds otherwise.
  int feedLevel = kNoFeeds;
  double feedSlots = 0, feed = 0;
  static constexpr int kNoFeeds = -1;
  bool overlapped = false;  ///< two buffers: runs beside compute; otherwise compute waits for it
  double issues = 0;        ///< transfers per core over the kernel
  /// One transfer, in cycles and bytes: start, then the tile's bytes with global memory (at what bandwidth
  /// depends on the other operands: cores that take tiles from one multicast keep step and load together),
  /// `repeat` times; then `after`. `other` is a step of another core of the same chain.
  double start = 0;
  double bytes = 0;
  double average =
      0;  ///< bytes of one transfer, over all cores; some may have less than the first one
  double edgeFraction = 1;  ///< bytes of the average tile, of those of a whole one
  double least = 0;         ///< least time of the bytes: few pages do not reach all channels
  double repeat = 1;
  double after = 0;
  double other = 0;
  /// An all-reduce: `combine` and `exchange` are waited for in the middle of every tile's work, and no tile moves. Such
  /// options stand behind all others.
  bool isAllReduce = false;
  double headStart = 0;        ///< of an all-reduce: cycles of a tile's work before it
  bool forwards = false;       ///< compute may start before `after`
  mapping::DimMask along = 0;  ///< dimensions whose cores get the tile together, or meet
  double first = 0;            ///< inputs: cycles until the first tile is at every core
  double ahead = 0;            ///< inputs: of these, those that bytes do not share with others
  double last = 0;             ///< outputs: cycles from the end of compute to the last byte written
  double passing = 0;  ///< outputs: of these, those in which partial results pass along a chain
  double weight = 0;   ///< bytes per core over the kernel: times a pattern's row = busy cycles
  double partial = 1;  ///< outputs: bytes of partial results per byte stored
  double busiestChannelCycles = 0;  ///< cycles the busiest channel works for it, over the kernel
  double reduction = 0;             ///< cycles to join partial results, over the kernel
  double exchange =
      0;  ///< cycles compute waits for partial results and what comes back of them, over the kernel
  mapping::DimMask split = 0;  ///< outputs: dimensions along which partial results go
  /// Outputs: cycles of one scope's partial results that are seen only where cores begin their scopes together.
  double joinInStep = 0;
  const traffic::Pattern* pattern = nullptr;
  /// Inputs that the kernel makes itself: what their transfers wait for.
  enum class Made : std::uint8_t { Elsewhere, Stored, Forwarded, Stationary };
  Made made = Made::Elsewhere;

  /// Transfers of several packets interleave with those of other cores that started with them, and end
  /// with them: such cores stay together. Those of one packet are served in turn, and spread out.
  bool interleaves = false;

  double turn = 0;  ///< cycles in which every core transfers one packet
  /// What `after` takes longer when the cores along these dimensions, which share a memory and its port, send on at
  /// the same moment.
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
  /// The same with the machine to itself.
  double lone() const { return std::max(bytes * pattern->together[0], least); }
  /// From whole tiles, as given, to what tiles at the edges leave: of the first core's, and on average over all cores.
  void takeOffEdges(double ofFirst, double ofAll) {
    average = std::min(ofFirst, ofAll) * bytes;
    bytes *= ofFirst;
    least *= ofFirst;
    edgeFraction = ofFirst;
  }
  /// Bytes per core of one transfer, on average.
  double perTransfer() const { return weight / issues; }
  /// The same of the first one: no more than a tile, though more lines of cores may need it than start a transfer.
  double firstBytes() const { return std::min(perTransfer(), bytes); }
  /// Tiles that come before the first one is used up: a load that is sent on holds up the next.
  double early() const {
    return overlapped && after <= 0 && feedLevel == kNoFeeds && issues > 1 ? 2 : 1;
  }
  /// From the start of a transfer to the start of the next one, back to back.
  double chain(double load) const { return std::max(repeat * (start + load) + after, other); }
  /// The part a compute with one buffer waits for.
  double wait(double load) const {
    return forwards ? std::max(start + load, other / 2) : chain(load);
  }
};

/// Working memory of one thread.
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
/// iteration of a level has no next transfer to wait for, so its share of the excess is taken off;
/// this makes the pipeline formula of TL exact at one and two iterations, where the printed one
/// drops compute. Launch, first fill and last drain are added.
///
/// An option (one movement of one operand) is costed once per tile sizes and spatial loops, and
/// once per set of loops outside its transfers: their order makes no difference. An option that
/// does not fit into memory by itself is not costed. A candidate is one option per operand.
///
/// Contention is the one place where a formula must guess when cores act. Over the whole kernel,
/// transfers share what `busiest` says. With two buffers, cores desynchronise until their transfers
/// no longer contend, so that a single transfer has the machine to itself. With one buffer, a
/// transfer contends with those of the cores that stay synchronised with it: cores that take tiles
/// of another operand from one multicast or stream at least as often, and cores whose long
/// transfers interleave with its own. Synchronised bursts add a contention term to whole candidates
/// (cost/phases.h).
class Evaluator {
 public:
  /// Once `progress` is cancelled, skeletons made then are not to be used unless their patterns are complete.
  Evaluator(const kernel::Kernel& kernel, const kernel::TileNest& nest,
            const hardware::Topology& hw, const hardware::ComputeModel& compute,
            const base::Progress* progress = nullptr,
            traffic::LayoutScope scope = traffic::LayoutScope::Every);

  /// Movements outside of these will not be costed: large machines then need a part of the work.
  void restrictTo(traffic::WantedPatterns wanted) { m_traffic.restrictTo(std::move(wanted)); }

  /// `mapping` has block, space, dimOrder; its order may follow later through `setOrder`.
  TiledCandidate candidate(const mapping::Mapping& mapping) const;
  void setOrder(TiledCandidate& candidate, std::vector<kernel::LoopId> order) const;

  /// `stay`: its cost, if it is known.
  MovementCost input(const TiledCandidate& candidate, std::size_t index,
                     const mapping::InputMovement& movement,
                     const MovementCost* sharedBuffer = nullptr) const;
  /// The first half of the way of an input that stays in the middle memory; `input` is then the second.
  MovementCost sharedBuffer(const TiledCandidate& candidate, std::size_t index,
                            const mapping::InputMovement& movement) const;
  MovementCost output(const TiledCandidate& candidate, std::size_t index,
                      const mapping::OutputMovement& movement) const;
  /// The second half of the way of an output that passes the middle memory; `output` is then the first.
  MovementCost sharedBuffer(const TiledCandidate& candidate, std::size_t index,
                            const mapping::OutputMovement& movement,
                            const MovementCost& output) const;

  /// What these options need, before they are costed.
  Footprint footprint(const TiledCandidate& candidate, std::size_t index,
                      const mapping::InputMovement& movement) const;
  Footprint footprint(const TiledCandidate& candidate, std::size_t index,
                      const mapping::OutputMovement& movement) const;
  Footprint footprint(const TiledCandidate& candidate, const kernel::AllReduce& reduce) const;

  /// Results of a local tensor that cores join, and send back to all. Cores wait for all of it:
  /// every step to coordinate 0, each combine, and the way back add to the work of the innermost
  /// iteration (term `all-reduce`; combines count as vector work), while the bytes share the links
  /// with all others. The cores stay synchronised: what they load with one buffer, they load at one
  /// moment.
  MovementCost allReduce(const TiledCandidate& candidate, std::size_t index,
                         mapping::ReductionTopology how) const;

  /// Predicted cycles of a whole combination: one option per input, then one per output, two where tiles stay, then one
  /// per meeting of the cores (mapping::meetings). Above
  /// `enough`, any number between that and the cycles may be given.
  double cycles(const TiledCandidate& candidate, std::span<const MovementCost* const> options,
                Scratch& scratch, double enough = std::numeric_limits<double>::infinity()) const;
  /// The same with every term kept; `cycles` is equal to the last bit.
  Estimate explain(const TiledCandidate& candidate,
                   std::span<const MovementCost* const> options) const;

  /// Bytes that a combination moves, and transfers that a core takes part in.
  static Traffic traffic(std::span<const MovementCost* const> options);
  static double transfers(std::span<const MovementCost* const> options);

  /// One mapping by itself. Empty if `progress` was cancelled before what it needs was there.
  Estimate estimate(const mapping::Mapping& mapping) const;

  /// What an option adds to the tiles that others hold for it: an output's tiles stay once for all windows.
  static std::int64_t moreHeld(std::span<const MovementCost* const> chosen,
                               const MovementCost& option);

  /// Local memory used by state between statements, in a skeleton with its order set.
  std::int64_t stateBytes(const TiledCandidate& candidate) const;

  /// Of the busiest core, as in a skeleton of this tiling.
  ComputeTime compute(const mapping::Tiling& tiling) const {
    return computeTime(m_nest, tiling, m_compute, m_counts);
  }

  const kernel::TileNest& nest() const { return m_nest; }
  const hardware::Topology& hardware() const { return m_hw; }

 private:
  /// Bytes of the fullest local memory for a buffer of every core, one for those along `shared`.
  std::int64_t inMemory(const TiledCandidate& candidate, std::int64_t bytes,
                        mapping::DimMask shared = 0) const;
  double narrow(const TiledCandidate& candidate, const kernel::Operand& operand,
                const mapping::InputMovement& movement, double bytes, MovementCost& cost) const;
  double waiting(const TiledCandidate& candidate, std::span<const MovementCost* const> options,
                 double cycles) const;
  /// Dimensions along which cores reduce anything together.
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
  /// What the channels do for one transfer alone.
  struct Channels {
    double time = 0;   ///< cycles of the busiest channel
    double start = 0;  ///< cycles before the first byte
    bool interleaves = false;
  };
  Channels channelsFor(mapping::TensorLayout layout, double bytes, double tiles, double rate) const;
  double channelCycles(const TiledCandidate& candidate, const kernel::Operand& operand, int level,
                       mapping::TensorLayout layout, const MovementCost& cost, double rate) const;
  double groupsPerInstance(const TiledCandidate& candidate, mapping::DimMask along) const;
  void sendBeside(const TiledCandidate& candidate, MovementCost& cost) const;
  void holdChannels(const mapping::InputMovement& movement, MovementCost& cost) const;
  void holdChannels(const mapping::OutputMovement& movement, MovementCost& cost) const;
  double sendFixed() const { return m_sync + m_setup; }

  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  const hardware::Topology& m_hw;
  const hardware::ComputeModel& m_compute;
  mutable traffic::TrafficCache m_traffic;
  TileCounts m_counts;
  DmaChannels m_dma;
  double m_sync = 0, m_setup = 0;  ///< of transfers between cores
  double m_packet = 1;             ///< bytes that take one turn at a link
  double m_flops = 0;
};

}  // namespace gridloom::cost
