// SPDX-License-Identifier: Apache-2.0
#include "affine/affine_map.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace gridloom::affine {
namespace {

AffineExpr op(AffineOp kind, const AffineExpr& lhs, std::int64_t rhs) {
  return AffineExpr::binary(kind, lhs, AffineExpr::constant(rhs));
}

std::int64_t at(const AffineExpr& expr, std::int64_t d0) {
  const std::array<std::int64_t, 1> dims{d0};
  return expr.evaluate(dims);
}

TEST(AffineMap, DivisionsRoundAsMlirDoes) {
  const AffineExpr d0 = AffineExpr::dim(0);
  for (std::int64_t a = -17; a <= 17; ++a) {
    for (std::int64_t b = 1; b <= 5; ++b) {
      const std::int64_t floor = at(op(AffineOp::FloorDiv, d0, b), a);
      const std::int64_t ceil = at(op(AffineOp::CeilDiv, d0, b), a);
      const std::int64_t mod = at(op(AffineOp::Mod, d0, b), a);
      EXPECT_LE(floor * b, a);
      EXPECT_GT((floor + 1) * b, a);
      EXPECT_GE(ceil * b, a);
      EXPECT_LT((ceil - 1) * b, a);
      EXPECT_EQ(mod, a - floor * b);
    }
  }
}

TEST(AffineMap, SaturatesInsteadOfWrapping) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const AffineExpr product = op(AffineOp::Mul, AffineExpr::dim(0), kMost);
  EXPECT_EQ(at(product, 3), kMost);
  EXPECT_EQ(at(product, -3), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(at(op(AffineOp::Add, product, 5), 2), kMost);
}

TEST(AffineMap, EvaluatesExpressionsLongerThanItsStackBuffer) {
  AffineExpr sum = AffineExpr::dim(0);
  for (int i = 1; i <= 100; ++i) sum = op(AffineOp::Add, sum, i);
  EXPECT_EQ(at(sum, 7), 7 + 5050);
}

TEST(AffineMap, PrintsWithOnlyTheParenthesesItNeeds) {
  const AffineExpr d0 = AffineExpr::dim(0);
  const AffineExpr next = op(AffineOp::Add, d0, 1);
  EXPECT_EQ(toString(op(AffineOp::Mod, next, 8)), "(d0 + 1) mod 8");
  EXPECT_EQ(toString(op(AffineOp::Add, op(AffineOp::FloorDiv, d0, 4), -2)), "d0 floordiv 4 - 2");
  EXPECT_EQ(toString(AffineExpr::binary(AffineOp::Add, d0, next)), "d0 + (d0 + 1)");
  EXPECT_EQ(toString(AffineMap{2, {next, AffineExpr::dim(1)}}),
            "affine_map<(d0, d1) -> (d0 + 1, d1)>");
}

TEST(AffineMap, KnowsItsHighestDimension) {
  EXPECT_EQ(AffineExpr::constant(4).maxDim(), -1);
  EXPECT_EQ(AffineExpr::binary(AffineOp::Add, AffineExpr::dim(3), AffineExpr::dim(1)).maxDim(), 3);
}

}  // namespace
}  // namespace gridloom::affine
