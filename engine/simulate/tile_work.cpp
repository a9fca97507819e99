// SPDX-License-Identifier: Apache-2.0
#include "simulate/tile_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "schedule/split_all_reduces.h"
#include "timing/op_cycles.h"

namespace gridloom::simulate {

using base::plainError;
using kernel::LoopId;

/// Fills the tables of a TileWork.
class TileWorkBuilder {
 public:
  TileWorkBuilder(const schedule::PlacedSchedule& placed, const hardware::ComputeModel& compute)
      : m_schedule(placed.schedule),
        m_shapes(placed.placement.shapes()),
        m_nest(placed.nest),
        m_compute(compute),
        m_order(m_schedule.order) {}

  base::Diagnostics check() const {
    base::Diagnostics errors;
    if (m_order.size() > TileWork::kMaxTemporal) {
      errors.push_back(plainError(
          fmt::format("the schedule has {} temporal loops, the simulator takes at most {}",
                      m_order.size(), TileWork::kMaxTemporal),
          "larger tile sizes leave fewer loops with more than one trip"));
    }
    for (const kernel::TileOp& op : m_nest.ops) {
      if (op.unit == kernel::UnitKind::Matrix && m_compute.matrixSustained <= 0 &&
          m_compute.vectorDefault <= 0) {
        errors.push_back(plainError("the cores have neither a matrix nor a vector unit"));
        break;
      }
      checkRate(op, errors);
      if (!errors.empty()) break;
    }
    const bool combines =
        std::any_of(m_schedule.outputs.begin(), m_schedule.outputs.end(),
                    [](const schedule::OperandTransfer& output) { return output.isReduced; });
    if (errors.empty() && combines && m_compute.vectorRate("add") <= 0) {
      errors.push_back(
          plainError("partial results cannot be added: the cores have no vector unit"));
    }
    for (std::size_t i = 0;
         errors.empty() && combines && m_nest.merge && i < m_nest.merge->ops.size(); ++i) {
      checkRate(m_nest.merge->ops[i], errors);
    }
    for (const std::size_t r : schedule::allReducesOf(m_schedule, m_nest)) {
      for (const kernel::TileOp& op : m_nest.allReduces[r].ops) {
        if (errors.empty()) checkRate(op, errors);
      }
    }
    return errors;
  }

  void checkRate(const kernel::TileOp& op, base::Diagnostics& errors) const {
    if (op.unit != kernel::UnitKind::Vector || m_compute.vectorRate(kernel::nameOf(op.fn)) > 0)
      return;
    errors.push_back(
        plainError(fmt::format("no unit of the cores performs `{}`", kernel::nameOf(op.fn)),
                   "give a df.vec unit a default throughput"));
  }

  TileWork build() {
    TileWork work;
    const auto outer = static_cast<std::size_t>(m_schedule.outputLevel);
    addBody(work);
    work.m_epilogue = fill<double>(outer, m_nest.outputLoops, [&](const Extents& e) {
      return cyclesIn(kernel::Phase::Epilogue, 0, kEveryStage, e);
    });
    for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
      const kernel::Operand& operand = m_nest.inputs[i];
      const schedule::OperandTransfer& transfer = m_schedule.inputs[i];
      const auto bytes = [&](const Extents& e) { return kernel::regionBytes(operand, e); };
      work.m_input.push_back(
          fill<std::int64_t>(static_cast<std::size_t>(transfer.hoistLevel), operand.loops, bytes));
      auto& shared = work.m_shared.emplace_back();
      for (std::size_t k = 0; k < shared.size(); ++k) {
        if (transfer.sharedLevels[k] < 0) continue;
        shared[k] = fill<std::int64_t>(static_cast<std::size_t>(transfer.sharedLevels[k]),
                                       operand.loops, bytes);
      }
    }
    for (std::size_t o = 0; o < m_nest.outputs.size(); ++o) {
      const kernel::Operand& operand = m_nest.outputs[o];
      work.m_output.push_back(fill<std::int64_t>(
          outer, operand.loops, [&](const Extents& e) { return kernel::regionBytes(operand, e); }));
      addPartials(work, o);
    }
    for (const schedule::TileShape& shape : m_shapes) {
      std::vector<TileWork::Edge> edges;
      for (std::size_t p = 0; p < m_order.size(); ++p) {
        if (shape.hasEdgeTile[m_order[p].index()] != 0) {
          edges.push_back({static_cast<int>(p), shape.waves[p] - 1});
        }
      }
      work.m_edges.push_back(std::move(edges));
    }
    return work;
  }

 private:
  using Extents = std::vector<std::int64_t>;
  static constexpr int kEveryStage = std::numeric_limits<int>::max() - 1;

  double joinCycles(std::int64_t elements) const {
    return timing::additionCycles(elements, m_compute);
  }

  template <class T> static void add(TileWork::Table<T>& to, const TileWork::Table<T>& more) {
    to.width = more.width;
    to.values.resize(more.values.size(), T{});
    for (std::size_t i = 0; i < more.values.size(); ++i) to.values[i] += more.values[i];
  }

  // Size of an output's partial results, and the time to join them: of all its sums.
  void addPartials(TileWork& work, std::size_t o) const {
    const kernel::Operand& output = m_nest.outputs[o];
    const auto outer = static_cast<std::size_t>(m_schedule.outputLevel);
    TileWork::Table<double> join;
    TileWork::Table<std::int64_t> bytes;
    const auto addTime = [&](std::span<const LoopId> loops, const auto& cycles) {
      add(join, fill<double>(outer, loops, cycles));
    };
    const auto addSum = [&](std::span<const LoopId> loops, const auto& elementsOf,
                            kernel::DType dtype) {
      if (!m_nest.merge)
        addTime(loops, [&](const Extents& e) { return joinCycles(elementsOf(e)); });
      add(bytes, fill<std::int64_t>(outer, loops, [&](const Extents& e) {
            return kernel::bytesOf(dtype, elementsOf(e));
          }));
    };
    const auto& partials = m_schedule.outputs[o].partials;
    if (partials.tile) {
      addSum(
          output.loops, [&](const Extents& e) { return kernel::regionElements(output, e); },
          output.dtype);
    }
    for (const std::size_t l : partials.locals) {
      const kernel::LocalBuffer& local = m_nest.locals[l];
      const auto elementsOf = [&](const Extents& e) {
        std::int64_t elements = 1;
        for (const LoopId loop : local.loops) elements *= e[loop.index()];
        return elements;
      };
      addSum(local.loops, elementsOf, local.dtype);
    }
    // Loop-carried state has an associative combine of its own.
    if (m_nest.merge && partials.any()) {
      for (const kernel::TileOp& op : m_nest.merge->ops) {
        addTime(op.loops, [&](const Extents& e) { return timing::opCycles(op, e, m_compute); });
      }
    }
    work.m_reduction.push_back(std::move(join));
    work.m_partial.push_back(std::move(bytes));
  }

  std::int64_t shortExtent(LoopId loop) const {
    const auto& l = m_schedule.tiling.loops[loop.index()];
    return l.extent - (l.tiles - 1) * l.tileSize;
  }

  // Extents of a tile where the loops in the mask are at their edge tile. Loops with one trip are
  // at their only tile, the other inner loops at a full one.
  Extents extentsFor(const schedule::TileShape& shape, EdgeMask edges) const {
    Extents extents;
    for (std::size_t l = 0; l < m_schedule.tiling.loops.size(); ++l) {
      const auto p = std::find(m_order.begin(), m_order.end(), LoopId::of(l)) - m_order.begin();
      const bool temporal = p < static_cast<std::ptrdiff_t>(m_order.size());
      const bool atEdge = temporal ? (edges >> p & 1u) != 0 : shape.hasEdgeTile[l] != 0;
      extents.push_back(atEdge ? shortExtent(LoopId::of(l)) : m_schedule.tiling.loops[l].tileSize);
    }
    return extents;
  }

  template <class T, class Value>
  T sumInside(const schedule::TileShape& shape, std::size_t position, std::span<const LoopId> loops,
              Extents& extents, const Value& value) const {
    if (position == m_order.size()) return value(extents);
    const LoopId loop = m_order[position];
    if (std::find(loops.begin(), loops.end(), loop) == loops.end()) {
      return sumInside<T>(shape, position + 1, loops, extents, value);
    }
    const bool hasEdgeTile = shape.hasEdgeTile[loop.index()] != 0;
    const std::int32_t full = shape.waves[position] - (hasEdgeTile ? 1 : 0);
    T sum = 0;
    if (full > 0) {
      extents[loop.index()] = m_schedule.tiling.loops[loop.index()].tileSize;
      sum += static_cast<T>(full) * sumInside<T>(shape, position + 1, loops, extents, value);
    }
    if (hasEdgeTile) {
      extents[loop.index()] = shortExtent(loop);
      sum += sumInside<T>(shape, position + 1, loops, extents, value);
    }
    return sum;
  }

  template <class T, class Value>
  TileWork::Table<T> fill(std::size_t depth, std::span<const LoopId> loops,
                          const Value& value) const {
    TileWork::Table<T> table;
    table.width = std::size_t{1} << depth;
    table.values.assign(table.width * m_shapes.size(), T{});
    for (std::size_t s = 0; s < m_shapes.size(); ++s) {
      EdgeMask possible = 0;
      for (std::size_t p = 0; p < depth; ++p) {
        if (m_shapes[s].hasEdgeTile[m_order[p].index()] != 0) possible |= EdgeMask{1} << p;
      }
      for (EdgeMask edges = 0; edges < table.width; ++edges) {
        if ((edges & ~possible) != 0) continue;
        Extents extents = extentsFor(m_shapes[s], edges);
        table.values[s * table.width + edges] =
            sumInside<T>(m_shapes[s], depth, loops, extents, value);
      }
    }
    return table;
  }

  // The parts of the body between its all-reduces, and the cycles of the reductions.
  void addBody(TileWork& work) const {
    const std::vector<std::size_t> splitAllReduces = schedule::allReducesOf(m_schedule, m_nest);
    int from = 0;
    for (std::size_t part = 0; part <= splitAllReduces.size(); ++part) {
      const int to =
          part < splitAllReduces.size() ? static_cast<int>(splitAllReduces[part]) : kEveryStage;
      work.m_body.push_back(fill<double>(m_order.size(), {}, [&](const Extents& e) {
        return cyclesIn(kernel::Phase::Every, from, to, e);
      }));
      from = to + 1;
    }
    for (const kernel::AllReduce& reduce : m_nest.allReduces) {
      work.m_join.push_back(fill<double>(m_order.size(), {}, [&](const Extents& e) {
        double cycles = 0;
        for (const kernel::TileOp& op : reduce.ops) cycles += timing::opCycles(op, e, m_compute);
        return cycles;
      }));
      work.m_contribution.push_back(fill<std::int64_t>(
          m_order.size(), {}, [&](const Extents& e) { return kernel::resultBytes(reduce, e); }));
    }
  }

  // Cycles of the stages from `first` to `last`.
  double cyclesIn(kernel::Phase phase, int first, int last, const Extents& extents) const {
    timing::UnitCycles cycles;
    for (const kernel::TileOp& op : m_nest.ops) {
      if (op.phase != phase || op.stage < first || op.stage > last) continue;
      cycles.add(timing::opTime(op, extents, m_compute));
    }
    const bool behind = phase == kernel::Phase::Epilogue;
    return (behind ? cycles : cycles.chained(m_compute, m_nest)).total();
  }

  const schedule::Schedule& m_schedule;
  std::span<const schedule::TileShape> m_shapes;
  const kernel::TileNest& m_nest;
  const hardware::ComputeModel& m_compute;
  const std::vector<LoopId>& m_order;
};

base::Result<TileWork> TileWork::make(const schedule::PlacedSchedule& placed,
                                      const hardware::ComputeModel& compute) {
  TileWorkBuilder builder(placed, compute);
  base::Diagnostics errors = builder.check();
  if (!errors.empty()) return errors;
  return builder.build();
}

EdgeMask TileWork::edges(std::int32_t shape, std::span<const std::int32_t> waves, int depth) const {
  EdgeMask mask = 0;
  for (const Edge& edge : m_edges[static_cast<std::size_t>(shape)]) {
    if (edge.position < depth && waves[static_cast<std::size_t>(edge.position)] == edge.wave) {
      mask |= EdgeMask{1} << edge.position;
    }
  }
  return mask;
}

}  // namespace gridloom::simulate
