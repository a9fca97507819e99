// SPDX-License-Identifier: Apache-2.0
#include "values/statement_plan.h"

#include <algorithm>

#include "kernel/dependences.h"
#include "kernel/inner_loops.h"
#include "kernel/loop_shares.h"
#include "kernel/statement_order.h"

namespace gridloom::values {
namespace {

using kernel::ExprNode;
using kernel::ExprOp;
using kernel::LoopId;
using kernel::Statement;

bool has(const std::vector<LoopId>& loops, LoopId loop) {
  return std::find(loops.begin(), loops.end(), loop) != loops.end();
}

bool isAllReduce(const std::vector<LoopId>& a, const std::vector<LoopId>& b) {
  return std::any_of(a.begin(), a.end(), [&](LoopId loop) { return has(b, loop); });
}

std::vector<LoopId> targetLoopsOf(const Statement& statement) {
  std::vector<LoopId> loops;
  for (const LoopId loop : statement.loops) {
    if (!has(statement.reductions, loop)) loops.push_back(loop);
  }
  return loops;
}

class Planner {
 public:
  Planner(const kernel::Kernel& kernel, const kernel::TileNest& nest,
          std::span<const std::size_t> splitAllReduces)
      : m_kernel(kernel),
        m_nest(nest),
        m_splitAllReduces(splitAllReduces),
        m_dependent(nest.hasProduced()) {
    m_inner = nest.reductions;
    m_inner.insert(m_inner.end(), nest.sequential.begin(), nest.sequential.end());
    m_inside = kernel::runInside(kernel, m_inner);
    m_running = kernel::runningLoops(kernel, kernel::flowDependences(kernel));
  }

  StatementPlan run() {
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      const kernel::AllReduce* reduce = nextAllReduce();
      if (reduce != nullptr && reduce->statement.index() == s) {
        placeAllReduce(statement, *reduce);
      } else {
        place(statement);
      }
    }
    return std::move(m_plan);
  }

 private:
  void place(const Statement& statement) {
    const bool everyTile =
        m_inside[static_cast<std::size_t>(&statement - m_kernel.statements.data())];
    if (!isAllReduce(statement.reductions, m_inner)) {
      StatementPlan::Step step{statement, targetLoopsOf(statement)};
      step.state = stateOf(statement);
      if (step.state >= 0) step.partial = m_plan.partials++;
      return append(everyTile ? m_plan.body : m_plan.epilogue, std::move(step));
    }
    if (!m_dependent && !kernel::doesMoreThanSum(statement, m_inner)) {
      const ExprOp join = statement.expr.back().op;
      StatementPlan::Step sum{statement, targetLoopsOf(statement), join};
      const kernel::Tensor& target = m_kernel.tensor(statement.target.tensor);
      if (target.role != kernel::TensorRole::Output) sum.partial = m_plan.partials++;
      return append(m_plan.body, std::move(sum));
    }
    StatementPlan::Step rest =
        splitOff(statement, kernel::outermostReductions(statement, m_inner), -1);
    append(m_plan.epilogue, std::move(rest));
  }

  const kernel::AllReduce* nextAllReduce() const {
    const auto next = static_cast<std::size_t>(m_part);
    return next < m_splitAllReduces.size() ? &m_nest.allReduces[m_splitAllReduces[next]] : nullptr;
  }

  // A core's own reduction ends one part of the body. The next part begins with the all-reduced
  // result.
  void placeAllReduce(const Statement& statement, const kernel::AllReduce& reduce) {
    const auto number =
        static_cast<std::int32_t>(m_splitAllReduces[static_cast<std::size_t>(m_part)]);
    StatementPlan::Step rest =
        splitOff(statement, kernel::outermostReductions(statement, reduce.over), number);
    ++m_part;
    append(m_plan.body, std::move(rest));
  }

  // Appends the sums of a statement to the body, each with an accumulator. Returns the rest of the
  // statement, which reads them.
  StatementPlan::Step splitOff(const Statement& statement, const std::vector<std::size_t>& sums,
                               std::int32_t reduce) {
    StatementPlan::Step rest{statement, targetLoopsOf(statement)};
    for (const std::size_t node : sums) {
      // Children precede their parents, so the nodes up to the sum are its expression.
      StatementPlan::Step part{statement,   rest.targetLoops,  statement.expr[node].op,
                               m_plan.sums, m_plan.partials++, reduce};
      part.statement.expr.resize(node + 1);
      part.guards = sumGuards(statement, node);
      rest.statement.expr[node] = ExprNode{};
      rest.fromSums.emplace_back(node, m_plan.sums++);
      append(m_plan.body, std::move(part));
    }
    return rest;
  }

  std::int32_t stateOf(const Statement& statement) const {
    if (!m_nest.merge) return -1;
    const auto& states = m_nest.merge->states;
    const auto at =
        std::ranges::find(states, statement.target.tensor, &kernel::StateMerge::State::tensor);
    return at == states.end() ? -1 : static_cast<std::int32_t>(at - states.begin());
  }

  void append(std::vector<StatementPlan::Group>& groups, StatementPlan::Step step) const {
    std::vector<LoopId> running = kernel::runningLoopsOf(step.statement, m_running);
    if (groups.empty() || groups.back().running != running || groups.back().part != m_part) {
      groups.push_back({running, {}, m_part});
    }
    groups.back().steps.push_back(std::move(step));
  }

  const kernel::Kernel& m_kernel;
  const kernel::TileNest& m_nest;
  std::span<const std::size_t> m_splitAllReduces;
  std::int32_t m_part = 0;  ///< current part of the body
  std::vector<LoopId> m_inner;
  std::vector<LoopId> m_running;  ///< loops with state that run index by index
  std::vector<bool> m_inside;     ///< per statement: it runs in every tile
  bool m_dependent;  ///< outputs depend on each other: a sum has an accumulator of its own
  StatementPlan m_plan;
};

}  // namespace

StatementPlan planStatements(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                             std::span<const std::size_t> splitAllReduces) {
  return Planner(kernel, nest, splitAllReduces).run();
}

}  // namespace gridloom::values
