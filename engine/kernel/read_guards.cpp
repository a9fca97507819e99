// SPDX-License-Identifier: Apache-2.0
#include "kernel/read_guards.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "kernel/loop_values.h"

namespace gridloom::kernel {

namespace {

using affine::Constraint;
using affine::LinearExpr;

class GuardReader {
 public:
  GuardReader(const Statement& statement, std::size_t read)
      : m_statement(statement), m_read(static_cast<std::int32_t>(read)) {}

  // What the condition says, if guards can say all of it.
  std::optional<ReadGuards> all(std::int32_t condition, bool holds) {
    addCondition(condition, holds);
    return m_more ? std::nullopt : std::optional(std::move(m_guards));
  }

  ReadGuards run() {
    const auto reads = std::ranges::count(m_statement.expr, m_read, &ExprNode::read);
    if (reads == 1) find(static_cast<std::int32_t>(m_statement.expr.size()) - 1);
    return std::move(m_guards);
  }

 private:
  const ExprNode& at(std::int32_t n) const { return m_statement.expr[static_cast<std::size_t>(n)]; }

  // Collects the conditions of the `select`s between node n and the read below it; false if the
  // read is not below n.
  bool find(std::int32_t n) {
    const ExprNode& node = at(n);
    if (node.op == ExprOp::Read && node.read == m_read) return true;
    const auto operands = node.operands();
    const auto above = std::ranges::find_if(
        operands, [&](std::int32_t operand) { return operand >= 0 && find(operand); });
    if (above == operands.end()) return false;
    if (node.op == ExprOp::Select && *above != node.lhs) addCondition(node.lhs, *above == node.rhs);
    return true;
  }

  // What follows from the condition holding, or not holding.
  void addCondition(std::int32_t n, bool holds) {
    const ExprNode& node = at(n);
    if (node.op == ExprOp::Not) return addCondition(node.lhs, !holds);
    if (node.op == (holds ? ExprOp::And : ExprOp::Or)) {
      addCondition(node.lhs, holds);
      addCondition(node.rhs, holds);
    } else {
      addComparison(n, holds);
    }
  }

  void addComparison(std::int32_t n, bool holds) {
    Compared compared = compare(m_statement, n, holds);
    m_more = m_more || !(compared.constraint || compared.nonZero);
    if (compared.constraint) m_guards.constraints.push_back(*std::move(compared.constraint));
    if (compared.nonZero) m_guards.nonZero.push_back(*std::move(compared.nonZero));
  }

  const Statement& m_statement;
  std::int32_t m_read;
  ReadGuards m_guards;
  bool m_more = false;  ///< a condition says more than the guards
};

// Takes the points where the expression is 0 out of the domain. Only an expression that is nowhere
// negative or nowhere positive in the domain can do so, as what is left must be convex. Returns
// whether it did.
bool cutZero(const LinearExpr& expr, affine::IntegerSet& domain) {
  const auto bounds = affine::boundsOf(domain, expr);
  if (!bounds || (bounds->min != 0 && bounds->max != 0)) return false;
  const LinearExpr away = bounds->min == 0 ? expr : expr * -1;
  domain.constraints.push_back({away - LinearExpr::number(1)});
  return true;
}

}  // namespace

ReadGuards readGuards(const Statement& statement, std::size_t read) {
  return GuardReader(statement, read).run();
}

bool addGuards(ReadGuards guards, affine::IntegerSet& domain) {
  std::ranges::move(guards.constraints, std::back_inserter(domain.constraints));
  // What one condition takes out may leave a domain from which another can: `i != 1` once `i != 0`
  // has made it `i >= 1`.
  const auto cut = [&](const LinearExpr& expr) { return cutZero(expr, domain); };
  while (std::erase_if(guards.nonZero, cut) > 0) continue;
  return guards.nonZero.empty();
}

std::optional<std::vector<Constraint>> conditionOf(const Kernel& kernel, const Statement& statement,
                                                   std::int32_t condition, bool holds) {
  auto guards = GuardReader(statement, 0).all(condition, holds);
  if (!guards) return std::nullopt;
  affine::IntegerSet domain;
  for (const Loop& loop : kernel.loops) domain.extents.push_back(loop.extent);
  if (!addGuards(*std::move(guards), domain)) return std::nullopt;
  return std::move(domain.constraints);
}

}  // namespace gridloom::kernel
