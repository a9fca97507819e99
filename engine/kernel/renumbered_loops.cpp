// SPDX-License-Identifier: Apache-2.0
#include "kernel/renumbered_loops.h"

#include <algorithm>
#include <utility>

namespace gridloom::kernel {

using affine::LinearExpr;

LinearExpr renumbered(const LinearExpr& expr, const LoopMap& map) {
  LinearExpr out = LinearExpr::number(expr.constant);
  for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
    if (!expr.dependsOn(l)) continue;
    out = out + LinearExpr::dim(map(LoopId::of(l)).index(), expr.coefficient(l));
  }
  return out;
}

void renumberLoops(Access& access, const LoopMap& map) {
  for (LinearExpr& index : access.indices) index = renumbered(index, map);
  for (IndexRead& index : access.gathers) renumberLoops(index.access, map);
  access.spelling.clear();
}

void renumberLoops(ExprNode& node, const LoopMap& map) {
  if (node.op == ExprOp::Index) node.loop = map(node.loop);
  for (LoopId& loop : node.loops) loop = map(loop);
}

void renumberLoops(Statement& statement, const LoopMap& map) {
  renumberLoops(statement.target, map);
  for (Access& read : statement.reads) renumberLoops(read, map);
  for (affine::Constraint& constraint : statement.constraints)
    constraint.expr = renumbered(constraint.expr, map);
  for (LoopId& loop : statement.loops) loop = map(loop);
  for (LoopId& loop : statement.reductions) loop = map(loop);
  for (ExprNode& node : statement.expr) renumberLoops(node, map);
}

Access withLoopsAt(Access access, std::span<const LinearExpr> values) {
  for (LinearExpr& index : access.indices) index = affine::substituted(index, values);
  for (IndexRead& gather : access.gathers)
    gather.access = withLoopsAt(std::move(gather.access), values);
  access.spelling.clear();
  return access;
}

void eraseLoop(Kernel& kernel, LoopId loop) {
  const auto map = [loop](LoopId other) {
    return other > loop ? LoopId::of(other.index() - 1) : other;
  };
  for (Statement& statement : kernel.statements) {
    statement.constraintSpelling = spellingsOf(kernel, statement);
    renumberLoops(statement, map);
  }
  kernel.loops.erase(kernel.loops.begin() + static_cast<std::ptrdiff_t>(loop.index()));
}

void eraseUnusedLoops(Kernel& kernel) {
  for (std::size_t l = kernel.loops.size(); l-- > 0;) {
    const auto runs = [&](const Statement& s) { return contains(s.loops, LoopId::of(l)); };
    if (std::ranges::none_of(kernel.statements, runs)) eraseLoop(kernel, LoopId::of(l));
  }
}

}  // namespace gridloom::kernel
