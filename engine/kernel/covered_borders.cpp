// SPDX-License-Identifier: Apache-2.0
#include "kernel/covered_borders.h"

#include <algorithm>
#include <optional>

#include "kernel/definedness.h"
#include "kernel/rebuilt_expression.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

/// A loop that runs over a part of an output's dimension, from `first` on.
struct InnerLoop {
  LoopId loop;
  std::int64_t first = 0;
  std::int64_t size = 0;  ///< of the dimension
};

std::optional<InnerLoop> innerLoopOf(const Kernel& kernel, const LinearExpr& index,
                                     std::int64_t size) {
  const auto at = std::ranges::find(index.coefficients, 1);
  if (at == index.coefficients.end() || index.constant < 0) return std::nullopt;
  const LoopId loop = LoopId::of(static_cast<std::size_t>(at - index.coefficients.begin()));
  const std::int64_t last = index.constant + kernel.loop(loop).extent;
  const LinearExpr plain = LinearExpr::dim(loop.index()) + LinearExpr::number(index.constant);
  if (!(index == plain) || last > size) return std::nullopt;
  return InnerLoop{loop, index.constant, size};
}

// Whether every statement with the loop has the index of `target` in this dimension of its tensor:
// a shift of the loop then changes no other output.
bool isOfDimension(const Kernel& kernel, LoopId loop, const Access& target, std::size_t dim) {
  return std::ranges::all_of(kernel.statements, [&](const Statement& s) {
    if (!contains(s.loops, loop)) return true;
    return s.target.tensor == target.tensor && s.target.indices[dim] == target.indices[dim];
  });
}

LinearExpr shifted(LinearExpr expr, const InnerLoop& inner) {
  expr.constant -= expr.coefficient(inner.loop.index()) * inner.first;
  return expr;
}

void shift(Access& access, const InnerLoop& inner) {
  for (LinearExpr& index : access.indices) index = shifted(index, inner);
  for (IndexRead& index : access.gathers) shift(index.access, inner);
  access.spelling.clear();
}

// Expressions that use the loop as a value keep that value: `loop` becomes `loop - first`.
void shiftValues(Statement& statement, const InnerLoop& inner) {
  if (inner.first == 0) return;
  rebuildExpression(statement, [&](ExprNode node, std::vector<ExprNode>& nodes) {
    const bool isLoop = node.op == ExprOp::Index && node.loop == inner.loop;
    const std::int32_t place = addNode(nodes, std::move(node));
    if (!isLoop) return place;
    const std::int32_t first = addNode(nodes, ExprOp::Constant);
    nodes.back().constant = static_cast<double>(inner.first);
    return addNode(nodes, ExprOp::Sub, place, first);
  });
}

void cover(Kernel& kernel, const InnerLoop& inner) {
  Loop& loop = kernel.loops[inner.loop.index()];
  const std::int64_t end = inner.first + loop.extent;
  const LinearExpr at = LinearExpr::dim(inner.loop.index());
  for (Statement& statement : kernel.statements) {
    if (!contains(statement.loops, inner.loop)) continue;
    shift(statement.target, inner);
    for (Access& read : statement.reads) shift(read, inner);
    for (affine::Constraint& constraint : statement.constraints) {
      constraint.expr = shifted(constraint.expr, inner);
    }
    if (inner.first > 0) statement.constraints.push_back({at - LinearExpr::number(inner.first)});
    if (end < inner.size) statement.constraints.push_back({LinearExpr::number(end - 1) - at});
    statement.constraintSpelling.clear();
    shiftValues(statement, inner);
  }
  loop.extent = inner.size;
  if (loop.declared > 0) loop.declared = inner.size;
  loop.declaredSpelling.clear();
}

// Whether each index of a target is one loop, over all of its dimension or a part of it, or a
// number.
bool isBox(const Kernel& kernel, const Statement& statement) {
  const std::vector<std::int64_t>& shape = kernel.tensor(statement.target.tensor).shape;
  std::size_t loops = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const LinearExpr& index = statement.target.indices[d];
    if (index.isConstant()) continue;
    if (!innerLoopOf(kernel, index, shape[d])) return false;
    ++loops;
  }
  return targetLoops(statement).size() == loops;
}

}  // namespace

void coverBorders(Kernel& kernel) {
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    const TensorId tensor = kernel.statements[s].target.tensor;
    if (kernel.tensor(tensor).role != TensorRole::Output || undefinedSelfRead(kernel, tensor) ||
        !isBox(kernel, kernel.statements[s])) {
      continue;
    }
    for (std::size_t d = 0; d < kernel.tensor(tensor).shape.size(); ++d) {
      const Access target = kernel.statements[s].target;
      const auto inner = innerLoopOf(kernel, target.indices[d], kernel.tensor(tensor).shape[d]);
      const bool isWhole = inner && kernel.loop(inner->loop).extent == inner->size;
      if (inner && !isWhole && isOfDimension(kernel, inner->loop, target, d)) cover(kernel, *inner);
    }
  }
}

}  // namespace gridloom::kernel
