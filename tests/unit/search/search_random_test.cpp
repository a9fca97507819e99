// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "search/search.h"
#include "support/problem.h"

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
  switch (random() % 5) {
  case 0:
    return test::makeProblem(mesh, "vector_add", {{"N", 8 * size()}});
  case 1:
    return test::makeProblem(mesh, "gemv", {{"M", 2 * size()}, {"K", size()}});
  case 2:
    return test::makeProblem(mesh, "gemm_bias_relu", {{"M", size()}, {"N", size()}, {"K", 8}});
  default:
    return test::makeProblem(mesh, "gemm", {{"M", size()}, {"N", size()}, {"K", size()}});
  }
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
  base::Progress progress;
  auto outcome = topK(p.kernel, p.nest, p.hw, {}, options, progress);
  EXPECT_TRUE(outcome) << render(outcome.diagnostics());
  return outcome ? *std::move(outcome) : Outcome{};
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
  for (int round = 0; round < 250; ++round) {
    const test::Problem p = randomProblem(random);
    const int top = pick(random, {1, 2, 3, 7, 20, 100, 1000});
    const std::string what = "round " + std::to_string(round) + ", " + p.kernel.name;
    const Outcome all = searchOf(p, top, 2, true);
    expectSame(all, searchOf(p, top, pick(random, {1, 2, 4}), false), what);
    // Small work limits force first points of all items, and several rounds.
    const Outcome one = searchOf(p, top, 1, false, pick<std::int64_t>(random, {1, 30, 300}));
    expectSame(all, one, what + " in rounds");
    ASSERT_TRUE(one.space.exact) << what;
    std::int64_t counted = one.space.evaluated + one.space.pruned;
    for (const Rejection& r : one.space.rejected) counted += r.count;
    ASSERT_EQ(counted, one.space.size) << what;
    if (round % 10 == 0) expectSame(all, searchOf(p, top, 1, true), what);
    ASSERT_EQ(all.space.pruned, 0) << what;
  }
}

}  // namespace
}  // namespace gridloom::search
