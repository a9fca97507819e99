// SPDX-License-Identifier: Apache-2.0
#include "kernel/folded_parts.h"

#include <algorithm>
#include <cstdlib>
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
constexpr std::size_t kMostFoldedStatements = 16;
constexpr std::int64_t kMostPositions = 4;

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

// Appends the value of an expression of one loop at most.
std::int32_t addValue(Nodes& nodes, const LinearExpr& value, LoopId loop) {
  const std::int32_t constant = addNode(nodes, ExprOp::Constant);
  nodes.back().constant = static_cast<double>(value.constant);
  if (value.isConstant()) return constant;
  const std::int32_t index = addNode(nodes, ExprOp::Index);
  nodes.back().loop = loop;
  return value.constant == 0 ? index : addNode(nodes, ExprOp::Add, index, constant);
}

/// Positions that need each other: a loop of which each part is computed by a statement of its own.
struct Parts {
  LoopId loop;
  std::vector<LinearExpr> positions;  ///< of each part, by the loop
  std::int64_t extent = 0;            ///< of the loop in each
};

class PartFolder {
 public:
  PartFolder(const Kernel& kernel, Parts parts) : m_draft(kernel), m_parts(std::move(parts)) {
    Loop& loop = m_draft.loops[m_parts.loop.index()];
    loop.extent = loop.declared = m_parts.extent;
    loop.declaredSpelling.clear();
  }

  Kernel run() {
    std::vector<Statement> folded;
    for (const Statement& statement : m_draft.statements) {
      if (!isOver(statement, m_parts.loop)) folded.push_back(statement);
      for (const LinearExpr& position : m_parts.positions) {
        if (isOver(statement, m_parts.loop)) add(statement, position, folded);
      }
    }
    m_draft.statements = std::move(folded);
    base::Diagnostics errors;
    for (Statement& statement : m_draft.statements) takeScope(m_draft, statement, errors);
    eraseUnusedLoops(m_draft);
    return std::move(m_draft);
  }

 private:
  void add(Statement statement, const LinearExpr& position, std::vector<Statement>& out) const {
    place(statement, position);
    statement.constraintSpelling.clear();
    base::Diagnostics errors;
    takeScope(m_draft, statement, errors);
    const affine::IntegerSet domain = targetDomainOf(m_draft, statement);
    if (affine::isEmpty(domain)) return;
    decideChoices(statement, domain);
    std::erase_if(statement.constraints, [&](const Constraint& c) {
      return decided({domain.extents, {}}, {c}) == true;
    });
    out.push_back(std::move(statement));
  }

  void decideChoices(Statement& statement, const affine::IntegerSet& domain) const {
    std::vector<std::int32_t> instead(statement.expr.size(), -1);
    for (std::size_t n = 0; n < statement.expr.size(); ++n) {
      const ExprNode& node = statement.expr[n];
      if (node.op != ExprOp::Select) continue;
      const auto condition = conditionOf(m_draft, statement, node.lhs, true);
      const auto holds = condition ? decided(domain, *condition) : std::nullopt;
      if (holds) instead[n] = *holds ? node.rhs : node.other;
    }
    replaceNodes(statement, instead);
    dropUnusedReads(statement);
  }

  // The statement with a position in the place of the loop.
  void place(Statement& statement, const LinearExpr& position) const {
    std::vector<LinearExpr> values;
    for (std::size_t l = 0; l < m_draft.loops.size(); ++l) values.push_back(LinearExpr::dim(l));
    values[m_parts.loop.index()] = position;
    statement.target = withLoopsAt(std::move(statement.target), values);
    for (Access& read : statement.reads) read = withLoopsAt(std::move(read), values);
    for (Constraint& bound : statement.constraints)
      bound.expr = affine::substituted(bound.expr, values);
    rebuildExpression(statement, [&](ExprNode node, Nodes& nodes) {
      const bool isValue = node.op == ExprOp::Index && node.loop == m_parts.loop;
      return isValue ? addValue(nodes, position, m_parts.loop) : addNode(nodes, std::move(node));
    });
    replaceNodes(statement, std::vector<std::int32_t>(statement.expr.size(), -1));
  }

  Kernel m_draft;
  Parts m_parts;
};

// Whether all statements over the loop define outputs, and sum nothing: choices are decided over
// the loops of the target alone.
bool mayBeFolded(const Kernel& kernel, LoopId loop) {
  return std::ranges::all_of(kernel.statements, [&](const Statement& statement) {
    const bool isOutput = kernel.tensor(statement.target.tensor).role == TensorRole::Output;
    return !isOver(statement, loop) || (isOutput && statement.reductions.empty());
  });
}

template <typename Test> bool anyOver(const Kernel& kernel, LoopId loop, const Test& test) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return isOver(statement, loop) && test(statement);
  });
}

// Both halves of a loop, where one reads the other.
std::optional<Parts> halvesOf(const Kernel& kernel, LoopId loop) {
  const std::int64_t extent = kernel.loop(loop).extent, half = extent / 2;
  if (extent < 2 || extent % 2 != 0) return std::nullopt;
  const auto reads = [&](const Statement& s) { return readsUpperHalf(s, loop, half); };
  if (!anyOver(kernel, loop, reads)) return std::nullopt;
  const LinearExpr lower = LinearExpr::dim(loop.index());
  return Parts{loop, {lower, lower + LinearExpr::number(half)}, half};
}

// Whether a statement reads another position along a loop that is a part of an index: `X[2 * d + 1
// - r]` for `Y[2 * d + r]`.
bool readsOtherPositions(const Statement& statement, LoopId loop, std::int64_t extent) {
  const auto withoutLoop = [&](const LinearExpr& index) {
    return index - LinearExpr::dim(loop.index(), index.coefficient(loop.index()));
  };
  const auto isOther = [&](const LinearExpr& target, const LinearExpr& read) {
    const LinearExpr apart = withoutLoop(read - target);
    const std::int64_t step = std::abs(target.coefficient(loop.index()));
    return step > 0 && !withoutLoop(target).isConstant() && apart.isConstant() && read != target &&
           std::abs(apart.constant) < step * extent;
  };
  return std::ranges::any_of(statement.target.indices, [&](const LinearExpr& target) {
    return std::ranges::any_of(statement.reads, [&](const Access& read) {
      return std::ranges::any_of(read.indices,
                                 [&](const LinearExpr& index) { return isOther(target, index); });
    });
  });
}

// Each position of a short loop, where one reads another.
std::optional<Parts> positionsOf(const Kernel& kernel, LoopId loop) {
  const std::int64_t extent = kernel.loop(loop).extent;
  if (extent < 2 || extent > kMostPositions) return std::nullopt;
  const auto reads = [&](const Statement& s) { return readsOtherPositions(s, loop, extent); };
  if (!anyOver(kernel, loop, reads)) return std::nullopt;
  Parts parts{loop, {}, 1};
  for (std::int64_t v = 0; v < extent; ++v) parts.positions.push_back(LinearExpr::number(v));
  return parts;
}

}  // namespace

std::optional<Kernel> withFoldedParts(const Kernel& kernel) {
  if (kernel.statements.size() > kMostFoldedStatements || TensorCycles(kernel).any())
    return std::nullopt;
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    const LoopId loop = LoopId::of(l);
    if (!mayBeFolded(kernel, loop)) continue;
    auto parts = halvesOf(kernel, loop);
    if (!parts) parts = positionsOf(kernel, loop);
    if (parts) return PartFolder(kernel, *std::move(parts)).run();
  }
  return std::nullopt;
}

}  // namespace gridloom::kernel
