// SPDX-License-Identifier: Apache-2.0
#include "hardware/coordinate_tables.h"

#include <gtest/gtest.h>

namespace gridloom::hardware {
namespace {

using affine::AffineExpr;
using affine::AffineMap;
using affine::AffineOp;

AffineExpr plus(const AffineExpr& a, const AffineExpr& b) {
  return AffineExpr::binary(AffineOp::Add, a, b);
}

TEST(CoordinateTables, LeadWhereTheMapDoes) {
  const Grid from{{3, 4}}, to{{5, 2, 3}};
  const AffineMap map{2,
                      {plus(AffineExpr::dim(1), AffineExpr::constant(1)), AffineExpr::constant(1),
                       AffineExpr::dim(0)}};
  const auto tables = coordinateTables(map, from);
  ASSERT_TRUE(tables);
  ASSERT_TRUE(tables->fitInto(to));
  const std::vector<std::int64_t> indices = tables->indices(from, to);
  ASSERT_EQ(indices.size(), 12u);
  std::vector<std::int64_t> member(2), result(3);
  for (std::int64_t i = 0; i < from.count(); ++i) {
    from.pointOf(i, member);
    map.evaluate(member, result);
    EXPECT_EQ(indices[static_cast<std::size_t>(i)], to.indexOf(result));
  }
}

TEST(CoordinateTables, SayWhatLeavesTheGrid) {
  const AffineMap map{1, {plus(AffineExpr::dim(0), AffineExpr::constant(1))}};
  const auto tables = coordinateTables(map, {{4}});
  ASSERT_TRUE(tables);
  EXPECT_TRUE(tables->fitInto({{5}}));
  EXPECT_FALSE(tables->fitInto({{4}}));
}

TEST(CoordinateTables, AreNotThereForResultsOfSeveralDimensions) {
  const AffineMap map{2, {plus(AffineExpr::dim(0), AffineExpr::dim(1))}};
  EXPECT_FALSE(coordinateTables(map, {{2, 2}}));
  EXPECT_FALSE(coordinateTables({0, {AffineExpr::constant(0)}}, {}));
}

}  // namespace
}  // namespace gridloom::hardware
