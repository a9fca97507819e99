// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "search/search.h"
#include "support/problem.h"
#include "support/rounds.h"

namespace gridloom::search {
namespace {

/// A random number from the list.
template <class T> T pick(std::mt19937& random, std::initializer_list<T> of) {
  return of.begin()[random() % of.size()];
}

/// Small kernels on small meshes, with memories from ample to too small, powers of two and sizes
/// with edge tiles. Symmetric sizes make many ties.
test::Problem randomProblem(std::mt19937& random) {
  const int columns = pick(random, {1, 2, 3, 4});
  const int rows = pick(random, {1, 2, 3});
  std::string mesh = test::smallMesh(columns, rows, pick(random, {1, columns}),
                                     pick(random, {600, 1500, 4000, 65536}));
  if (random() % 3 == 0) mesh = test::withSharedMemories(mesh, pick(random, {"x", "y", "xy"}));
  const auto size = [&] { return pick<std::int64_t>(random, {4, 8, 8, 12, 16, 18}); };
  switch (random() % 8) {
  case 0:
    return test::makeProblem(mesh, "vector_add", {{"N", 8 * size()}});
  case 1:
    return test::makeProblem(mesh, "gemv", {{"M", 2 * size()}, {"K", size()}});
  case 2:
    return test::makeProblem(mesh, "gemm_bias_relu", {{"M", size()}, {"N", size()}, {"K", 8}});
  case 3:
    return test::makeProblem(mesh, "prefix_sum", {{"N", 8 * size()}});
  case 4:
    return test::makeProblem(mesh, "trsm", {{"N", size()}, {"R", size()}});
  case 5:
    return test::makeProblem(mesh, "cholesky", {{"N", 2 * size()}});
  default:
    return test::makeProblem(mesh, "gemm", {{"M", size()}, {"N", size()}, {"K", size()}});
  }
}

Outcome searchWith(const test::Problem& p, const Options& options) {
  base::Progress progress;
  auto outcome = topK(p.kernel, p.nest, p.hw, {}, options, progress);
  EXPECT_TRUE(outcome) << render(outcome.diagnostics());
  return outcome ? *std::move(outcome) : Outcome{};
}

Outcome searchOf(const test::Problem& p, int top, int threads, bool exhaustive,
                 std::int64_t firstWork = 1 << 14) {
  Options options;
  options.top = top;
  options.threads = threads;
  options.exhaustive = exhaustive;
  options.trustBounds = !exhaustive;
  options.firstItemWork = firstWork;
  options.firstRoundWork = 20 * firstWork;
  return searchWith(p, options);
}

std::int64_t countedIn(const SpaceCount& space) {
  std::int64_t counted = space.evaluated + space.pruned;
  for (const Rejection& r : space.rejected) counted += r.count;
  return counted;
}

void expectSame(const Outcome& a, const Outcome& b, const std::string& what) {
  ASSERT_EQ(a.top.size(), b.top.size()) << what;
  for (std::size_t i = 0; i < a.top.size(); ++i) {
    ASSERT_EQ(a.top[i].estimate.cycles, b.top[i].estimate.cycles) << what << " " << i;
    ASSERT_EQ(a.top[i].mapping, b.top[i].mapping) << what << " " << i;
  }
}

// Points that the bound prunes are never among the best, for any k and any number of threads.
TEST(SearchOnRandomProblems, PruningEqualsExhaustion) {
  std::mt19937 random(7);
  for (int round = 0; round < test::rounds(60); ++round) {
    const test::Problem p = randomProblem(random);
    const int top = pick(random, {1, 2, 3, 7, 20, 100, 1000});
    const std::string what = "round " + std::to_string(round) + ", " + p.kernel.name;
    const Outcome all = searchOf(p, top, 2, true);
    expectSame(all, searchOf(p, top, pick(random, {1, 2, 4}), false), what);
    // Small work limits force first points of all items, and several rounds.
    const Outcome one = searchOf(p, top, 1, false, pick<std::int64_t>(random, {1, 30, 300}));
    expectSame(all, one, what + " in rounds");
    ASSERT_TRUE(one.space.exact) << what;
    ASSERT_EQ(countedIn(one.space), one.space.size) << what;
    if (round % 10 == 0) expectSame(all, searchOf(p, top, 1, true), what);
    ASSERT_EQ(all.space.pruned, 0) << what;
  }
}

// What a margin leaves out is no more than the margin faster, at each place of the ranking.
TEST(SearchOnRandomProblems, AMarginIsKept) {
  std::mt19937 random(8);
  int shorter = 0;
  for (int round = 0; round < test::rounds(60); ++round) {
    const test::Problem p = randomProblem(random);
    Options options;
    options.top = pick(random, {1, 3, 20});
    options.firstItemWork = 30;
    options.firstRoundWork = 600;
    const Outcome exact = searchWith(p, options);
    options.margin = pick(random, {0.001, 0.01, 0.2});
    options.patience = pick<std::int64_t>(random, {1, 200, 3000});
    if (!exact.top.empty()) {
      options.least = pick(random, {0.0, 0.9995, 1.0}) * exact.top.front().estimate.cycles;
    }
    options.threads = 1;
    const Outcome within = searchWith(p, options);
    options.threads = 4;
    const std::string what = "round " + std::to_string(round) + ", " + p.kernel.name;
    expectSame(within, searchWith(p, options), what);
    ASSERT_EQ(within.space.stopped, Stop::None) << what;
    ASSERT_EQ(within.space.exact, within.space.margin == 0) << what;
    ASSERT_LE(within.space.margin, options.margin) << what;
    ASSERT_EQ(countedIn(within.space), within.space.size) << what;
    ASSERT_GE(within.space.evaluated, std::ssize(within.top)) << what;
    ASSERT_EQ(within.top.size(), exact.top.size()) << what;
    for (std::size_t i = 0; i < exact.top.size(); ++i) {
      ASSERT_LE(within.top[i].estimate.cycles,
                exact.top[i].estimate.cycles * (1 + within.space.margin) * (1 + 1e-12))
          << what << " " << i;
    }
    shorter += within.space.work < exact.space.work ? 1 : 0;
  }
  EXPECT_GT(shorter, 5);
}

// Where the kernel itself allows nothing faster, a quarter of the steps is enough.
TEST(SearchOnRandomProblems, EndsSoonNearTheLeastCyclesOfTheKernel) {
  const test::Problem p =
      test::makeProblem(test::smallMesh(4, 3), "gemm", {{"M", 48}, {"N", 48}, {"K", 48}});
  Options options;
  options.firstItemWork = 30;
  options.firstRoundWork = 600;
  const Outcome exact = searchWith(p, options);
  options.margin = 0.001;
  options.patience = exact.space.work;
  expectSame(exact, searchWith(p, options), "patient");
  options.least = exact.top.back().estimate.cycles;
  const Outcome near = searchWith(p, options);
  EXPECT_LT(near.space.work, exact.space.work / 3);
  EXPECT_EQ(near.space.margin, 0.001);
  EXPECT_LE(near.top.back().estimate.cycles, 1.001 * exact.top.back().estimate.cycles);
}

}  // namespace
}  // namespace gridloom::search
