// SPDX-License-Identifier: Apache-2.0
#include "cost/task_graph.h"

#include <algorithm>

namespace gridloom::cost {

using kernel::LoopId;

namespace {

// Work of an operation on a tile. It runs once per index of the loops it steps along, which need
// not be among its own.
double workOf(const kernel::TileOp& op, std::span<const std::int64_t> extents) {
  double work = kernel::flops(op, extents);
  for (const LoopId loop : op.stepped) {
    if (!kernel::contains(op.loops, loop)) work *= static_cast<double>(extents[loop.index()]);
  }
  return work;
}

}  // namespace

TaskGraphBuilder::TaskGraphBuilder(const kernel::TileNest& nest, const mapping::Mapping& mapping,
                                   const mapping::Tiling& tiling, const std::vector<double>& cycles,
                                   const std::vector<std::uint8_t>& dependent,
                                   const TracedTiles& tiles, int level)
    : m_nest(nest),
      m_mapping(mapping),
      m_tiling(tiling),
      m_cycles(cycles),
      m_dependent(dependent),
      m_traced(tiles),
      m_tiles(tiles.count),
      m_outputLevel(static_cast<std::size_t>(mapping::outputLevel(nest, mapping.order))),
      m_spans(tiling.loops.size()),
      m_tile(tiling.loops.size()),
      m_extents(tiling.loops.size()) {
  for (const kernel::TileOp& op : nest.ops) {
    m_wholeWork.push_back(workOf(op, tiling.tileSizes));
    m_guardOfOp.push_back(addGuard(op.guard));
  }
  for (const kernel::Operand& input : nest.inputs) m_guardOfInput.push_back(addGuard(input.guard));
  for (std::size_t l = 0; l < m_spans.size(); ++l) setTile(l, 0);
  chooseSequence(level);
  collectTerms();
  for (const std::vector<std::size_t>& loops : m_gridLoops) {
    std::size_t size = 1;
    for (const std::size_t l : loops) size *= static_cast<std::size_t>(m_tiles[l]);
    m_scopeOf.emplace_back(size, -1);
  }
}

void TaskGraphBuilder::collectTerms() {
  for (const kernel::Operand& output : m_nest.outputs) {
    std::vector<std::size_t>& loops = m_gridLoops.emplace_back();
    for (const kernel::RegionDim& dim : output.dims) {
      for (std::size_t l = 0; l < m_tiles.size(); ++l) {
        if (dim.index.dependsOn(l)) loops.push_back(l);
      }
    }
  }
  m_terms.resize(m_nest.inputs.size());
  m_makerOf.resize(m_nest.inputs.size());
  for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
    const kernel::Operand& window = m_nest.inputs[i];
    if (!window.produced) continue;
    while (m_nest.outputs[m_makerOf[i]].tensor != window.tensor) ++m_makerOf[i];
    for (std::size_t d = 0; d < window.dims.size(); ++d) {
      Terms& terms = m_terms[i].emplace_back();
      terms.maker = window.makers[d].index();
      for (std::size_t l = 0; l < m_tiles.size(); ++l) {
        const std::int64_t c = window.dims[d].index.coefficient(l);
        if (c != 0) terms.loops.emplace_back(l, c);
      }
    }
  }
}

void TaskGraphBuilder::setTile(std::size_t loop, std::int64_t tile) {
  const mapping::LoopTiling& t = m_tiling.loops[loop];
  const std::int64_t number = m_traced.numberOf(loop, tile);
  m_tile[loop] = tile;
  m_spans[loop] = {number * t.tileSize, std::min(t.extent, (number + 1) * t.tileSize), number,
                   number};
}

// The same order as in mapping/dependences: time, then position along spatial loops.
void TaskGraphBuilder::chooseSequence(int level) {
  const auto& order = m_mapping.order;
  const std::size_t shared = std::min(static_cast<std::size_t>(level), m_outputLevel);
  const auto inOrder = [&](std::size_t l, std::size_t from, std::size_t to) {
    return std::find(order.begin() + static_cast<std::ptrdiff_t>(from),
                     order.begin() + static_cast<std::ptrdiff_t>(to),
                     LoopId::of(l)) != order.begin() + static_cast<std::ptrdiff_t>(to);
  };
  for (std::size_t p = 0; p < shared; ++p) m_sequence.push_back({order[p].index(), false});
  for (std::size_t l = 0; l < m_tiles.size(); ++l) {
    if (unrollOf(l) > 1 && !inOrder(l, 0, shared)) m_sequence.push_back({l, true});
  }
  for (std::size_t p = shared; p < m_outputLevel; ++p) {
    m_sequence.push_back({order[p].index(), false});
  }
}

DependenceCriticalPath::Trace TaskGraphBuilder::build() {
  std::size_t cores = 1;
  for (std::size_t l = 0; l < m_tiles.size(); ++l) {
    cores *= static_cast<std::size_t>(unrollOf(l));
  }
  m_lastOf.assign(cores, -1);
  m_lastTiles.resize(cores * m_tiles.size());
  m_work.assign(cores, 0.0);
  m_out.cores = static_cast<std::int32_t>(cores);
  forScopes(0);
  m_out.compute = *std::max_element(m_work.begin(), m_work.end());
  for (auto step = m_out.steps.rbegin(); step != m_out.steps.rend(); ++step) {
    if (step->next < 0) continue;
    const auto& next = m_out.steps[static_cast<std::size_t>(step->next)];
    step->later = next.work + next.later;
  }
  return std::move(m_out);
}

void TaskGraphBuilder::forScopes(std::size_t at) {
  if (at == m_sequence.size()) return scope();
  const auto [loop, byCore] = m_sequence[at];
  const std::int64_t unroll = unrollOf(loop);
  const std::int64_t held = m_tile[loop];
  // A loop whose core positions come first in the sequence then advances by waves on each core.
  const bool placed =
      std::any_of(m_sequence.begin(), m_sequence.begin() + static_cast<std::ptrdiff_t>(at),
                  [&, of = loop](const Stage& s) { return s.loop == of; });
  const std::int64_t first = placed ? held : 0;
  const std::int64_t end = byCore ? std::min(unroll, m_tiles[loop]) : m_tiles[loop];
  for (std::int64_t tile = first; tile < end; tile += placed ? unroll : 1) {
    setTile(loop, tile);
    forScopes(at + 1);
  }
  setTile(loop, placed ? held : 0);
}

void TaskGraphBuilder::scope() {
  m_first = true;
  const std::size_t before = m_out.steps.size();
  inside(m_outputLevel);
  if (m_out.steps.size() == before) return;
  m_out.steps.back().ends = true;
  m_out.coreOf.push_back(m_out.steps.back().core);
  ++m_out.scopes;
}

void TaskGraphBuilder::inside(std::size_t position) {
  if (position == m_mapping.order.size()) return step();
  const std::size_t loop = m_mapping.order[position].index();
  const std::int64_t unroll = unrollOf(loop);
  const std::int64_t first = m_tile[loop] % unroll;
  for (std::int64_t tile = first; tile < m_tiles[loop]; tile += unroll) {
    setTile(loop, tile);
    inside(position + 1);
  }
  setTile(loop, first);
}

std::size_t TaskGraphBuilder::gridNumber(std::size_t output) const {
  std::size_t number = 0;
  for (const std::size_t l : m_gridLoops[output]) {
    number = number * static_cast<std::size_t>(m_tiles[l]) + static_cast<std::size_t>(m_tile[l]);
  }
  return number;
}

std::size_t TaskGraphBuilder::coreAt() const {
  std::size_t core = 0;
  for (std::size_t l = 0; l < m_tiles.size(); ++l) {
    core = core * static_cast<std::size_t>(unrollOf(l)) +
           static_cast<std::size_t>(m_tile[l] % unrollOf(l));
  }
  return core;
}

// The outermost loop of the order whose tile is not that of the core's last step.
std::int32_t TaskGraphBuilder::advancedLoop(std::size_t core) const {
  const auto& order = m_mapping.order;
  std::int32_t at = 0;
  for (; at < static_cast<std::int32_t>(order.size()); ++at) {
    const std::size_t loop = order[static_cast<std::size_t>(at)].index();
    if (m_tile[loop] != m_lastTiles[core * m_tiles.size() + loop]) break;
  }
  return at;
}

void TaskGraphBuilder::addShares(DependenceCriticalPath::Step& step) {
  for (std::size_t l = 0; l < m_spans.size(); ++l) {
    m_extents[l] = m_spans[l].end - m_spans[l].begin;
    if (m_extents[l] == m_tiling.loops[l].tileSize) continue;
    const double share =
        static_cast<double>(m_extents[l]) / static_cast<double>(m_tiling.loops[l].tileSize);
    step.share *= share;
    if (m_nest.outputs.front().dependsOn(LoopId::of(l))) step.stored *= share;
  }
}

std::size_t TaskGraphBuilder::addGuard(const kernel::TileGuard& guard) {
  const auto same =
      std::ranges::find_if(m_guards, [&](const Guard& known) { return *known.guard == guard; });
  const auto at = static_cast<std::size_t>(same - m_guards.begin());
  if (same == m_guards.end()) m_guards.push_back({&guard});
  return at;
}

// Whether a guard holds at the step that is added.
bool TaskGraphBuilder::holdsAt(std::size_t guard) {
  Guard& known = m_guards[guard];
  const std::size_t step = m_out.steps.size();
  if (known.step != step) known = {known.guard, step, known.guard->holds(m_spans)};
  return known.holds;
}

double TaskGraphBuilder::workOfTile(bool isWhole) {
  double work = 0;
  for (std::size_t n = 0; n < m_nest.ops.size(); ++n) {
    const kernel::TileOp& op = m_nest.ops[n];
    if (!holdsAt(m_guardOfOp[n])) continue;
    work += m_cycles[n] * (isWhole ? 1 : workOf(op, m_extents) / m_wholeWork[n]);
  }
  return work;
}

void TaskGraphBuilder::step() {
  if (!m_nest.work.holds(m_spans)) return;
  const std::size_t core = coreAt();
  DependenceCriticalPath::Step step;
  step.core = static_cast<std::int32_t>(core);
  step.scope = m_out.scopes;
  step.begins = std::exchange(m_first, false);
  step.waits = static_cast<std::int32_t>(m_out.waits.size());
  step.outer = -1;
  if (m_lastOf[core] >= 0) {
    step.outer = advancedLoop(core);
    m_out.steps[static_cast<std::size_t>(m_lastOf[core])].next =
        static_cast<std::int32_t>(m_out.steps.size());
  }
  m_lastOf[core] = static_cast<std::int32_t>(m_out.steps.size());
  for (std::size_t l = 0; l < m_spans.size(); ++l) {
    m_lastTiles[core * m_tiles.size() + l] = m_tile[l];
  }
  addShares(step);
  step.work = workOfTile(step.share == 1);
  m_work[core] += step.work;
  for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
    if (!holdsAt(m_guardOfInput[i])) continue;
    step.needs |= std::uint32_t{1} << i;
    if (m_nest.inputs[i].produced) addWaits(i);
  }
  for (std::size_t o = 0; o < m_nest.outputs.size(); ++o) {
    m_scopeOf[o][gridNumber(o)] = m_out.scopes;
  }
  m_out.steps.push_back(step);
}

// The tiles that a window reads here, from m_low to m_high; false if there are none.
bool TaskGraphBuilder::findMakers(std::size_t input) {
  const kernel::Operand& window = m_nest.inputs[input];
  m_low.clear();
  m_high.clear();
  for (std::size_t d = 0; d < window.dims.size(); ++d) {
    const kernel::RegionDim& dim = window.dims[d];
    const auto& [loops, maker] = m_terms[input][d];
    std::int64_t low = dim.index.constant, high = low;
    for (const auto& [l, c] : loops) {
      low += c * (c > 0 ? m_spans[l].begin : m_spans[l].end - 1);
      high += c * (c > 0 ? m_spans[l].end - 1 : m_spans[l].begin);
    }
    if (dim.behind) high = low - 1 - dim.maxOffset;
    low = std::max<std::int64_t>(0, low + dim.minOffset);
    high += dim.maxOffset;
    if (high < low) return false;
    const std::int64_t tileSize = m_tiling.loops[maker].tileSize;
    low = m_traced.tileAt(maker, low / tileSize);
    high = std::min(m_tiles[maker] - 1, m_traced.tileAt(maker, high / tileSize));
    if (high < low) return false;
    m_low.push_back(low);
    m_high.push_back(high);
  }
  return true;
}

// Adds waits for the scopes that make what the window reads here, other than the step's own scope.
void TaskGraphBuilder::addWaits(std::size_t input) {
  if (!findMakers(input)) return;
  const std::vector<Terms>& terms = m_terms[input];
  const std::vector<std::int32_t>& scopeOf = m_scopeOf[m_makerOf[input]];
  m_at = m_low;
  for (;;) {
    std::size_t number = 0;
    for (std::size_t d = 0; d < m_at.size(); ++d) {
      number = number * static_cast<std::size_t>(m_tiles[terms[d].maker]) +
               static_cast<std::size_t>(m_at[d]);
    }
    const std::int32_t scope = scopeOf[number];
    if (scope >= 0 && scope != m_out.scopes) {
      m_out.waits.push_back({static_cast<std::int32_t>(input), scope});
    }
    std::size_t d = m_at.size();
    while (d > 0 && ++m_at[d - 1] > m_high[d - 1]) {
      m_at[d - 1] = m_low[d - 1];
      --d;
    }
    if (d == 0) return;
  }
}

}  // namespace gridloom::cost
