// SPDX-License-Identifier: Apache-2.0
#include "kernel/scaled_terms.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernel/expr_summary.h"
#include "kernel/loop_sets.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/scopes.h"

namespace gridloom::kernel {

namespace {

using Nodes = std::vector<ExprNode>;

/// `sum(g) scale * (sum(r) other * factor)`, by the places of its nodes.
struct ScaledSum {
  std::int32_t outer = -1, product = -1, inner = -1, scale = -1;
  bool isLeft = false;  ///< the factor that has the loops of the scale is the left one
};

double iterations(const Kernel& kernel, const std::vector<LoopId>& loops) {
  double count = 1;
  for (const LoopId loop : loops) count *= static_cast<double>(kernel.loop(loop).extent);
  return count;
}

bool hasReduction(const Statement& statement, std::int32_t n) {
  if (n < 0) return false;
  const ExprNode& node = nodeOf(statement, n);
  return isReduction(node.op) || std::ranges::any_of(node.operands(), [&](std::int32_t operand) {
           return hasReduction(statement, operand);
         });
}

class ScaledSums {
 public:
  ScaledSums(const Kernel& kernel, const Statement& statement)
      : m_kernel(kernel), m_statement(statement), m_summary(statement) {}

  std::optional<ScaledSum> find() const {
    for (std::size_t n = 0; n < m_statement.expr.size(); ++n) {
      const ExprNode& outer = m_statement.expr[n];
      if (outer.op != ExprOp::Sum || nodeOf(m_statement, outer.lhs).op != ExprOp::Mul) continue;
      const ExprNode& product = nodeOf(m_statement, outer.lhs);
      for (const bool swapped : {false, true}) {
        ScaledSum sum{static_cast<std::int32_t>(n), outer.lhs, product.rhs, product.lhs};
        if (swapped) std::swap(sum.inner, sum.scale);
        if (isScaled(sum)) return sum;
      }
    }
    return std::nullopt;
  }

 private:
  // Sets the factor that has the loops of the scale, and no more elements than there are sums.
  bool isScaled(ScaledSum& sum) const {
    const ExprNode& inner = nodeOf(m_statement, sum.inner);
    if (inner.op != ExprOp::Sum || hasReduction(m_statement, sum.scale)) return false;
    const ExprNode& term = nodeOf(m_statement, inner.lhs);
    if (term.op != ExprOp::Mul || hasReduction(m_statement, inner.lhs)) return false;
    const auto& scale = m_summary.loopsOf(sum.scale);
    std::vector<LoopId> sums = targetLoops(m_statement);
    const std::vector<LoopId>& groups = nodeOf(m_statement, sum.outer).loops;
    sums.insert(sums.end(), groups.begin(), groups.end());
    for (const bool isLeft : {false, true}) {
      const auto& factor = m_summary.loopsOf(isLeft ? term.lhs : term.rhs);
      if (!without(scale, factor).empty()) continue;
      if (iterations(m_kernel, factor) > iterations(m_kernel, sums)) continue;
      sum.isLeft = isLeft;
      return true;
    }
    return false;
  }

  const Kernel& m_kernel;
  const Statement& m_statement;
  ExprSummary m_summary;
};

void scaleTerms(Statement& statement, const ScaledSum& sum) {
  const std::vector<LoopId> terms = nodeOf(statement, sum.inner).loops;
  const bool innerIsLeft = nodeOf(statement, sum.product).lhs == sum.inner;
  std::int32_t n = -1;
  rebuildExpression(statement, [&](ExprNode node, Nodes& nodes) {
    ++n;
    if (n == sum.outer) node.loops.insert(node.loops.end(), terms.begin(), terms.end());
    if (n != sum.product) return addNode(nodes, std::move(node));
    const std::int32_t inner = innerIsLeft ? node.lhs : node.rhs;
    const std::int32_t scale = innerIsLeft ? node.rhs : node.lhs;
    const auto at = [&](std::int32_t place) { return nodes[static_cast<std::size_t>(place)]; };
    const ExprNode term = at(at(inner).lhs);
    const std::int32_t factor =
        addNode(nodes, ExprOp::Mul, sum.isLeft ? term.lhs : term.rhs, scale);
    return addNode(nodes, ExprOp::Mul, sum.isLeft ? term.rhs : term.lhs, factor);
  });
  replaceNodes(statement, std::vector<std::int32_t>(statement.expr.size(), -1));
}

}  // namespace

std::optional<Kernel> withScaledTerms(const Kernel& kernel) {
  std::optional<Kernel> draft;
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    Statement statement = kernel.statements[s];
    const auto sum = ScaledSums(kernel, statement).find();
    if (!sum) continue;
    scaleTerms(statement, *sum);
    base::Diagnostics errors;
    takeScope(kernel, statement, errors);
    if (!draft) draft = kernel;
    draft->statements[s] = std::move(statement);
  }
  return draft;
}

}  // namespace gridloom::kernel
