// SPDX-License-Identifier: Apache-2.0
#include "kernel/undefined_zeros.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernel/definedness.h"

namespace gridloom::kernel {

namespace {

constexpr std::size_t kMostPieces = 8;

// The box of the loops of a target, without `where`.
affine::IntegerSet boxOf(const Kernel& kernel, const Access& target) {
  affine::IntegerSet box;
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    const bool isIts = contains(loopsOf(target), LoopId::of(l));
    box.extents.push_back(isIts ? kernel.loops[l].extent : 1);
  }
  return box;
}

// Whether the loops of the target reach every element, so that a `where` tells any part of it.
bool reachesAll(const Kernel& kernel, const Access& target) {
  const affine::Image reached{boxOf(kernel, target), target.indices};
  const auto missing = affine::missingPieces(kernel.tensor(target.tensor).shape, {&reached, 1});
  return missing && missing->empty();
}

// Loops may go beyond the tensor, where a `where` narrows them.
void keepInside(const Kernel& kernel, Statement& zero) {
  const affine::IntegerSet box = boxOf(kernel, zero.target);
  for (std::size_t d = 0; d < zero.target.indices.size(); ++d) {
    const affine::LinearExpr& index = zero.target.indices[d];
    const auto last = affine::LinearExpr::number(kernel.tensor(zero.target.tensor).shape[d] - 1);
    const auto bounds = affine::boundsOf(box, index);
    if (bounds && bounds->min < 0) zero.constraints.push_back({index});
    if (bounds && bounds->max > last.constant) zero.constraints.push_back({last - index});
  }
}

Statement zeroIn(const affine::IntegerSet& piece, const Statement& like) {
  Statement zero;
  zero.target = like.target;
  zero.span = like.span;
  zero.loops = targetLoops(like);
  zero.expr.emplace_back().op = ExprOp::Constant;
  for (const affine::Constraint& c : piece.constraints) {
    zero.constraints.push_back({affine::substituted(c.expr, like.target.indices), c.equality});
  }
  zero.implied = true;
  return zero;
}

std::vector<Statement> zerosOf(const Kernel& kernel, TensorId tensor) {
  const auto pieces =
      affine::missingPieces(kernel.tensor(tensor).shape, definitionsOf(kernel, tensor));
  if (!pieces || pieces->empty() || pieces->size() > kMostPieces) return {};
  const auto like = std::ranges::find_if(kernel.statements, [&](const Statement& statement) {
    return statement.target.tensor == tensor && reachesAll(kernel, statement.target);
  });
  if (like == kernel.statements.end()) return {};
  std::vector<Statement> zeros;
  for (const affine::IntegerSet& piece : *pieces) {
    keepInside(kernel, zeros.emplace_back(zeroIn(piece, *like)));
  }
  return zeros;
}

// Behind the last statement of the output, so that those that read it follow.
void insertBehind(Kernel& kernel, TensorId output, std::vector<Statement> zeros) {
  const auto last = std::find_if(kernel.statements.rbegin(), kernel.statements.rend(),
                                 [&](const Statement& s) { return s.target.tensor == output; });
  kernel.statements.insert(last.base(), std::make_move_iterator(zeros.begin()),
                           std::make_move_iterator(zeros.end()));
}

}  // namespace

void addUndefinedZeros(Kernel& kernel) {
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    if (kernel.tensors[t].role != TensorRole::Output) continue;
    std::vector<Statement> zeros = zerosOf(kernel, TensorId::of(t));
    if (zeros.empty() || undefinedSelfRead(kernel, TensorId::of(t))) continue;
    insertBehind(kernel, TensorId::of(t), std::move(zeros));
  }
}

}  // namespace gridloom::kernel
