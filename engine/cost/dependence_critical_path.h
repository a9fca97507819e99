// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::cost {

/// What the walk has to know of the movements of a candidate.
struct WalkMovements {
  struct Input {
    int level = 0;
    bool moves = false;       ///< takes time at all
    bool overlapped = false;  ///< two buffers
    bool stored = false;  ///< produced: waits until its tiles are stored, else until they are made
    double cycles = 0;    ///< of one transfer of whole tiles
    double bytes = 0;     ///< of these, those that its bytes take
  };
  std::vector<Input> inputs;  ///< per TileNest::inputs
  double store = 0;           ///< cycles until the whole tiles of an output scope are stored
  double storedBytes = 0;     ///< of these, those that their bytes take
  bool storesBeside = false;  ///< two output buffers
};

/// The critical path of the tile dependence graph of a mapping: each core's movers, compute and
/// writers in their order, each with the cycles that a tile takes alone, or together with the cores
/// that do not wait for each other within a step (Cyclotron: Sundram et al., 2025, Sec. 5). No
/// resource is shared in it: the resource bound is the recursion's part (cost/evaluator.h). The
/// longer of the two is the prediction; what the critical path adds is the term `dependence`.
/// Bounds in the search use the recursion alone, so the search stays exact.
///
/// Loops along which no tile waits for another are walked on one core and for few iterations. Where
/// tiles are still too many, fewer are walked, in two sizes, and the waiting they add to compute is
/// extrapolated from these. That is the one guess in it.
class DependenceCriticalPath {
 public:
  DependenceCriticalPath(const kernel::TileNest& nest, const mapping::Mapping& mapping,
                         const mapping::Tiling& tiling, const hardware::ComputeModel& compute);

  /// From the first tile to the last one stored. `compute`: of the busiest core, over the whole kernel.
  double cycles(const WalkMovements& movements, double compute);

 private:
  /// One iteration of the nest on one core.
  struct Step {
    std::int32_t core = 0;
    std::int32_t scope = 0;  ///< the output scope it belongs to
    std::int32_t outer =
        0;  ///< outermost loop of the order that has gone on since the core's last step
    std::int32_t next = -1;   ///< of the same core
    std::uint32_t needs = 0;  ///< inputs, as bits
    std::int32_t waits =
        0;  ///< where its waits begin: those of its inputs in turn, up to the next step's
    bool begins = false, ends = false;  ///< the scope
    double share = 1;                   ///< elements of the tile, of a whole one
    double stored = 1;                  ///< of these, those of the output's tile alone
    double work = 0;
  };
  struct Wait {
    std::int32_t input = 0, scope = 0;
  };
  /// All steps of a walk, in an order in which tiles come after those they wait for.
  struct Trace {
    std::vector<Step> steps;
    std::vector<Wait> waits;
    std::int32_t cores = 0, scopes = 0;
    double compute = 0;  ///< of the busiest core
  };
  friend class TaskGraphBuilder;

  using Tiles = std::vector<std::int64_t>;  ///< per loop: how many are walked
  void chooseTiles();
  double stepsIn(const Tiles& tiles) const;
  Tiles halved() const;
  const Trace& trace(bool half, int level);
  static double walk(const Trace& trace, const WalkMovements& movements);

  const kernel::TileNest& m_nest;
  mapping::Mapping m_mapping;
  mapping::Tiling m_tiling;
  std::vector<double> m_cycles;           ///< per operation of the nest, on a whole tile
  std::vector<std::uint8_t> m_dependent;  ///< per loop: tiles along it wait for each other
  std::vector<std::vector<kernel::LoopId>> m_groups;  ///< loops whose tiles are of one number
  std::vector<std::uint8_t> m_cut;                    ///< per group: fewer are walked
  Tiles m_tiles;
  double m_left = 1;  ///< tiles of the kernel for each one that is walked
  std::map<std::pair<bool, int>, Trace> m_traces;
};

}  // namespace gridloom::cost
