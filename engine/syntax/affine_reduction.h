// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "affine/affine_map.h"

namespace gridloom::syntax {

/// An operation of two expressions, folded where both are numbers; or why it is none.
struct ReducedExpr {
  std::optional<affine::AffineExpr> expr;
  std::string message, hint;
};
ReducedExpr reducedExpr(affine::AffineOp op, affine::AffineExpr left, affine::AffineExpr right);

bool isConstant(const affine::AffineExpr& expr);

}  // namespace gridloom::syntax
