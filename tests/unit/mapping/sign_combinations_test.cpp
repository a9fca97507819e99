// SPDX-License-Identifier: Apache-2.0
#include "mapping/sign_combinations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace gridloom::mapping {
namespace {

using affine::IntegerSet;
using affine::LinearExpr;
using Signs = SignCombinations::Signs;

std::set<Signs> pointByPoint(const IntegerSet& set, const std::vector<LinearExpr>& expressions) {
  std::set<Signs> all;
  std::vector<std::int64_t> point(set.extents.size(), 0);
  const auto from = [&](const auto& self, std::size_t dim) -> void {
    if (dim < point.size()) {
      for (point[dim] = 0; point[dim] < set.extents[dim]; ++point[dim]) self(self, dim + 1);
      return;
    }
    if (!set.contains(point)) return;
    Signs signs;
    for (const LinearExpr& expr : expressions) {
      std::int64_t value = expr.constant;
      for (std::size_t d = 0; d < point.size(); ++d) value += expr.coefficient(d) * point[d];
      signs.push_back(value > 0 ? 1 : value < 0 ? -1 : 0);
    }
    all.insert(signs);
  };
  from(from, 0);
  return all;
}

std::set<Signs> found(SignCombinations& known, const IntegerSet& set,
                      const std::vector<LinearExpr>& expressions) {
  const std::vector<Signs> all = known.of(set, expressions);
  const std::set<Signs> distinct(all.begin(), all.end());
  EXPECT_EQ(distinct.size(), all.size());
  return distinct;
}

TEST(SignCombinations, AreThoseOfAllPoints) {
  std::mt19937 random(3);
  const auto below = [&](int end) {
    return std::uniform_int_distribution<int>(0, end - 1)(random);
  };
  SignCombinations known;
  for (int round = 0; round < 200; ++round) {
    IntegerSet set;
    for (int dims = 1 + below(5); dims > 0; --dims) set.extents.push_back(1 + below(4));
    const auto expression = [&] {
      const auto dims = static_cast<int>(set.extents.size());
      return LinearExpr::dim(static_cast<std::size_t>(below(dims)), 1 + below(3)) -
             LinearExpr::dim(static_cast<std::size_t>(below(dims)), below(2)) -
             LinearExpr::number(below(4));
    };
    for (int limits = below(3); limits > 0; --limits)
      set.constraints.push_back({expression(), below(5) == 0});
    std::vector<LinearExpr> expressions;
    for (int count = below(4); count > 0; --count) expressions.push_back(expression());
    EXPECT_EQ(found(known, set, expressions), pointByPoint(set, expressions)) << round;
  }
}

TEST(SignCombinations, OfNumbersAndOfEmptySets) {
  SignCombinations known;
  const std::vector<LinearExpr> numbers{LinearExpr::number(-2), LinearExpr::number(0),
                                        LinearExpr::dim(0)};
  EXPECT_EQ(found(known, {{1}, {}}, numbers), (std::set<Signs>{{-1, 0, 0}}));
  EXPECT_TRUE(found(known, {{4}, {{LinearExpr::number(-1)}}}, numbers).empty());
  EXPECT_TRUE(found(known, {{4, 2}, {{LinearExpr::dim(1) - LinearExpr::number(2)}}}, {}).empty());
}

}  // namespace
}  // namespace gridloom::mapping
