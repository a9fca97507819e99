// SPDX-License-Identifier: Apache-2.0
#include "affine/integer_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>

namespace gridloom::affine {
namespace {

using Point = std::vector<std::int64_t>;

// The slow reference: every point of the box.
std::vector<Point> pointsOf(const IntegerSet& set) {
  std::vector<Point> points;
  Point point(set.extents.size(), 0);
  if (std::ranges::any_of(set.extents, [](auto e) { return e <= 0; })) return points;
  for (bool more = true; more;) {
    if (set.contains(point)) points.push_back(point);
    more = false;
    for (std::size_t d = point.size(); d-- > 0 && !more;) {
      more = ++point[d] < set.extents[d];
      if (!more) point[d] = 0;
    }
  }
  return points;
}

class RandomSets {
 public:
  explicit RandomSets(std::uint32_t seed) : m_random(seed) {}

  std::int64_t number(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(m_random() % static_cast<std::uint32_t>(high - low + 1));
  }
  LinearExpr expr(std::size_t dims) {
    LinearExpr e = LinearExpr::number(number(-4, 4));
    for (std::size_t d = 0; d < dims; ++d) {
      if (number(0, 1) == 1) e = e + LinearExpr::dim(d, number(-2, 2));
    }
    return e;
  }
  IntegerSet set(std::size_t dims, std::int64_t widest) {
    IntegerSet s;
    for (std::size_t d = 0; d < dims; ++d) s.extents.push_back(number(1, widest));
    for (std::int64_t c = number(0, 3); c > 0; --c) {
      s.constraints.push_back({expr(dims), number(0, 5) == 0});
    }
    return s;
  }

 private:
  std::mt19937 m_random;
};

TEST(IntegerSet, CardinalityOfShapesWithKnownFormulas) {
  const LinearExpr i = LinearExpr::dim(0);
  const LinearExpr j = LinearExpr::dim(1);
  const LinearExpr k = LinearExpr::dim(2);
  const LinearExpr one = LinearExpr::number(1);
  EXPECT_EQ(cardinality({{4096, 4096}, {{i - j - one, false}}}), 4096LL * 4095 / 2);
  EXPECT_EQ(cardinality({{4096, 4096}, {{i - j, true}}}), 4096);
  EXPECT_EQ(cardinality({{100, 100, 100}, {{i - j - one, false}, {j - k - one, false}}}),
            100LL * 99 * 98 / 6);
  EXPECT_EQ(cardinality({{10, 0}, {}}), 0);
  EXPECT_EQ(cardinality({{}, {}}), 1);
  EXPECT_EQ(cardinality({{5}, {{LinearExpr::number(-1), false}}}), 0);
}

TEST(IntegerSet, CardinalitySaturates) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_EQ(cardinality({{large, large}, {}}), std::numeric_limits<std::int64_t>::max());
}

TEST(IntegerSet, CardinalityAndEmptinessAgreeWithEnumeration) {
  RandomSets random(7);
  for (int round = 0; round < 1500; ++round) {
    const IntegerSet set = random.set(static_cast<std::size_t>(random.number(1, 4)), 5);
    const auto points = pointsOf(set);
    ASSERT_EQ(cardinality(set), std::ssize(points)) << "round " << round;
    ASSERT_EQ(isEmpty(set), points.empty()) << "round " << round;
    ASSERT_GE(cardinalitySteps(set), 0);
  }
}

TEST(IntegerSet, BoundsAgreeWithEnumeration) {
  RandomSets random(11);
  for (int round = 0; round < 500; ++round) {
    const IntegerSet set = random.set(3, 5);
    const LinearExpr expr = random.expr(3);
    const auto points = pointsOf(set);
    const auto bounds = boundsOf(set, expr);
    ASSERT_EQ(bounds.has_value(), !points.empty()) << "round " << round;
    if (!bounds) continue;
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    for (const Point& p : points) {
      low = std::min(low, expr.evaluate(p));
      high = std::max(high, expr.evaluate(p));
    }
    ASSERT_EQ(bounds->min, low) << "round " << round;
    ASSERT_EQ(bounds->max, high) << "round " << round;
  }
}

TEST(IntegerSet, DependenceDistancesAgreeWithEnumeration) {
  RandomSets random(13);
  int related = 0;
  for (int round = 0; round < 1000; ++round) {
    const IntegerSet writer = random.set(2, 6);
    const IntegerSet reader = random.set(2, 6);
    const std::vector<LinearExpr> write = {random.expr(2)};
    const std::vector<LinearExpr> read = {random.expr(2)};
    std::vector<std::set<std::int64_t>> distances(2);
    for (const Point& w : pointsOf(writer)) {
      for (const Point& r : pointsOf(reader)) {
        if (write[0].evaluate(w) != read[0].evaluate(r)) continue;
        for (std::size_t d = 0; d < 2; ++d) distances[d].insert(r[d] - w[d]);
      }
    }
    const DependenceDistance found = dependence(writer, write, reader, read);
    ASSERT_EQ(found.exists, !distances[0].empty()) << "round " << round;
    for (std::size_t d = 0; found.exists && d < 2; ++d) {
      ASSERT_EQ(found.perLoop[d].min, *distances[d].begin()) << "round " << round;
      ASSERT_EQ(found.perLoop[d].max, *distances[d].rbegin()) << "round " << round;
    }
    related += found.exists ? 1 : 0;
  }
  EXPECT_GT(related, 50);
}

TEST(IntegerSet, DependenceOfRunningSumAndTriangularSolve) {
  const LinearExpr i = LinearExpr::dim(0);
  const LinearExpr j = LinearExpr::dim(1);
  const std::vector<LinearExpr> write = {i};
  const std::vector<LinearExpr> before = {i - LinearExpr::number(1)};
  const auto running = dependence({{100}, {}}, write, {{100}, {}}, before);
  EXPECT_EQ(running.perLoop[0].min, 1);
  EXPECT_EQ(running.perLoop[0].max, 1);

  const std::vector<LinearExpr> other = {j};
  const IntegerSet lower{{100, 100}, {{i - j - LinearExpr::number(1), false}}};
  const auto solve = dependence({{100, 1}, {}}, write, lower, other);
  EXPECT_EQ(solve.perLoop[0].min, 1);
  EXPECT_EQ(solve.perLoop[0].max, 99);
}

TEST(IntegerSet, MissingAndSharedElementsAgreeWithEnumeration) {
  RandomSets random(17);
  for (int round = 0; round < 300; ++round) {
    const Image needed{random.set(2, 4), {random.expr(2), random.expr(2)}};
    const Image given{random.set(2, 4), {random.expr(2), random.expr(2)}};
    const auto elements = [](const Image& image) {
      std::set<Point> reached;
      for (const Point& p : pointsOf(image.domain)) {
        reached.insert({image.indices[0].evaluate(p), image.indices[1].evaluate(p)});
      }
      return reached;
    };
    const std::set<Point> want = elements(needed);
    const std::set<Point> have = elements(given);
    const bool lacks = std::ranges::any_of(
        want, [&](const Point& e) { return e[0] >= 0 && e[1] >= 0 && !have.contains(e); });
    const auto missing = missingElement(needed, std::span(&given, 1));
    ASSERT_EQ(missing.element.has_value(), lacks) << "round " << round;
    if (missing.element) {
      ASSERT_TRUE(want.contains(*missing.element) && !have.contains(*missing.element));
    }
    const auto shared = sharedElement(needed, given);
    const bool isAllReduce =
        std::ranges::any_of(want, [&](const Point& e) { return have.contains(e); });
    ASSERT_EQ(shared.element.has_value(), isAllReduce) << "round " << round;
    if (shared.element) {
      ASSERT_TRUE(want.contains(*shared.element) && have.contains(*shared.element));
    }
  }
}

// No answer is not the answer that nothing is missing.
TEST(IntegerSet, SaysWhenItTakesTooLongToFindAnElement) {
  constexpr std::size_t kDims = 5;
  RandomSets random(516);
  IntegerSet box{Point(kDims, 9), {}};
  std::vector<LinearExpr> point;
  for (std::size_t d = 0; d < kDims; ++d) point.push_back(LinearExpr::dim(d));
  std::vector<Image> given;
  for (int piece = 0; piece < 16; ++piece) {
    IntegerSet cut = box;
    for (int c = 0; c < 4; ++c) {
      LinearExpr plane = LinearExpr::number(0);
      for (std::size_t d = 0; d < kDims; ++d) {
        const std::int64_t slope = random.number(-19, 19);
        plane = plane + LinearExpr::dim(d, slope) - LinearExpr::number(4 * slope);
      }
      cut.constraints.push_back({plane});
    }
    given.push_back({cut, point});
  }
  const FoundElement missing = missingElement({box, point}, given);
  EXPECT_TRUE(missing.gaveUp);
  EXPECT_FALSE(missing.element);
  EXPECT_FALSE(missingElement({box, point}, std::span(given).first(1)).gaveUp);
}

TEST(IntegerSet, MissingPiecesAreWhatIsMissing) {
  RandomSets random(23);
  int described = 0;
  for (int round = 0; round < 300; ++round) {
    const IntegerSet box{{5, 6}, {}};
    std::vector<Image> given;
    for (int g = 0; g <= round % 3; ++g) {
      given.push_back({random.set(2, 6), {LinearExpr::dim(0), LinearExpr::dim(1)}});
    }
    if (round % 5 == 0) given.front().indices[0] = random.expr(2);
    const auto pieces = missingPieces(box.extents, given);
    if (!pieces) continue;
    ++described;
    for (const Point& p : pointsOf(box)) {
      const bool reached = std::ranges::any_of(given, [&](const Image& image) {
        return std::ranges::any_of(pointsOf(image.domain), [&](const Point& q) {
          return image.indices[0].evaluate(q) == p[0] && image.indices[1].evaluate(q) == p[1];
        });
      });
      const auto holding = std::ranges::count_if(
          *pieces, [&](const IntegerSet& piece) { return piece.contains(p); });
      ASSERT_EQ(holding, reached ? 0 : 1) << "round " << round;
    }
  }
  EXPECT_GT(described, 250);
  const Image even{{{4}, {}}, {LinearExpr::dim(0) * 2}};
  EXPECT_FALSE(missingPieces({8}, std::span(&even, 1)).has_value());
}

}  // namespace
}  // namespace gridloom::affine
