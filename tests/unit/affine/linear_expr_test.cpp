// SPDX-License-Identifier: Apache-2.0
#include "affine/linear_expr.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace gridloom::affine {
namespace {

const std::array<std::string, 3> kNames = {"i", "j", "k"};

TEST(LinearExpr, EvaluatesAndPrints) {
  const LinearExpr e = LinearExpr::dim(0, 2) + LinearExpr::dim(1) - LinearExpr::number(1);
  const std::array<std::int64_t, 3> point = {3, 4, 9};
  EXPECT_EQ(e.evaluate(point), 9);
  EXPECT_EQ(toString(e, kNames), "2 * i + j - 1");
  EXPECT_EQ(toString(e * -1, kNames), "-2 * i - j + 1");
  EXPECT_EQ(toString(LinearExpr::number(0), kNames), "0");
  EXPECT_EQ(toString(LinearExpr::number(-7), kNames), "-7");
}

TEST(LinearExpr, PrintsDimensionsWithoutNamesAndTheSmallestNumber) {
  EXPECT_EQ(toString(LinearExpr::dim(4), kNames), "d4");
  EXPECT_EQ(toString(LinearExpr::number(std::numeric_limits<std::int64_t>::min()), kNames),
            "-9223372036854775808");
}

TEST(LinearExpr, EqualityIgnoresTrailingZeros) {
  EXPECT_EQ(LinearExpr::dim(0), LinearExpr::dim(0) + LinearExpr::dim(2, 0));
  EXPECT_NE(LinearExpr::dim(0), LinearExpr::dim(1));
  EXPECT_NE(LinearExpr::dim(0), LinearExpr::dim(0) + LinearExpr::number(1));
  EXPECT_TRUE((LinearExpr::dim(1) - LinearExpr::dim(1)).isConstant());
}

}  // namespace
}  // namespace gridloom::affine
