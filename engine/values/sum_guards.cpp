// SPDX-License-Identifier: Apache-2.0
#include "values/sum_guards.h"

#include <algorithm>

namespace gridloom::values {

namespace {

using kernel::ExprNode;
using kernel::ExprOp;

class GuardFinder {
 public:
  GuardFinder(const kernel::Statement& statement, std::size_t sum)
      : m_statement(statement), m_sum(static_cast<std::int32_t>(sum)) {}

  std::vector<SumGuard> run() {
    find(static_cast<std::int32_t>(m_statement.expr.size()) - 1);
    return std::move(m_guards);
  }

 private:
  const ExprNode& at(std::int32_t n) const { return nodeOf(m_statement, n); }

  // Collects the conditions of the `select`s between a node and the sum below it; false if the sum
  // is not below the node.
  bool find(std::int32_t n) {
    if (n == m_sum) return true;
    const ExprNode& node = at(n);
    const auto operands = node.operands();
    const auto above = std::ranges::find_if(
        operands, [&](std::int32_t operand) { return operand >= 0 && find(operand); });
    if (above == operands.end()) return false;
    if (node.op == ExprOp::Select && *above != node.lhs) add(node.lhs, *above == node.rhs);
    return true;
  }

  void add(std::int32_t n, bool holds) {
    const ExprNode& node = at(n);
    if (isKnown(n)) {
      SumGuard guard{m_statement, holds};
      guard.condition.expr.resize(static_cast<std::size_t>(n) + 1);
      m_guards.push_back(std::move(guard));
    } else if (node.op == ExprOp::Not) {
      add(node.lhs, !holds);
    } else if (node.op == (holds ? ExprOp::And : ExprOp::Or)) {
      add(node.lhs, holds);
      add(node.rhs, holds);
    }
  }

  bool isKnown(std::int32_t n) const {
    const ExprNode& node = at(n);
    if (node.op == ExprOp::Read && !gathersBy(m_sum, accessOf(node))) return false;
    return std::ranges::all_of(
        node.operands(), [&](std::int32_t operand) { return operand < 0 || isKnown(operand); });
  }

  bool gathersBy(std::int32_t n, const kernel::Access& index) const {
    const ExprNode& node = at(n);
    if (node.op == ExprOp::Read) {
      return std::ranges::any_of(accessOf(node).gathers, [&](const kernel::IndexRead& gather) {
        return sameElement(gather.access, index);
      });
    }
    return std::ranges::any_of(node.operands(), [&](std::int32_t operand) {
      return operand >= 0 && gathersBy(operand, index);
    });
  }

  const kernel::Access& accessOf(const ExprNode& node) const {
    return m_statement.reads[static_cast<std::size_t>(node.read)];
  }

  const kernel::Statement& m_statement;
  std::int32_t m_sum;
  std::vector<SumGuard> m_guards;
};

}  // namespace

std::vector<SumGuard> sumGuards(const kernel::Statement& statement, std::size_t sum) {
  return GuardFinder(statement, sum).run();
}

}  // namespace gridloom::values
