// SPDX-License-Identifier: Apache-2.0
#include "kernel/undefined_zeros.h"

#include <algorithm>
#include <utility>

#include "kernel/dependences.h"

namespace gridloom::kernel {

namespace {

constexpr std::size_t kMostPieces = 8;

// The loop of each index, where each is one loop over its whole dimension.
std::vector<LoopId> wholeLoops(const Kernel& kernel, const Access& target) {
  std::vector<LoopId> loops;
  const Tensor& tensor = kernel.tensor(target.tensor);
  for (std::size_t d = 0; d < target.indices.size(); ++d) {
    const auto isIt = [&](const Loop& loop) {
      const auto l = static_cast<std::size_t>(&loop - kernel.loops.data());
      return loop.extent == tensor.shape[d] && target.indices[d] == affine::LinearExpr::dim(l) &&
             !contains(loops, LoopId::of(l));
    };
    const auto found = std::ranges::find_if(kernel.loops, isIt);
    if (found == kernel.loops.end()) return {};
    loops.push_back(LoopId::of(static_cast<std::size_t>(found - kernel.loops.begin())));
  }
  return loops;
}

affine::LinearExpr overLoops(const affine::LinearExpr& element, const std::vector<LoopId>& loops) {
  affine::LinearExpr expr = affine::LinearExpr::number(element.constant);
  for (std::size_t d = 0; d < loops.size(); ++d) {
    expr = expr + affine::LinearExpr::dim(loops[d].index()) * element.coefficient(d);
  }
  return expr;
}

Statement zeroIn(const affine::IntegerSet& piece, const Statement& like,
                 const std::vector<LoopId>& loops) {
  Statement zero;
  zero.target = like.target;
  zero.span = like.span;
  zero.loops = targetLoops(like);
  zero.expr.emplace_back().op = ExprOp::Constant;
  for (const affine::Constraint& c : piece.constraints) {
    zero.constraints.push_back({overLoops(c.expr, loops), c.equality});
  }
  zero.implied = true;
  return zero;
}

std::vector<Statement> zerosOf(const Kernel& kernel, TensorId tensor) {
  std::vector<affine::Image> images;
  const Statement* like = nullptr;
  std::vector<LoopId> loops;
  for (const Statement& statement : kernel.statements) {
    if (statement.target.tensor != tensor) continue;
    if (statement.constraints.empty() && !wholeLoops(kernel, statement.target).empty()) return {};
    images.push_back({targetDomainOf(kernel, statement), statement.target.indices});
    if (like == nullptr) {
      loops = wholeLoops(kernel, statement.target);
      if (!loops.empty()) like = &statement;
    }
  }
  if (like == nullptr) return {};
  const auto pieces = affine::missingPieces(kernel.tensor(tensor).shape, images);
  if (!pieces || pieces->size() > kMostPieces) return {};
  std::vector<Statement> zeros;
  for (const affine::IntegerSet& piece : *pieces) zeros.push_back(zeroIn(piece, *like, loops));
  return zeros;
}

}  // namespace

void addUndefinedZeros(Kernel& kernel) {
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    if (kernel.tensors[t].role != TensorRole::Output) continue;
    for (Statement& zero : zerosOf(kernel, TensorId::of(t))) {
      kernel.statements.push_back(std::move(zero));
    }
  }
}

}  // namespace gridloom::kernel
