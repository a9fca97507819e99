// SPDX-License-Identifier: Apache-2.0
#include "kernel/shared_bounds.h"

#include <algorithm>
#include <optional>

namespace gridloom::kernel {

namespace {

// Constraints on the loop alone; `2 * d <= 7` is left to the domain.
std::optional<std::int64_t> endOf(const affine::Constraint& constraint, LoopId loop) {
  if (constraint.equality) return std::nullopt;
  const affine::LinearExpr alone = affine::LinearExpr::dim(loop.index(), -1) +
                                   affine::LinearExpr::number(constraint.expr.constant);
  if (!(constraint.expr == alone)) return std::nullopt;
  return constraint.expr.constant + 1;
}

std::optional<std::int64_t> leastEnd(const Statement& statement, LoopId loop) {
  std::optional<std::int64_t> least;
  for (const affine::Constraint& constraint : statement.constraints) {
    const auto end = endOf(constraint, loop);
    if (end && (!least || *end < *least)) least = end;
  }
  return least;
}

void dropBounds(Statement& statement, LoopId loop, std::int64_t extent) {
  for (std::size_t c = statement.constraints.size(); c-- > 0;) {
    const auto end = endOf(statement.constraints[c], loop);
    if (!end || *end < extent) continue;
    statement.constraints.erase(statement.constraints.begin() + static_cast<std::ptrdiff_t>(c));
  }
}

// Whether a statement with a constant index defines elements at or behind the end of the loop, as
// `X[N - 1, j]` beside `X[i, j]  where i < N - 1`, of an output that a statement reads. Tiles of
// such an output are along the loop, so the loop must reach those elements, too.
bool isDefinedBeyond(const Kernel& kernel, LoopId id, std::int64_t end) {
  const auto reads = [&](const Statement& statement, TensorId tensor) {
    return std::ranges::find(statement.reads, tensor, &Access::tensor) != statement.reads.end();
  };
  const auto isReadAgain = [&](TensorId tensor) {
    return kernel.tensor(tensor).role == TensorRole::Output &&
           std::ranges::any_of(kernel.statements,
                               [&](const Statement& s) { return reads(s, tensor); });
  };
  for (const Statement& one : kernel.statements) {
    if (!isReadAgain(one.target.tensor)) continue;
    for (std::size_t d = 0; d < one.target.indices.size(); ++d) {
      if (!(one.target.indices[d] == affine::LinearExpr::dim(id.index()))) continue;
      const auto isBeyond = [&](const Statement& other) {
        const affine::LinearExpr& index = other.target.indices[d];
        return index.isConstant() && index.constant >= end;
      };
      if (std::ranges::any_of(kernel.statements, [&](const Statement& other) {
            return other.target.tensor == one.target.tensor && isBeyond(other);
          })) {
        return true;
      }
    }
  }
  return false;
}

void takeSharedBound(Kernel& kernel, LoopId id) {
  Loop& loop = kernel.loops[id.index()];
  std::int64_t widest = 0;
  for (const Statement& statement : kernel.statements) {
    if (!contains(statement.loops, id)) continue;
    const auto end = leastEnd(statement, id);
    if (!end) return;
    widest = std::max(widest, *end);
  }
  if (widest < 1 || widest >= loop.extent || isDefinedBeyond(kernel, id, widest)) return;
  loop.extent = widest;
  for (Statement& statement : kernel.statements) {
    statement.constraintSpelling = spellingsOf(kernel, statement);
    dropBounds(statement, id, widest);
  }
}

}  // namespace

void takeSharedBounds(Kernel& kernel) {
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) takeSharedBound(kernel, LoopId::of(l));
}

}  // namespace gridloom::kernel
