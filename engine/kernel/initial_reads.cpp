// SPDX-License-Identifier: Apache-2.0
#include "kernel/initial_reads.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "kernel/read_guards.h"
#include "kernel/rebuilt_expression.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

/// A `select` between a read of state and a number.
struct Choice {
  std::int32_t read = -1;  ///< the node that reads
  double number = 0;
};

class NeedlessChoices {
 public:
  NeedlessChoices(const Kernel& kernel, TensorId state, const Statement& statement)
      : m_kernel(kernel),
        m_state(state),
        m_statement(statement),
        m_domain(domainOf(kernel, statement)) {}

  /// The choice that a node makes, if it gives the number exactly before the first index.
  std::optional<Choice> at(std::int32_t n) const {
    const ExprNode& node = nodeOf(m_statement, n);
    if (node.op != ExprOp::Select) return std::nullopt;
    for (const auto& [read, number] : {std::pair(node.rhs, node.other), {node.other, node.rhs}}) {
      if (nodeOf(m_statement, number).op != ExprOp::Constant || !readsState(read)) continue;
      if (!isWhereItExists(node.lhs, read == node.rhs, accessOf(read))) continue;
      return Choice{read, nodeOf(m_statement, number).constant};
    }
    return std::nullopt;
  }

 private:
  bool readsState(std::int32_t n) const {
    return nodeOf(m_statement, n).op == ExprOp::Read && accessOf(n).tensor == m_state;
  }
  const Access& accessOf(std::int32_t n) const {
    return m_statement.reads[static_cast<std::size_t>(nodeOf(m_statement, n).read)];
  }

  // Whether the condition says that no index is before the first, and nothing else.
  bool isWhereItExists(std::int32_t condition, bool holds, const Access& read) const {
    std::vector<LinearExpr> early;
    for (const LinearExpr& index : read.indices) {
      const auto bounds = affine::boundsOf(m_domain, index);
      if (bounds && bounds->min < 0) early.push_back(index);
    }
    const auto limits = conditionOf(m_kernel, m_statement, condition, holds);
    return limits && limits->size() == early.size() &&
           std::ranges::all_of(*limits, [&](const affine::Constraint& limit) {
             return !limit.equality && std::ranges::find(early, limit.expr) != early.end();
           });
  }

  const Kernel& m_kernel;
  TensorId m_state;
  const Statement& m_statement;
  affine::IntegerSet m_domain;
};

}  // namespace

void readInitialValue(Kernel& kernel, TensorId state) {
  std::optional<double> initial;
  for (Statement& statement : kernel.statements) {
    const NeedlessChoices choices(kernel, state, statement);
    std::vector<std::int32_t> readOf(statement.expr.size(), -1);
    for (std::size_t n = 0; n < readOf.size(); ++n) {
      const auto choice = choices.at(static_cast<std::int32_t>(n));
      if (!choice || choice->number != initial.value_or(choice->number)) continue;
      initial = choice->number;
      readOf[n] = choice->read;
    }
    if (std::ranges::any_of(readOf, [](std::int32_t read) { return read >= 0; })) {
      replaceNodes(statement, readOf);
    }
  }
  if (initial) kernel.tensors[state.index()].initial = initial;
}

}  // namespace gridloom::kernel
