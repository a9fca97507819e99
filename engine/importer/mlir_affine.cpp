// SPDX-License-Identifier: Apache-2.0
//
// Maps and expressions of the affine dialect.
#include <algorithm>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

namespace {

using Kind = Integer::Kind;

}  // namespace

Linear Reader::ofExpr(mlir::AffineExpr expr, mlir::AffineMap map, mlir::ValueRange operands) const {
  using K = mlir::AffineExprKind;
  if (const auto c = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return Linear::of(c.getValue());
  if (const auto d = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return exact(operands[d.getPosition()]);
  if (const auto s = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr))
    return exact(operands[map.getNumDims() + s.getPosition()]);
  const auto both = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  const Linear left = ofExpr(both.getLHS(), map, operands);
  const Linear right = m_program.loops.normal(ofExpr(both.getRHS(), map, operands));
  if (expr.getKind() == K::Add) return left + right;
  if (!right.isConstant()) {
    if (left.isConstant() && expr.getKind() == K::Mul) return right * left.constant;
    refuse(m_at, "an index is no affine form: it multiplies or divides by a loop");
  }
  switch (expr.getKind()) {
  case K::Mul:
    return left * right.constant;
  case K::FloorDiv:
    return divided(left, right.constant).first;
  case K::CeilDiv:
    return divided(left + Linear::of(right.constant - 1), right.constant).first;
  default:
    return divided(left, right.constant).second;
  }
}

std::vector<Linear> Reader::indicesOf(mlir::ValueRange values) const {
  std::vector<Linear> index;
  for (const mlir::Value at : values) index.push_back(exact(at));
  return index;
}

std::vector<Linear> Reader::mappedIndices(mlir::AffineMap map, mlir::ValueRange operands) const {
  std::vector<Linear> index;
  for (const mlir::AffineExpr expr : map.getResults()) index.push_back(ofExpr(expr, map, operands));
  return index;
}

Integer Reader::ofMap(mlir::AffineMap map, mlir::ValueRange operands, bool least) const {
  Integer all(least ? Kind::Min : Kind::Max, {});
  for (const mlir::AffineExpr expr : map.getResults())
    all.forms.push_back(ofExpr(expr, map, operands));
  if (all.forms.size() == 1) all.kind = Kind::Exact;
  return simplified(std::move(all));
}

std::optional<Integer> Reader::affineInteger(mlir::Operation& op) const {
  if (auto value = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
    const auto attribute = llvm::dyn_cast<mlir::IntegerAttr>(value.getValue());
    if (attribute) return Integer(Linear::of(attribute.getValue().getSExtValue()));
  }
  if (auto apply = llvm::dyn_cast<mlir::affine::AffineApplyOp>(op))
    return ofMap(apply.getAffineMap(), apply.getMapOperands(), true);
  if (auto least = llvm::dyn_cast<mlir::affine::AffineMinOp>(op))
    return ofMap(least.getMap(), least.getOperands(), true);
  if (auto greatest = llvm::dyn_cast<mlir::affine::AffineMaxOp>(op))
    return ofMap(greatest.getMap(), greatest.getOperands(), false);
  return std::nullopt;
}

}  // namespace gridloom::importer
