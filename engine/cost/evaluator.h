// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "cost/compute.h"
#include "cost/dependence_critical_path.h"
#include "cost/estimate.h"
#include "cost/movement_cost.h"
#include "cost/recent_walks.h"
#include "cost/term_set.h"
#include "cost/terms/whole_candidate.h"
#include "cost/tile_counts.h"
#include "cost/tiled_candidate.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/tile_buffers.h"
#include "traffic/traffic.h"

namespace gridloom::cost {

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
/// interleave with its own. Synchronised bursts add contention terms to whole candidates
/// (cost/terms).
class Evaluator {
 public:
  /// A candidate made after `progress` was cancelled must not be used unless its patterns are
  /// complete.
  Evaluator(const kernel::Kernel& kernel, const kernel::TileNest& nest,
            const hardware::Topology& hw, const hardware::ComputeModel& compute,
            const base::Progress* progress = nullptr,
            traffic::LayoutScope scope = traffic::LayoutScope::Every, TermSet terms = {});

  /// Movements outside of these will not be costed: large machines then need a part of the work.
  void restrictTo(traffic::WantedPatterns wanted) {
    m_tilePlaces = wanted.tiles();
    m_traffic.restrictTo(std::move(wanted));
  }

  /// Which traffic patterns a candidate of this mapping needs, and the steps of a search that
  /// making those of one key with these windows takes as long as.
  traffic::TrafficCache::Key patternsFor(const mapping::Mapping& mapping) const;
  /// Steps of the critical path that a prediction of the mapping walks; 0 where no tile waits for
  /// another.
  std::int64_t walkSteps(const mapping::Mapping& mapping) const;
  std::int64_t patternWork(const std::vector<traffic::ChannelWindow>& windows = {}) const;

  /// `mapping` has tile sizes, space and dimOrder; `setOrder` may set its order later.
  TiledCandidate candidate(const mapping::Mapping& mapping) const;
  void setOrder(TiledCandidate& candidate, std::vector<kernel::LoopId> order) const;

  /// A movement that uses no shared buffer.
  MovementCost input(const TiledCandidate& candidate, std::size_t index,
                     const mapping::InputMovement& movement) const;
  MovementCost output(const TiledCandidate& candidate, std::size_t index,
                      const mapping::OutputMovement& movement) const;
  /// Any movement: one cost, and one more for each shared buffer it uses.
  Stages stages(const TiledCandidate& candidate, std::size_t index,
                const mapping::InputMovement& movement) const;
  Stages stages(const TiledCandidate& candidate, std::size_t index,
                const mapping::OutputMovement& movement) const;

  /// Memory that these options need, before they are costed.
  Footprint footprint(const TiledCandidate& candidate, std::size_t index,
                      const mapping::InputMovement& movement) const;
  Footprint footprint(const TiledCandidate& candidate, std::size_t index,
                      const mapping::OutputMovement& movement) const;
  Footprint footprint(const TiledCandidate& candidate, std::size_t reduce,
                      mapping::ReductionTopology how) const;

  /// Local memory that every combination of options needs: one transfer of each operand, and all
  /// local tensors. Before an order is set: that every order needs.
  std::int64_t leastBytes(const TiledCandidate& candidate) const;

  /// Bytes that an option reads from global memory, before it is costed; 0 where only its cost says
  /// so.
  double bytesRead(const TiledCandidate& candidate, std::size_t index,
                   const mapping::InputMovement& movement) const;

  /// The all-reduce of a local tensor. Compute waits for all of it: every step to coordinate 0,
  /// each combine, and the transfers back add to the work of the innermost iteration (term
  /// `all-reduce`; combines count as vector work), while the bytes share the links with all other
  /// transfers. The cores stay synchronised: their loads into single buffers start at one moment.
  MovementCost allReduce(const TiledCandidate& candidate, std::size_t index,
                         mapping::ReductionTopology how) const;

  /// Predicted cycles of a whole combination: one option per input, then one per output (each with
  /// all its stages), then one per all-reduce (mapping::splitAllReduces). When
  /// the cycles exceed `enough`, the result may be any number between the two.
  double cycles(const TiledCandidate& candidate, std::span<const LoadedCost> costs,
                Scratch& scratch, double enough = std::numeric_limits<double>::infinity()) const;
  /// The same without the waiting of tiles for each other, on a stack with the combination's
  /// movements in any order; sums in another order may differ by rounding.
  double cyclesOn(const Recursion& stack, const TiledCandidate& candidate,
                  std::span<const LoadedCost> costs, Scratch& scratch, double enough) const;
  /// Whether tiles wait for tiles that other steps make.
  bool hasWaits() const;
  /// A bound of all combinations with these options: the critical path of the tiles that wait for
  /// each other (cost/dependence_critical_path.h). Above `enough` it may be any number between.
  double leastWaiting(const TiledCandidate& candidate, std::span<const LoadedCost> fixed,
                      double enough) const;
  /// `cycles` with every term; the sum equals it to the last bit.
  Estimate explain(const TiledCandidate& candidate, std::span<const MovementCost> costs) const;
  /// The costs of a candidate of a mapping with its movements.
  std::vector<MovementCost> costsOf(const TiledCandidate& candidate) const;

  /// Bytes that a combination moves, and transfers per core.
  static hardware::Traffic traffic(std::span<const LoadedCost> costs);
  static double transfers(std::span<const LoadedCost> costs);

  /// The estimate of one mapping. Empty if `progress` was cancelled before its traffic patterns
  /// were complete. `walks`: of the predictions before, where there are any.
  Estimate estimate(const mapping::Mapping& mapping, RecentWalks* walks = nullptr) const;

  /// Bytes that an option adds to the tiles held for other cores; an output's tiles count once for
  /// all windows.
  static std::int64_t moreHeld(std::span<const HeldTiles* const> chosen, const HeldTiles& option);

  /// Local memory for state between statements, for a candidate with its order set.
  std::int64_t stateBytes(const TiledCandidate& candidate) const;

  /// Compute time of the busiest core, for a candidate of this tiling.
  ComputeTime compute(const mapping::Tiling& tiling) const {
    return computeTime(m_nest, tiling, m_compute, m_counts);
  }

  const kernel::TileNest& nest() const { return m_nest; }
  const hardware::Topology& hardware() const { return m_hw; }
  TermSet terms() const { return m_terms; }

 private:
  Footprint footprintOf(const TiledCandidate& candidate, const mapping::TileBuffers& buffers) const;
  /// Bytes of the local tensors of one core.
  std::int64_t localTensorBytes(const TiledCandidate& candidate) const;
  /// Bytes of the fullest local memory with one buffer per core.
  std::int64_t inMemory(const TiledCandidate& candidate, std::int64_t bytes) const;
  void narrow(const TiledCandidate& candidate, const kernel::Operand& operand,
              const mapping::InputMovement& movement, Transfer& transfer) const;
  template <class Observer>
  double evaluate(const TiledCandidate& candidate, std::span<const LoadedCost> costs,
                  Scratch& scratch, Observer& observer,
                  double enough = std::numeric_limits<double>::infinity()) const;
  template <class Observer>
  double evaluate(const Recursion& stack, const TiledCandidate& candidate,
                  std::span<const LoadedCost> costs, Scratch& scratch, Observer& observer,
                  double enough) const;
  WalkMovements walkMovements(const TiledCandidate& candidate,
                              std::span<const LoadedCost> costs) const;
  DependenceCriticalPath& walkOf(const TiledCandidate& candidate) const;
  double waiting(const TiledCandidate& candidate, std::span<const LoadedCost> costs, double cycles,
                 double enough = std::numeric_limits<double>::infinity()) const;
  /// Dimensions along which cores all-reduce any tensor.
  mapping::DimMask allReduceDims(const TiledCandidate& candidate) const;
  void combination(const TiledCandidate& candidate, const kernel::Operand& operand,
                   mapping::ReductionTopology how, Transfer& transfer, Store& store) const;
  double joinCycles(const TiledCandidate& candidate, const kernel::Operand& operand) const;
  void gathered(const TiledCandidate& candidate, int dim, Transfer& transfer, Store& store) const;
  Transfer leaving(const TiledCandidate& candidate, const kernel::Operand& operand,
                   const traffic::Pattern& pattern) const;
  // shared_buffer_costs.cpp
  MovementCost drained(const TiledCandidate& candidate, std::size_t output,
                       const mapping::OutputMovement& movement,
                       const mapping::TransferStep& step) const;
  MovementCost passedOn(const TiledCandidate& candidate, std::size_t output,
                        const mapping::OutputMovement& movement, const mapping::TransferStep& step,
                        const MovementCost& before) const;
  MovementCost filled(const TiledCandidate& candidate, std::size_t input,
                      const mapping::InputMovement& movement,
                      const mapping::TransferSteps& steps) const;
  MovementCost fed(const TiledCandidate& candidate, std::size_t input,
                   const mapping::InputMovement& movement, const mapping::TransferSteps& steps,
                   std::size_t step, const MovementCost& before) const;
  void leadOn(const TiledCandidate& candidate, const kernel::Operand& operand,
              const mapping::InputMovement& movement, const mapping::TransferSteps& steps,
              std::size_t step, Transfer& transfer, Load& load) const;
  double onward(const TiledCandidate& candidate, const kernel::Operand& operand,
                const mapping::InputMovement& movement, const mapping::TransferStep& step) const;
  DmaUse::Shared sharedUse(const TiledCandidate& candidate, mapping::Memory memory,
                           mapping::DimMask along, const Transfer& transfer) const;
  MovementCost kept(const TiledCandidate& candidate, std::size_t input,
                    const mapping::InputMovement& movement) const;
  /// How many cores need a tile that one of them made, on average, each with a transfer of its own.
  /// `served`: dimensions along which one transfer serves all cores.
  double takers(const TiledCandidate& candidate, const kernel::Operand& operand,
                mapping::DimMask served) const;
  /// How many of them take what one takes in a transfer at `level` from the same core; at least 1.
  double takersPerSource(const TiledCandidate& candidate, const kernel::Operand& operand,
                         int level) const;
  MovementCost passed(const TiledCandidate& candidate, std::size_t input,
                      const mapping::InputMovement& movement) const;
  MovementCost rotating(const TiledCandidate& candidate, std::size_t input,
                        const mapping::InputMovement& movement) const;
  double bytesOf(const TiledCandidate& candidate, const kernel::Operand& operand,
                 mapping::DimMask sharing, int level) const;
  /// `sharing`: dimensions along which cores share one transfer.
  Transfer arriving(const TiledCandidate& candidate, const kernel::Operand& operand,
                    mapping::DimMask sharing, int level, int buffers,
                    const traffic::Pattern& pattern) const;
  EdgeShares edgesOf(const TiledCandidate& candidate, const kernel::Operand& operand,
                     int level) const;
  /// Times of the memory channels for one transfer without contention. `tile`: bytes of a whole
  /// one.
  struct Channels {
    double time = 0;    ///< cycles of the busiest channel
    double start = 0;   ///< cycles before the first byte
    double packet = 0;  ///< bytes that all channels serve in one turn
    double units = 1;   ///< pages or tiles that a transfer consists of
  };
  Channels channelsFor(mapping::TensorLayout layout, double bytes, double tile, double rate) const;
  double latencyOf(const Transfer& transfer, mapping::TensorLayout layout, double units) const;
  void stripe(const TiledCandidate& candidate, const kernel::Operand& operand, double rate,
              Transfer& transfer) const;
  /// `shares`: transfers that a tile is divided into.
  void throughChannels(const TiledCandidate& candidate, const kernel::Operand& operand,
                       mapping::TensorLayout layout, Transfer& transfer, bool isStore,
                       double shares = 1) const;
  /// Number of the window that transfers at a level use (TrafficPatterns::numberOf).
  std::size_t windowAt(const TiledCandidate& candidate, const kernel::Operand& operand, int level,
                       mapping::TensorLayout layout) const;
  Load::PortShare portShare(const TiledCandidate& candidate, const Transfer& transfer) const;
  void holdChannels(const mapping::InputMovement& movement, Transfer& transfer) const;
  void holdChannels(const mapping::OutputMovement& movement, const Store& store,
                    Transfer& transfer) const;
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
  TermSet m_terms;
  double m_sync = 0, m_setup = 0;  ///< of transfers between cores
  double m_packet = 1;             ///< bytes that take one turn at a link
  double m_flops = 0;
};

}  // namespace gridloom::cost
