// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cost/dependence_critical_path.h"

namespace gridloom::cost {

/// The tiles of a trace: per loop, `count` that are spread over `of`.
struct TracedTiles {
  std::vector<std::int64_t> count;
  std::vector<std::int64_t> of;

  /// The number among `of` of a traced tile.
  std::int64_t numberOf(std::size_t loop, std::int64_t tile) const {
    return isSpread(loop) ? tile * of[loop] / count[loop] : tile;
  }
  /// The last traced tile up to a number among `of`; those behind it are taken for it.
  std::int64_t tileAt(std::size_t loop, std::int64_t number) const {
    return isSpread(loop) ? ((number + 1) * count[loop] - 1) / of[loop] : number;
  }
  bool isSpread(std::size_t loop) const { return of[loop] != count[loop]; }
};

/// Builds the steps of a trace: output scopes one after the other, each after those it waits for.
class TaskGraphBuilder {
 public:
  /// `cycles`: per operation. `level`: the outermost level of a transfer that waits for tiles;
  /// scopes are ordered by time down to it, then by core.
  TaskGraphBuilder(const kernel::TileNest& nest, const mapping::Mapping& mapping,
                   const mapping::Tiling& tiling, const std::vector<double>& cycles,
                   const std::vector<std::uint8_t>& dependent, const TracedTiles& tiles, int level);
  DependenceCriticalPath::Trace build();

 private:
  void chooseSequence(int level);
  void forScopes(std::size_t at);
  void scope();
  void inside(std::size_t position);
  void step();
  void addWaits(std::size_t input);
  std::int64_t unrollOf(std::size_t loop) const {
    return m_dependent[loop] != 0 ? m_tiling.loops[loop].unroll : 1;
  }
  void setTile(std::size_t loop, std::int64_t tile);
  std::size_t coreAt() const;
  std::int32_t advancedLoop(std::size_t core) const;
  void addShares(DependenceCriticalPath::Step& step);
  std::size_t addGuard(const kernel::TileGuard& guard);
  bool holdsAt(std::size_t guard);
  double workOfTile(bool isWhole);
  std::size_t gridNumber(std::size_t output) const;
  void collectTerms();
  bool findMakers(std::size_t input);

  const kernel::TileNest& m_nest;
  const mapping::Mapping& m_mapping;
  const mapping::Tiling& m_tiling;
  const std::vector<double>& m_cycles;
  const std::vector<std::uint8_t>& m_dependent;
  const TracedTiles& m_traced;
  const std::vector<std::int64_t>& m_tiles;  ///< per loop: how many are traced
  std::size_t m_outputLevel = 0;
  /// Loops in the order in which scopes follow each other: tile by tile, or by core position only.
  struct Stage {
    std::size_t loop = 0;
    bool byCore = false;
  };
  std::vector<Stage> m_sequence;
  /// A dimension of a produced window: the loops in its index, and the output that has the tiles.
  struct Terms {
    std::vector<std::pair<std::size_t, std::int64_t>> loops;  ///< with their coefficients
    std::size_t maker = 0;
  };
  std::vector<std::vector<Terms>> m_terms;            ///< per input that is produced, per dimension
  std::vector<std::size_t> m_makerOf;                 ///< per input that is produced: its output
  std::vector<std::vector<std::size_t>> m_gridLoops;  ///< per output: loops of its grid, in order
  std::vector<std::int64_t> m_low, m_high, m_at;      ///< tiles that a window reads, per dimension
  std::vector<kernel::TileSpan> m_spans;              ///< per loop: the current tile
  std::vector<std::int64_t> m_tile;                   ///< per loop: its number in the trace
  std::vector<std::int64_t> m_extents;                ///< per loop: its elements
  std::vector<double> m_wholeWork;                    ///< per operation, for a whole tile
  /// A guard of operations and inputs that have equal ones, and what is known of it at a step.
  struct Guard {
    const kernel::TileGuard* guard = nullptr;
    std::size_t step = static_cast<std::size_t>(-1);
    bool holds = true;
  };
  std::vector<Guard> m_guards;
  std::vector<std::size_t> m_guardOfOp, m_guardOfInput;
  std::vector<std::int32_t> m_lastOf;                ///< per core: its last step, or -1
  std::vector<std::int64_t> m_lastTiles;             ///< per core, per loop: the tile of that step
  std::vector<double> m_work;                        ///< per core
  std::vector<std::vector<std::int32_t>> m_scopeOf;  ///< per output, per tile of its grid
  bool m_first = true;                               ///< first step of the current scope
  DependenceCriticalPath::Trace m_out;
};

}  // namespace gridloom::cost
