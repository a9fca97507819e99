// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cost/extrapolation.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::cost {

/// Times of a candidate's movements, as the critical path needs them.
struct WalkMovements {
  struct Input {
    int level = 0;
    bool moves = false;       ///< takes any time
    bool overlapped = false;  ///< two buffers
    bool stored = false;  ///< produced: waits until its tiles are stored, else until they are made
    double cycles = 0;    ///< of one transfer of whole tiles
    double bytes = 0;     ///< the part of `cycles` that its bytes take
    /// Cycles between the ends of transfers back to back: while one is set up, the bytes of other
    /// cores move.
    double period = 0;
    /// Cycles that a transfer takes longer where cores wait for its tile: they all load it from the
    /// same channels, or take it from the same core, at that moment. Else they load one tile at
    /// different times.
    double queue = 0;
    /// Taken from the cores that make its tiles: where that is the core itself, nothing moves.
    bool forwarded = false;
  };
  std::vector<Input> inputs;  ///< per TileNest::inputs
  double store = 0;           ///< cycles until the whole tiles of an output scope are stored
  double storedBytes = 0;     ///< the part of `store` that their bytes take
  double storePeriod = 0;     ///< cycles between the ends of stores back to back
  bool storesBeside = false;  ///< two output buffers: stores overlap with compute
};

struct TracedTiles;

/// The critical path of the tile dependence graph of a mapping: each core's movers, compute and
/// writers in their order, each with the cycles that a tile takes alone, or together with the cores
/// that do not wait for each other within a step (Cyclotron: Sundram et al., 2025, Sec. 5). No
/// resource is shared in it: the recursion computes the resource bound (cost/evaluator.h). The
/// longer of the two is the prediction; what the critical path adds is the term `dependence`.
/// Bounds in the search use the recursion alone, so the search stays exact.
///
/// Loops along which no tile waits for another are traced on one core and for few iterations. Where
/// tiles are still too many, the trace covers fewer of them, in several sizes, and the waiting time
/// they add to compute is extrapolated (cost/extrapolation.h). This is the only approximation.
class DependenceCriticalPath {
 public:
  DependenceCriticalPath(const kernel::TileNest& nest, const mapping::Mapping& mapping,
                         const mapping::Tiling& tiling, const hardware::ComputeModel& compute);

  /// From the first tile to the last one stored. `compute`: cycles of the busiest core over the
  /// whole kernel. Where it is more than `enough`, some number above `enough`.
  double cycles(const WalkMovements& movements, double compute,
                double enough = std::numeric_limits<double>::infinity());
  /// Cycles that further movements of inputs and outputs never shorten.
  double least(const WalkMovements& movements, double compute, double enough);
  /// Steps of the trace, about.
  double size() const { return stepsIn(m_tiles); }
  /// Steps walked, one per input, since the last call.
  std::int64_t takeSteps() { return std::exchange(m_steps, 0); }

 private:
  /// One iteration of the nest on one core.
  struct Step {
    std::int32_t core = 0;
    std::int32_t scope = 0;  ///< the output scope it belongs to
    /// outermost loop of the order that has advanced since the core's last step
    std::int32_t outer = 0;
    std::int32_t next = -1;   ///< next step of the same core
    std::uint32_t needs = 0;  ///< inputs, as bits
    /// index of its first wait; its waits end where the next step's begin
    std::int32_t waits = 0;
    bool begins = false, ends = false;  ///< of the scope
    double share = 1;                   ///< elements of the tile, as a fraction of a whole tile
    double stored = 1;                  ///< the same for the output's tile alone
    double work = 0;
    double later = 0;  ///< work of the core's later steps
  };
  struct Wait {
    std::int32_t input = 0, scope = 0;
  };
  /// The transfers of an input from one level. Each serves the steps of a core until the next one.
  struct Transfers {
    std::vector<std::int32_t> ofStep;  ///< the transfer that starts at a step, or -1
    std::vector<double> missing;       ///< per transfer: elements below whole tiles, as a fraction
    /// Per transfer: the set of scopes it waits for. Cores that need all tiles of a step wait for
    /// the same large set.
    std::vector<std::int32_t> waits;
    std::vector<std::uint8_t> isOwn;  ///< per transfer: the core has made all its tiles itself
    /// Per such set: the first of its scopes; they end where those of the next begin.
    std::vector<std::int32_t> sets;
    std::vector<std::int32_t> scopes;
    bool hasLarge = false;  ///< a set that is looked up rather than walked again

    std::size_t setCount() const { return sets.size() - 1; }
    std::size_t cachedSets() const { return hasLarge ? setCount() : 0; }
  };
  /// All steps of a trace, in an order in which tiles come after those they wait for.
  struct Trace {
    std::vector<Step> steps;
    std::vector<Wait> waits;
    std::int32_t cores = 0, scopes = 0;
    std::vector<std::int32_t> coreOf;                            ///< per scope
    double compute = 0;                                          ///< of the busiest core
    std::map<std::pair<std::size_t, int>, Transfers> transfers;  ///< per input and level

    const Transfers& transfersOf(std::size_t input, int level);

   private:
    Transfers makeTransfers(std::size_t input, int level) const;
    bool addTransfer(std::size_t first, std::size_t input, int level, Transfers& out,
                     std::vector<std::int32_t>& waited) const;
  };
  friend class TaskGraphBuilder;
  struct Moved;

  using Tiles = std::vector<std::int64_t>;  ///< per loop: number of tiles traced
  void chooseTiles();
  void findCrossed();
  void cutWaves();
  void cutCores();
  bool isTooMany() const;
  template <class Floor> std::optional<std::size_t> widest(const Floor& floor) const;
  void cut(std::size_t group, std::int64_t floor);
  double stepsIn(const Tiles& tiles) const;
  using Groups = std::vector<std::size_t>;
  Groups cutGroups() const;
  Tiles halved(const Groups& groups) const;
  TracedTiles traced(const Groups& halves) const;
  Trace& trace(const Groups& halves, int level);
  double waiting(const Groups& halves, const WalkMovements& movements);
  double repeats(std::size_t group) const;
  LinearExtrapolation lines(const Groups& cut, const WalkMovements& movements);
  int levelOf(const WalkMovements& movements) const;
  double growthOf(std::size_t group) const;
  double walk(Trace& trace, const WalkMovements& movements, double enough);

  const kernel::TileNest& m_nest;
  mapping::Mapping m_mapping;
  mapping::Tiling m_tiling;
  std::vector<double> m_cycles;           ///< per operation of the nest, on a whole tile
  std::vector<std::uint8_t> m_dependent;  ///< per loop: tiles along it wait for each other
  /// Per loop: tiles are read along it at the number of another loop, or along another at its own.
  std::vector<std::uint8_t> m_crossed;
  std::vector<std::vector<kernel::LoopId>> m_groups;  ///< loops with the same number of tiles
  /// per group: tiles of the kernel per tile of the trace
  std::vector<double> m_left;
  Tiles m_tiles;
  std::int64_t m_steps = 0;
  std::map<std::pair<Groups, int>, Trace> m_traces;  ///< by the groups that are halved, and level
};

}  // namespace gridloom::cost
