// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "values/not_computed.h"
#include "values/value_machine.h"

namespace gridloom::values {

using kernel::ExprOp;
using kernel::LoopId;

void ValueMachine::holdOutput(const schedule::Buffer& buffer) {
  const kernel::Tensor& tensor = m_kernel.tensor(m_nest.outputs[index(buffer.operand)].tensor);
  m_held[tensor.name] = m_outputs[tensor.name];
  m_heldIterations[tensor.name] = index(buffer.slots);
}

void ValueMachine::hold(std::int32_t core, const kernel::Tensor& tensor, std::int64_t element,
                        double value) {
  const auto held = m_held.find(tensor.name);
  if (held == m_held.end()) return;
  held->second.data[static_cast<std::size_t>(element)] = value;
  auto& iterations = m_cores[index(core)].held[tensor.name];
  if (iterations.empty()) iterations.emplace_back();
  iterations.back().push_back(element);
}

// A core begins an outermost iteration: the oldest one loses its room.
void ValueMachine::dropOldest(std::int32_t core) {
  for (auto& [tensor, iterations] : m_cores[index(core)].held) {
    iterations.emplace_back();
    if (iterations.size() <= m_heldIterations[tensor]) continue;
    for (const std::int64_t element : iterations.front()) {
      m_held[tensor].data[static_cast<std::size_t>(element)] = kNotComputed;
    }
    iterations.pop_front();
  }
}

// Whether a statement defines an element at the current point, of the tile at the current ranges.
bool ValueMachine::isDefined(const kernel::Statement& statement) const {
  for (const affine::Constraint& c : statement.constraints) {
    const bool ofSum = std::ranges::any_of(
        statement.reductions, [&](LoopId loop) { return c.expr.dependsOn(loop.index()); });
    const std::int64_t value = ofSum ? 0 : c.expr.evaluate(m_point);
    if (c.equality ? value != 0 : value < 0) return false;
  }
  if (!m_dependent) return true;
  const auto made =
      std::ranges::find(m_nest.outputs, statement.target.tensor, &kernel::Operand::tensor);
  for (std::size_t d = 0; d < made->dims.size(); ++d) {
    const auto& loops = made->dims[d].index.coefficients;
    const auto loop = static_cast<std::size_t>(std::ranges::find(loops, 1) - loops.begin());
    const std::int64_t at = statement.target.indices[d].evaluate(m_point);
    if (at < m_ranges[loop].begin || at >= m_ranges[loop].end) return false;
  }
  return true;
}

// Sums accumulate over earlier tiles. In the tile in which they end, elements are computed one by
// one.
void ValueMachine::computeDependent(std::int32_t process) {
  const bool ends = std::ranges::all_of(m_nest.ends, [&](const kernel::TileNest::End& end) {
    return m_ranges[end.sum.index()].begin == m_ranges[end.by.index()].begin;
  });
  if (!ends) {
    for (const StatementPlan::Group& group : m_plan.body) {
      for (const StatementPlan::Step& step : group.steps) runStatement(process, step);
    }
    return;
  }
  const auto& last = m_nest.ends.empty() ? m_plan.body : m_plan.epilogue;
  const std::vector<kernel::LoopRange> tile = m_ranges;
  forPoints(m_nest.steps, 0, [&] {
    for (const LoopId loop : m_nest.steps) {
      const std::int64_t x = m_point[loop.index()];
      m_ranges[loop.index()] = {x, x + 1};
    }
    for (const StatementPlan::Group& group : last) {
      for (const StatementPlan::Step& step : group.steps) runStatement(process, step);
    }
    for (const LoopId loop : m_nest.steps) m_ranges[loop.index()] = tile[loop.index()];
  });
}

// The value accumulated over earlier tiles plus that of the current one.
double ValueMachine::finishedSum(std::int32_t process, std::int32_t sum, std::int64_t element) {
  const Elements& sums = m_cores[index(m_tokens.coreOf(process))].sums[index(sum)];
  const auto before = sums.find(element);
  for (const StatementPlan::Group& group : m_plan.body) {
    for (const StatementPlan::Step& step : group.steps) {
      if (step.toSum != sum) continue;
      std::vector<std::int64_t> point = m_point;
      const double value = isChosen(process, step) ? evaluate(process, step.statement, point)
                                                   : kernel::neutralOf(step.join);
      return before == sums.end() ? value : kernel::applyBinary(step.join, before->second, value);
    }
  }
  return 0;
}

}  // namespace gridloom::values
