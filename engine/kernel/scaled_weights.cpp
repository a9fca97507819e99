// SPDX-License-Identifier: Apache-2.0
#include "kernel/scaled_weights.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/expr_summary.h"
#include "kernel/loop_sets.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/softmax_pattern.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;
using Nodes = std::vector<ExprNode>;

/// A product or quotient with a factor that may stand elsewhere.
struct Scaled {
  std::int32_t product = -1, factor = -1, rest = -1;
};

// `x * f`, `f * x` or `x / f` at a node, if the factor is as wanted.
template <typename Test>
std::optional<Scaled> scaledAt(const Statement& statement, std::int32_t n, const Test& isFactor) {
  const ExprNode& node = nodeOf(statement, n);
  if (node.op != ExprOp::Mul && node.op != ExprOp::Div) return std::nullopt;
  if (isFactor(node.rhs)) return Scaled{n, node.rhs, node.lhs};
  if (node.op == ExprOp::Mul && isFactor(node.lhs)) return Scaled{n, node.lhs, node.rhs};
  return std::nullopt;
}

// A weight as a whole: the product at the root of a local, by an element of fewer loops.
std::optional<Scaled> scaledWeight(const Kernel& kernel, const Statement& statement) {
  if (!isPlainLocal(kernel, statement) || !hasLoopPerIndex(statement)) return std::nullopt;
  const std::int32_t root = static_cast<std::int32_t>(statement.expr.size()) - 1;
  return scaledAt(statement, root, [&](std::int32_t n) {
    const ExprNode& node = nodeOf(statement, n);
    if (node.op != ExprOp::Read) return false;
    const Access& scale = statement.reads[static_cast<std::size_t>(node.read)];
    return !scale.isGather() && loopsOf(scale).size() < targetLoops(statement).size();
  });
}

// Scales what a statement reads of the weights.
void scaleReads(Statement& reader, const Statement& weights, const Scaled& scaled,
                std::size_t loops) {
  const ExprOp op = nodeOf(weights, scaled.product).op;
  const auto scale = static_cast<std::size_t>(nodeOf(weights, scaled.factor).read);
  const std::vector<LoopId> dims = loopPerIndex(weights.target);
  rebuildExpression(reader, [&](ExprNode node, Nodes& nodes) {
    const bool isRead = node.op == ExprOp::Read;
    const auto read = static_cast<std::size_t>(node.read);
    const std::int32_t place = addNode(nodes, std::move(node));
    if (!isRead || reader.reads[read].tensor != weights.target.tensor) return place;
    std::vector<LinearExpr> values;
    for (std::size_t l = 0; l < loops; ++l) values.push_back(LinearExpr::dim(l));
    for (std::size_t d = 0; d < dims.size(); ++d)
      values[dims[d].index()] = reader.reads[read].indices[d];
    const std::int32_t by = addNode(nodes, ExprOp::Read);
    nodes.back().read = static_cast<std::int32_t>(reader.reads.size());
    reader.reads.push_back(withLoopsAt(weights.reads[scale], values));
    return addNode(nodes, op, place, by);
  });
}

// Whether the scale of a local moved to its readers. A recurrence reads itself: it is no weight.
bool scaleReaders(Kernel& kernel) {
  const TensorCycles cycles(kernel);
  for (Statement& weights : kernel.statements) {
    const TensorId local = weights.target.tensor;
    const auto scaled = scaledWeight(kernel, weights);
    if (!scaled || cycles.isBetween(local, local)) continue;
    for (Statement& reader : kernel.statements)
      scaleReads(reader, weights, *scaled, kernel.loops.size());
    std::vector<std::int32_t> instead(weights.expr.size(), -1);
    instead.back() = scaled->rest;
    replaceNodes(weights, instead);
    dropUnusedReads(weights);
    return true;
  }
  return false;
}

class SumFactors {
 public:
  SumFactors(const Kernel& kernel, Statement& statement)
      : m_kernel(kernel), m_statement(statement), m_summary(statement) {}

  // Whether a factor left the sum that it does not depend on.
  bool hoist() {
    for (std::size_t n = 0; n < m_statement.expr.size(); ++n) {
      const ExprNode& sum = m_statement.expr[n];
      if (sum.op != ExprOp::Sum) continue;
      const auto scaled = find(sum.lhs, sum.loops);
      if (!scaled || !hasTerms(n)) continue;
      hoist(static_cast<std::int32_t>(n), *scaled);
      return true;
    }
    return false;
  }

 private:
  std::optional<Scaled> find(std::int32_t n, const Loops& loops) const {
    const auto found = scaledAt(m_statement, n, [&](std::int32_t factor) {
      return m_summary.isComputed(factor) && common(m_summary.loopsOf(factor), loops).empty();
    });
    const ExprNode& node = nodeOf(m_statement, n);
    if (found || (node.op != ExprOp::Mul && node.op != ExprOp::Div)) return found;
    const auto left = find(node.lhs, loops);
    return left || node.op == ExprOp::Div ? left : find(node.rhs, loops);
  }

  // An empty sum is 0, but divided by its divisor it has no value.
  bool hasTerms(std::size_t sum) const {
    const Loops& loops = m_statement.expr[sum].loops;
    const auto limits = [&](const affine::Constraint& c) {
      return std::ranges::any_of(loops, [&](LoopId l) { return c.expr.dependsOn(l.index()); });
    };
    if (std::ranges::none_of(m_statement.constraints, limits)) return true;
    // For some values of a reduction around it, it may have none.
    if (!enclosingReductions(m_statement)[sum].empty()) return false;
    const Access& target = m_statement.target;
    const affine::Image terms{
        domainOver(m_kernel, m_statement, unite(targetLoops(m_statement), loops)), target.indices};
    const auto missing = affine::missingPieces(m_kernel.tensor(target.tensor).shape, {&terms, 1});
    return missing && missing->empty();
  }

  void hoist(std::int32_t sum, const Scaled& scaled) {
    const ExprOp op = nodeOf(m_statement, scaled.product).op;
    const bool isLeft = nodeOf(m_statement, scaled.product).lhs == scaled.rest;
    std::int32_t n = -1, factor = -1;
    rebuildExpression(m_statement, [&](ExprNode node, Nodes& nodes) {
      ++n;
      if (n == scaled.product) return isLeft ? node.lhs : node.rhs;
      const std::int32_t place = addNode(nodes, std::move(node));
      if (n == scaled.factor) factor = place;
      return n == sum ? addNode(nodes, op, place, factor) : place;
    });
  }

  const Kernel& m_kernel;
  Statement& m_statement;
  ExprSummary m_summary;
};

}  // namespace

std::optional<Kernel> withWholeWeights(const Kernel& kernel) {
  Kernel draft = kernel;
  bool changed = false;
  while (scaleReaders(draft)) changed = true;
  for (Statement& statement : draft.statements) {
    while (SumFactors(draft, statement).hoist()) changed = true;
  }
  if (!changed) return std::nullopt;
  dropLocalCopies(draft);
  base::Diagnostics errors;
  for (Statement& statement : draft.statements) takeScope(draft, statement, errors);
  return draft;
}

}  // namespace gridloom::kernel
