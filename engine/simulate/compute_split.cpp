// SPDX-License-Identifier: Apache-2.0
#include "simulate/compute_split.h"

#include <algorithm>
#include <map>
#include <utility>

#include "schedule/active_tiles.h"

namespace gridloom::simulate {

namespace {

using kernel::LoopId;
using kernel::Phase;
using kernel::TileOp;

constexpr std::size_t kEverywhere = 64;

/// Adds up the operations of one class of cores.
class Splitter {
 public:
  Splitter(const schedule::Schedule& schedule, const schedule::Placement& placement,
           const kernel::TileNest& nest, const hardware::ComputeModel& compute)
      : m_schedule(schedule),
        m_nest(nest),
        m_placement(placement),
        m_compute(compute),
        m_ladder(timing::computeLadder(compute)),
        m_tiles(schedule, placement) {
    m_isGuarded = !m_schedule.work.always() || std::ranges::any_of(m_nest.ops, [](const auto& op) {
      return !op.guard.always();
    });
  }

  bool isGuarded() const { return m_isGuarded; }

  ComputeParts of(std::int32_t core) {
    m_parts = {};
    const auto& program =
        m_schedule.programs[m_schedule.programOfCore[static_cast<std::size_t>(core)].index()];
    for (const schedule::Process& process : program.processes) {
      if (process.role == schedule::Process::Role::Compute) addCode(core, process);
    }
    return m_parts;
  }

 private:
  using Extents = std::vector<std::int64_t>;

  void addCode(std::int32_t core, const schedule::Process& process) {
    std::size_t depth = 0;
    for (const schedule::Instruction& at : process.code) {
      if (at.op == schedule::Op::LoopBegin) ++depth;
      if (at.op == schedule::Op::LoopEnd) --depth;
      // All-reduces split an iteration; its first part stands for the whole of it.
      if (at.op == schedule::Op::Compute && at.arg == 0) addBody(core);
      if (at.op == schedule::Op::Epilogue) addTiles(core, Phase::Epilogue, depth);
    }
  }

  void addBody(std::int32_t core) {
    if (!m_isGuarded) return addTiles(core, Phase::Every, kEverywhere);
    std::vector<std::int32_t> waves(m_schedule.order.size(), 0);
    addGuarded(core, 0, waves);
  }

  /// All combinations of full and edge tiles of the loops that the operations are repeated over:
  /// those around the instruction and, inside it, those of the outputs.
  void addTiles(std::int32_t core, Phase phase, std::size_t depth) {
    const auto& shape =
        m_placement.shapes()[static_cast<std::size_t>(m_placement.shapeIndex(core))];
    Extents extents;
    for (std::size_t l = 0; l < m_schedule.tiling.loops.size(); ++l) {
      const bool temporal = kernel::contains(m_schedule.order, LoopId::of(l));
      const bool atEdge = !temporal && shape.hasEdgeTile[l] != 0;
      extents.push_back(atEdge ? edgeOf(LoopId::of(l)) : m_schedule.tiling.loops[l].tileSize);
    }
    addCombinations(shape, phase, depth, 0, 1, extents);
  }

  void addCombinations(const schedule::TileShape& shape, Phase phase, std::size_t depth,
                       std::size_t position, double times, Extents& extents) {
    if (position == m_schedule.order.size()) return addOps(phase, times, extents);
    const LoopId loop = m_schedule.order[position];
    const bool repeats = position < depth || kernel::contains(m_nest.outputLoops, loop);
    if (!repeats) return addCombinations(shape, phase, depth, position + 1, times, extents);
    const bool hasEdgeTile = shape.hasEdgeTile[loop.index()] != 0;
    const std::int32_t full = shape.waves[position] - (hasEdgeTile ? 1 : 0);
    const std::int64_t whole = std::exchange(extents[loop.index()], edgeOf(loop));
    if (hasEdgeTile) addCombinations(shape, phase, depth, position + 1, times, extents);
    extents[loop.index()] = whole;
    if (full > 0) addCombinations(shape, phase, depth, position + 1, times * full, extents);
  }

  std::int64_t edgeOf(LoopId loop) const {
    const auto& l = m_schedule.tiling.loops[loop.index()];
    return l.extent - (l.tiles - 1) * l.tileSize;
  }

  void addOps(Phase phase, double times, const Extents& extents) {
    if (phase == Phase::Every && timing::chains(m_compute, m_nest))
      return addChained(times, extents);
    for (const TileOp& op : m_nest.ops) {
      if (op.phase == phase) addOp(op, times, extents);
    }
  }

  /// The unit that works longer decides; the flops of the other are in its shadow.
  void addChained(double times, const Extents& extents) {
    ComputeParts matrix{}, vector{};
    timing::UnitCycles cycles;
    for (const TileOp& op : m_nest.ops) {
      if (op.phase != Phase::Every) continue;
      const timing::OpTime time = timing::opTime(op, extents, m_compute);
      cycles.add(time);
      const ComputeParts parts = timing::opParts(op, extents, m_ladder);
      ComputeParts& of = time.unit == kernel::UnitKind::Matrix ? matrix : vector;
      for (std::size_t part = 0; part < of.size(); ++part) of[part] += parts[part];
    }
    if (cycles.isVectorInFront) {
      for (std::size_t part = 0; part < m_parts.size(); ++part)
        m_parts[part] += times * (matrix[part] + vector[part]);
      return;
    }
    const bool products = cycles.matrix >= cycles.vector;
    const ComputeParts& longer = products ? matrix : vector;
    const double shadowed = (products ? vector : matrix)[0];
    for (std::size_t part = 0; part < m_parts.size(); ++part) m_parts[part] += times * longer[part];
    m_parts[static_cast<std::size_t>(timing::ComputePart::AtPeak)] += times * shadowed;
    m_parts[static_cast<std::size_t>(timing::ComputePart::UnitRate)] -= times * shadowed;
  }

  void addOp(const TileOp& op, double times, const Extents& extents) {
    const ComputeParts parts = timing::opParts(op, extents, m_ladder);
    for (std::size_t part = 0; part < m_parts.size(); ++part) m_parts[part] += times * parts[part];
  }

  void addGuarded(std::int32_t core, std::size_t position, std::vector<std::int32_t>& waves) {
    if (position < waves.size()) {
      for (std::int32_t wave = 0; wave < m_placement.waves(core, static_cast<int>(position));
           ++wave) {
        waves[position] = wave;
        addGuarded(core, position + 1, waves);
      }
      return;
    }
    static const schedule::TileDemand none;
    const auto spans = m_tiles.spans(none, core, waves, static_cast<int>(waves.size()));
    m_extents.clear();
    for (const kernel::TileSpan& span : spans) m_extents.push_back(span.end - span.begin);
    for (const TileOp& op : m_nest.ops) {
      if (op.phase == Phase::Every && op.guard.holds(spans)) addOp(op, 1, m_extents);
    }
  }

  const schedule::Schedule& m_schedule;
  const kernel::TileNest& m_nest;
  const schedule::Placement& m_placement;
  const hardware::ComputeModel& m_compute;
  const timing::ComputeLadder m_ladder;
  schedule::ActiveTiles m_tiles;
  bool m_isGuarded = false;
  Extents m_extents;  ///< of a guarded tile
  ComputeParts m_parts{};
};

}  // namespace

ComputeSplit splitCompute(const schedule::Schedule& schedule, const schedule::Placement& placement,
                          const kernel::TileNest& nest, const hardware::ComputeModel& compute) {
  Splitter splitter(schedule, placement, nest, compute);
  ComputeSplit split;
  // Without guards, cores with the same tile counts and the same program do the same.
  std::map<std::pair<std::int32_t, std::size_t>, std::int32_t> known;
  for (std::int32_t core = 0; core < placement.coreCount(); ++core) {
    if (!placement.active(core)) {
      split.classOf.push_back(-1);
      continue;
    }
    const std::size_t program = schedule.programOfCore[static_cast<std::size_t>(core)].index();
    const auto next = static_cast<std::int32_t>(split.classes.size());
    const auto [found, isNew] = known.try_emplace({placement.shapeIndex(core), program}, next);
    const bool needed = isNew || splitter.isGuarded();
    if (needed) split.classes.push_back(splitter.of(core));
    split.classOf.push_back(needed ? next : found->second);
  }
  return split;
}

}  // namespace gridloom::simulate
