// SPDX-License-Identifier: Apache-2.0
#include "kernel/folded_halves.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/read_guards.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::Constraint;
using affine::LinearExpr;
using Nodes = std::vector<ExprNode>;

/// Kernels of more statements are not folded: a few rotary embeddings have fewer.
constexpr std::size_t kMostStatements = 16;

bool isOver(const Statement& statement, LoopId loop) { return contains(statement.loops, loop); }

// Whether the lower half reads elements of the upper one.
bool readsUpperHalf(const Statement& statement, LoopId loop, std::int64_t half) {
  return std::ranges::any_of(statement.reads, [&](const Access& read) {
    return std::ranges::any_of(read.indices, [&](const LinearExpr& index) {
      return index.constant == half && isBareLoop(index - LinearExpr::number(index.constant)) &&
             index.dependsOn(loop.index());
    });
  });
}

// Whether a condition is decided on a domain: it holds everywhere, or nowhere.
std::optional<bool> decided(const affine::IntegerSet& domain, const std::vector<Constraint>& all) {
  bool holds = true;
  for (const Constraint& one : all) {
    const auto bounds = affine::boundsOf(domain, one.expr);
    if (!bounds) return std::nullopt;
    if (bounds->max < 0 || (one.equality && bounds->min > 0)) return false;
    holds = holds && bounds->min >= 0 && (!one.equality || bounds->max == 0);
  }
  return holds ? std::optional(true) : std::nullopt;
}

class HalfFolder {
 public:
  HalfFolder(const Kernel& kernel, LoopId loop) : m_draft(kernel), m_loop(loop) {
    m_half = kernel.loop(loop).extent / 2;
  }

  Kernel run() {
    std::vector<Statement> halves;
    for (const Statement& statement : m_draft.statements) {
      if (!isOver(statement, m_loop)) {
        halves.push_back(statement);
        continue;
      }
      const LinearExpr loop = LinearExpr::dim(m_loop.index());
      add(statement, {LinearExpr::number(m_half - 1) - loop}, halves);
      add(statement, {loop - LinearExpr::number(m_half)}, halves);
    }
    Loop& loop = m_draft.loops[m_loop.index()];
    loop.extent = loop.declared = m_half;
    loop.declaredSpelling.clear();
    m_draft.statements = std::move(halves);
    base::Diagnostics errors;
    for (Statement& statement : m_draft.statements) takeScope(m_draft, statement, errors);
    return std::move(m_draft);
  }

 private:
  void add(Statement statement, const Constraint& half, std::vector<Statement>& out) const {
    const bool isUpper = half.expr.coefficient(m_loop.index()) > 0;
    statement.constraints.push_back(half);
    statement.constraintSpelling.clear();
    const affine::IntegerSet domain = targetDomainOf(m_draft, statement);
    if (affine::isEmpty(domain)) return;
    decideChoices(statement, domain);
    if (isUpper) shift(statement);
    const affine::IntegerSet box{domain.extents, {}};
    std::erase_if(statement.constraints, [&](const Constraint& c) {
      affine::IntegerSet shorter = box;
      shorter.extents[m_loop.index()] = m_half;
      return c.expr.dependsOn(m_loop.index()) && decided(shorter, {c}) == true;
    });
    out.push_back(std::move(statement));
  }

  static void decideChoices(Statement& statement, const affine::IntegerSet& domain) {
    std::vector<std::int32_t> instead(statement.expr.size(), -1);
    for (std::size_t n = 0; n < statement.expr.size(); ++n) {
      const ExprNode& node = statement.expr[n];
      if (node.op != ExprOp::Select) continue;
      const auto condition = conditionOf(statement, node.lhs, true);
      const auto holds = condition ? decided(domain, *condition) : std::nullopt;
      if (holds) instead[n] = *holds ? node.rhs : node.other;
    }
    replaceNodes(statement, instead);
    dropUnusedReads(statement);
  }

  // The upper half, counted from its first index.
  void shift(Statement& statement) const {
    std::vector<LinearExpr> values;
    for (std::size_t l = 0; l < m_draft.loops.size(); ++l) values.push_back(LinearExpr::dim(l));
    values[m_loop.index()] = LinearExpr::dim(m_loop.index()) + LinearExpr::number(m_half);
    statement.target = withLoopsAt(std::move(statement.target), values);
    for (Access& read : statement.reads) read = withLoopsAt(std::move(read), values);
    for (Constraint& bound : statement.constraints)
      bound.expr = affine::substituted(bound.expr, values);
    rebuildExpression(statement, [&](ExprNode node, Nodes& nodes) {
      const bool isValue = node.op == ExprOp::Index && node.loop == m_loop;
      const std::int32_t place = addNode(nodes, std::move(node));
      if (!isValue) return place;
      const std::int32_t by = addNode(nodes, ExprOp::Constant);
      nodes.back().constant = static_cast<double>(m_half);
      return addNode(nodes, ExprOp::Add, place, by);
    });
  }

  Kernel m_draft;
  LoopId m_loop;
  std::int64_t m_half = 0;
};

// A loop over outputs of which a statement reads the other half. Kernels that sum along with
// it stay as they are: choices are decided over the loops of the target alone.
bool mayBeFolded(const Kernel& kernel, LoopId loop) {
  const std::int64_t extent = kernel.loop(loop).extent;
  if (extent < 2 || extent % 2 != 0) return false;
  bool reads = false;
  for (const Statement& statement : kernel.statements) {
    if (!isOver(statement, loop)) continue;
    const bool isOutput = kernel.tensor(statement.target.tensor).role == TensorRole::Output;
    if (!isOutput || !statement.reductions.empty()) return false;
    reads = reads || readsUpperHalf(statement, loop, extent / 2);
  }
  return reads;
}

}  // namespace

std::optional<Kernel> withFoldedHalves(const Kernel& kernel) {
  if (kernel.statements.size() > kMostStatements || TensorCycles(kernel).any()) return std::nullopt;
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    if (mayBeFolded(kernel, LoopId::of(l))) return HalfFolder(kernel, LoopId::of(l)).run();
  }
  return std::nullopt;
}

}  // namespace gridloom::kernel
