// SPDX-License-Identifier: Apache-2.0
#include "syntax/affine_reduction.h"

#include <utility>

namespace gridloom::syntax {

namespace {

using affine::AffineExpr;
using affine::AffineOp;

constexpr std::size_t kMaxNodes = 256;

}  // namespace

bool isConstant(const AffineExpr& expr) {
  return expr.nodes.size() == 1 && expr.nodes[0].op == AffineOp::Constant;
}

ReducedExpr reducedExpr(AffineOp op, AffineExpr left, AffineExpr right) {
  if (op == AffineOp::Mul && isConstant(left)) std::swap(left, right);
  if (op == AffineOp::Mul && !isConstant(right))
    return {{}, "the product of two dimensions is not affine", "one factor must be a number"};
  const bool divides = op == AffineOp::Mod || op == AffineOp::FloorDiv || op == AffineOp::CeilDiv;
  if (divides && (!isConstant(right) || right.nodes[0].value <= 0))
    return {{}, "the right side of mod, floordiv and ceildiv must be a positive number", ""};
  if (left.nodes.size() + right.nodes.size() >= kMaxNodes)
    return {{}, "this map has more than 256 terms", ""};
  AffineExpr whole = AffineExpr::binary(op, left, right);
  if (isConstant(left) && isConstant(right)) whole = AffineExpr::constant(whole.evaluate({}));
  return {std::move(whole), {}, {}};
}

}  // namespace gridloom::syntax
