// SPDX-License-Identifier: Apache-2.0
#include "cost/dependence_critical_path.h"

#include <algorithm>
#include <cmath>

#include "cost/compute.h"
#include "cost/extrapolation.h"
#include "cost/task_graph.h"
#include "mapping/dependences.h"
#include "timing/op_cycles.h"

namespace gridloom::cost {

using kernel::LoopId;

namespace {

// A trace of so many steps takes well under a millisecond.
constexpr double kMostSteps = 4000;
// Where loops are tied, as in a factorisation, waiting follows no simple law: more is walked.
constexpr double kMostTiedSteps = 16000;
// Where guards leave out tiles, about one tile in so many has work.
constexpr double kOneOf = 4;
// Iterations of a loop without dependences: the first ones fill, later ones repeat.
constexpr std::int64_t kAlikeIterations = 4;

// To build a step of a trace takes about as long as to walk it so often: 44% to 13% of a profile
// of cholesky on wormhole_8x8.
constexpr std::int64_t kBuilt = 4;

constexpr double kForever = std::numeric_limits<double>::infinity();

}  // namespace

DependenceCriticalPath::DependenceCriticalPath(const kernel::TileNest& nest,
                                               const mapping::Mapping& mapping,
                                               const mapping::Tiling& tiling,
                                               const hardware::ComputeModel& compute)
    : m_nest(nest), m_mapping(mapping), m_tiling(tiling) {
  std::vector<std::int64_t> tileSizes;
  for (const mapping::LoopTiling& loop : tiling.loops) tileSizes.push_back(loop.tileSize);
  for (const kernel::TileOp& op : nest.ops)
    m_cycles.push_back(timing::opCycles(op, tileSizes, compute));
  chooseTiles();
}

void DependenceCriticalPath::chooseTiles() {
  const std::size_t loops = m_tiling.loops.size();
  m_dependent.assign(loops, 0);
  for (const kernel::Operand& window : m_nest.inputs) {
    if (!window.produced) continue;
    for (std::size_t d = 0; d < window.dims.size(); ++d) {
      const kernel::RegionDim& dim = window.dims[d];
      const std::size_t maker = window.makers[d].index();
      if (dim.index == affine::LinearExpr::dim(maker) && dim.minOffset == 0 && dim.maxOffset == 0) {
        continue;
      }
      m_dependent[maker] = 1;
      for (std::size_t l = 0; l < loops; ++l) {
        if (dim.index.dependsOn(l)) m_dependent[l] = 1;
      }
    }
  }
  std::vector<std::uint8_t> grouped(loops, 0);
  for (const std::vector<LoopId>& tied : m_nest.ties) {
    m_groups.push_back(tied);
    const bool waits =
        std::ranges::any_of(tied, [&](LoopId l) { return m_dependent[l.index()] != 0; });
    for (const LoopId loop : tied) {
      grouped[loop.index()] = 1;
      m_dependent[loop.index()] = waits ? 1 : 0;
    }
  }
  for (std::size_t l = 0; l < loops; ++l) {
    m_tiles.push_back(m_dependent[l] != 0 ? m_tiling.loops[l].tiles
                                          : std::min(kAlikeIterations, m_tiling.loops[l].trips));
    if (grouped[l] == 0) m_groups.push_back({LoopId::of(l)});
  }
  m_left.assign(m_groups.size(), 1);
  findCrossed();
  cutWaves();
  cutCores();
  for (std::size_t g = 0; g < m_groups.size(); ++g) {
    const std::size_t l = m_groups[g].front().index();
    const auto all = static_cast<double>(m_dependent[l] != 0 ? m_tiling.loops[l].tiles
                                                             : m_tiling.loops[l].trips);
    const auto walked = static_cast<double>(m_tiles[l]);
    if (walked >= all) continue;
    m_left[g] = all / walked;
  }
}

// Where a tile reads what lies along one loop at the number of another, `d[k, j]` of `d[i, j]`, it
// waits for tiles as far behind it as that number says: a trace has tiles of the whole range.
void DependenceCriticalPath::findCrossed() {
  m_crossed.assign(m_tiles.size(), 0);
  for (const kernel::Operand& window : m_nest.inputs) {
    if (!window.produced) continue;
    for (std::size_t d = 0; d < window.dims.size(); ++d) {
      const std::size_t maker = window.makers[d].index();
      for (std::size_t l = 0; l < m_tiles.size(); ++l) {
        if (l != maker && window.dims[d].index.dependsOn(l)) m_crossed[l] = m_crossed[maker] = 1;
      }
    }
  }
  for (const std::vector<LoopId>& tied : m_nest.ties) {
    for (const LoopId loop : tied) m_crossed[loop.index()] = 0;
  }
}

TracedTiles DependenceCriticalPath::traced(const Groups& halves) const {
  TracedTiles traced{halved(halves), {}};
  for (std::size_t l = 0; l < m_tiles.size(); ++l) {
    const bool isSpread = m_crossed[l] != 0;
    traced.of.push_back(isSpread ? m_tiling.loops[l].tiles : traced.count[l]);
  }
  return traced;
}

bool DependenceCriticalPath::isTooMany() const {
  const bool anyTied = !m_nest.ties.empty();
  return stepsIn(m_tiles) > (anyTied ? kMostTiedSteps : kMostSteps);
}

// The group with the most tiles above its floor.
template <class Floor>
std::optional<std::size_t> DependenceCriticalPath::widest(const Floor& floor) const {
  std::optional<std::size_t> found;
  for (std::size_t g = 0; g < m_groups.size(); ++g) {
    const std::int64_t tiles = m_tiles[m_groups[g].front().index()];
    if (tiles <= floor(g)) continue;
    if (!found || tiles > m_tiles[m_groups[*found].front().index()]) found = g;
  }
  return found;
}

void DependenceCriticalPath::cut(std::size_t group, std::int64_t floor) {
  for (const LoopId loop : m_groups[group]) {
    std::int64_t& tiles = m_tiles[loop.index()];
    tiles = std::max((tiles + 1) / 2, floor);
  }
}

// Fewer iterations of every core, down to two: waiting grows with them in proportion. Of one loop
// as far as possible: where a single loop is cut, the extrapolation is a straight line.
void DependenceCriticalPath::cutWaves() {
  const auto twoWaves = [&](std::size_t group) {
    std::int64_t unroll = 1;
    for (const LoopId loop : m_groups[group]) {
      if (m_dependent[loop.index()] != 0)
        unroll = std::max(unroll, m_tiling.loops[loop.index()].unroll);
    }
    return 2 * unroll;
  };
  while (isTooMany()) {
    const std::optional<std::size_t> group = widest(twoWaves);
    if (!group) return;
    const std::int64_t floor = twoWaves(*group);
    while (isTooMany() && m_tiles[m_groups[*group].front().index()] > floor) cut(*group, floor);
  }
}

// Where those of all cores are too many, fewer cores.
void DependenceCriticalPath::cutCores() {
  const auto fewest = [](std::size_t) { return std::int64_t{3}; };
  while (isTooMany()) {
    const std::optional<std::size_t> group = widest(fewest);
    if (!group) return;
    cut(*group, 0);
  }
}

double DependenceCriticalPath::stepsIn(const Tiles& tiles) const {
  double steps = 1;
  for (const std::int64_t count : tiles) steps *= static_cast<double>(count);
  return m_nest.work.always() ? steps : steps / kOneOf;
}

DependenceCriticalPath::Tiles DependenceCriticalPath::halved(const Groups& groups) const {
  Tiles tiles = m_tiles;
  for (const std::size_t g : groups) {
    for (const LoopId loop : m_groups[g]) tiles[loop.index()] = (tiles[loop.index()] + 1) / 2;
  }
  return tiles;
}

DependenceCriticalPath::Trace& DependenceCriticalPath::trace(const Groups& halves, int level) {
  const auto [at, fresh] = m_traces.try_emplace({halves, level});
  if (fresh) {
    at->second =
        TaskGraphBuilder(m_nest, m_mapping, m_tiling, m_cycles, m_dependent, traced(halves), level)
            .build();
    m_steps += kBuilt * static_cast<std::int64_t>(at->second.steps.size() * m_nest.inputs.size());
  }
  return at->second;
}

double DependenceCriticalPath::waiting(const Groups& halves, const WalkMovements& movements) {
  Trace& part = trace(halves, levelOf(movements));
  return std::max(walk(part, movements, kForever) - part.compute, 0.0);
}

double DependenceCriticalPath::cycles(const WalkMovements& movements, double compute,
                                      double enough) {
  Trace& whole = trace({}, levelOf(movements));
  const Groups cut = cutGroups();
  if (cut.empty()) return walk(whole, movements, enough);
  // Most candidates take too long by what their trace alone waits, without smaller ones.
  const double enoughTime = enough - compute + whole.compute;
  const double time = walk(whole, movements, enoughTime);
  if (time > enoughTime) return kForever;
  const auto extrapolated = [&](const auto& extrapolation) {
    return compute + extrapolation.of(std::max(time - whole.compute, 0.0));
  };
  const auto isTied = [&](std::size_t g) { return m_groups[g].size() > 1; };
  if (cut.size() <= 2 && std::ranges::none_of(cut, isTied))
    return extrapolated(lines(cut, movements));
  double left = 1, growth = 1;
  for (const std::size_t g : cut) {
    left *= m_left[g];
    growth *= growthOf(g);
  }
  return extrapolated(PowerExtrapolation(waiting(cut, movements), left, growth));
}

// How often the second half of a group's tiles follows those of the trace.
double DependenceCriticalPath::repeats(std::size_t group) const {
  const double growth = growthOf(group);
  return growth > 1 ? (m_left[group] - 1) / (1 - 1 / growth) : 0;
}

LinearExtrapolation DependenceCriticalPath::lines(const Groups& cut,
                                                  const WalkMovements& movements) {
  LinearExtrapolation lines;
  lines.add(waiting({cut[0]}, movements), repeats(cut[0]));
  if (cut.size() == 1) return lines;
  LinearExtrapolation fewer;
  fewer.add(waiting(cut, movements), repeats(cut[0]));
  lines.add(fewer.of(waiting({cut[1]}, movements)), repeats(cut[1]));
  return lines;
}

double DependenceCriticalPath::least(const WalkMovements& movements, double compute,
                                     double enough) {
  Trace& whole = trace({}, levelOf(movements));
  if (cutGroups().empty()) return walk(whole, movements, enough);
  // The waiting of a part of the tiles is the least that all of them wait.
  const double time = walk(whole, movements, enough - compute + whole.compute);
  return compute + std::max(time - whole.compute, 0.0);
}

// The outermost level at which tiles of outputs move.
int DependenceCriticalPath::levelOf(const WalkMovements& movements) const {
  if (mapping::isWavefront(m_nest)) return mapping::outputLevel(m_nest, m_mapping.order);
  int level = static_cast<int>(m_mapping.order.size());
  for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
    if (m_nest.inputs[i].produced && movements.inputs[i].moves) {
      level = std::min(level, movements.inputs[i].level);
    }
  }
  return level;
}

DependenceCriticalPath::Groups DependenceCriticalPath::cutGroups() const {
  Groups cut;
  for (std::size_t g = 0; g < m_groups.size(); ++g) {
    if (m_left[g] > 1) cut.push_back(g);
  }
  return cut;
}

// Tiles of the trace per tile where a group is halved.
double DependenceCriticalPath::growthOf(std::size_t group) const {
  const std::size_t l = m_groups[group].front().index();
  return static_cast<double>(m_tiles[l]) / static_cast<double>(halved({group})[l]);
}

}  // namespace gridloom::cost
