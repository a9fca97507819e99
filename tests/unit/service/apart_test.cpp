// SPDX-License-Identifier: Apache-2.0
#include "service/apart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "kernel/parts.h"
#include "service/result_records.h"
#include "service/search_budget.h"
#include "support/problem.h"
#include "texts/presets.h"
#include "unit/service/chain_kernel.h"

namespace gridloom::service {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct ApartTest : testing::Test {
  HardwareRef hardware = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 3)));
  base::Progress progress;

  ExploreOptions options() const {
    ExploreOptions options;
    options.top = 1;
    options.threads = 1;
    return options;
  }

  double best(const kernel::Kernel& kernel, std::size_t begin, std::size_t end) {
    const auto part = openPart(kernel::KernelParts(kernel), begin, end);
    EXPECT_TRUE(part) << base::render(part.diagnostics());
    const auto found = explore(hardware, *part, {}, options(), progress);
    return found && !(*found)->top.empty() ? (*found)->top.front().cycles() : kNever;
  }
};

void expectPiecesToOpen(const Kernel& whole) {
  for (const std::string& name : pieceNames(whole.kernel)) {
    const auto piece = openPart(whole.kernel, name);
    ASSERT_TRUE(piece) << name;
    EXPECT_TRUE(*piece) << name << base::render(piece->diagnostics());
  }
}

TEST_F(ApartTest, FindsTheFastestOfAllCuts) {
  const KernelRef chain = openedKernel(kChain);
  const double first = best(chain->kernel, 0, 1), second = best(chain->kernel, 1, 2),
               third = best(chain->kernel, 2, 3), front = best(chain->kernel, 0, 2),
               back = best(chain->kernel, 1, 3);
  const double expected = std::min({first + second + third, front + third, first + back});
  const auto apart = exploreApart(hardware, chain->kernel, {}, options(), progress);
  ASSERT_TRUE(apart);
  EXPECT_DOUBLE_EQ(apart->cycles, expected);
  EXPECT_FALSE(apart->simulated);
  EXPECT_FALSE(exploreApart(hardware, chain->kernel, {.limit = expected}, options(), progress));
}

TEST_F(ApartTest, SearchesNoLongerThanItsLimitOfWork) {
  const KernelRef chain = openedKernel(kChain);
  std::int64_t work = 0;
  const auto free = exploreApart(hardware, chain->kernel, {}, options(), progress);
  ASSERT_TRUE(free);
  for (const ExplorationRef& part : free->parts) work += part->space.work;
  ASSERT_GT(work, 64);
  for (const std::int64_t limit : {work, work / 2, work / 8, std::int64_t{2}}) {
    const auto apart = exploreApart(hardware, chain->kernel, {.work = limit}, options(), progress);
    std::int64_t done = 0;
    for (std::size_t p = 0; apart && p < apart->parts.size(); ++p) {
      done += apart->parts[p]->space.work;
    }
    EXPECT_LE(done, limit);
  }
}

// There is nothing to choose: the parts have all of the work.
TEST_F(ApartTest, ChoosesNoPartsWhereThereIsOneCut) {
  const KernelRef two = openedKernel(R"(kernel two(N = 96) {
  tensor A[N, N]: f16  tensor B[N, N]: f16  tensor Y[N, N]: f16  local t[N, N]: f32
  t[i, j] = sum(k) A[i, k] * B[k, j]
  Y[i, m] = sum(l) t[i, l] * B[l, m]
}
)");
  const auto free = exploreApart(hardware, two->kernel, {}, options(), progress);
  ASSERT_TRUE(free);
  ASSERT_EQ(free->parts.size(), 2U);
  std::int64_t most = 0;
  for (const ExplorationRef& part : free->parts) most = std::max(most, part->space.work);
  const auto found = exploreApart(hardware, two->kernel, {.work = 4 * most}, options(), progress);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->cycles, free->cycles);
  for (const ExplorationRef& part : found->parts)
    EXPECT_EQ(part->space.stopped, search::Stop::None);
}

TEST(WorkLeft, IsSharedAmongTheSearchesToCome) {
  WorkLeft work(640);
  EXPECT_EQ(work.share(2), 320);
  work.take(600);
  EXPECT_EQ(work.share(1), 40);
  EXPECT_FALSE(work.spent());
  work.take(31);
  EXPECT_TRUE(work.spent());
  EXPECT_EQ(work.done(), 631);
  work.take(100);
  EXPECT_EQ(work.share(3), 1);
}

TEST(WorkLeft, IsUnlimitedWithoutALimit) {
  WorkLeft work(0);
  work.take(1'000'000'000);
  EXPECT_EQ(work.share(4), 0);
  EXPECT_FALSE(work.spent());
}

TEST_F(ApartTest, TakesSimulatedCyclesWhereAllPartsAreSimulated) {
  const KernelRef chain = *openKernel(base::makeSource("k.rec", kChain), {{{"N", 512}}, "", ""});
  const HardwareRef wormhole = *openHardware(*texts::loadHardwareText("wormhole_1x8"));
  ExploreOptions simulated = options();
  simulated.rerank = ranking::kQuickReranking;
  simulated.apart = true;
  const auto found = explore(wormhole, chain, {}, simulated, progress);
  ASSERT_TRUE(found) << base::render(found.diagnostics());
  ASSERT_TRUE((*found)->apart);
  EXPECT_TRUE((*found)->apart->simulated);
  EXPECT_LT((*found)->apart->cycles, (*found)->top.front().cycles());
  double sum = 0;
  for (const ExplorationRef& part : (*found)->apart->parts) sum += part->top.front().cycles();
  EXPECT_DOUBLE_EQ((*found)->apart->cycles, sum);
  EXPECT_EQ(recordOf(**found).apart->parts.size(), (*found)->apart->parts.size());
}

// Simulation takes the whole to be faster than any prediction of the parts, and the parts to be
// faster than the whole.
TEST_F(ApartTest, IsFoundWhereTheModelIsTooSlow) {
  const KernelRef chain = openedKernel(R"(kernel chain(M = 1024, D = 512, F = 2048) {
  tensor X[M, D]: f16
  tensor W[D, F]: f16
  tensor V[F, D]: f16
  tensor Y[M, D]: f16
  local h[M, F]: f16

  h[m, f] = relu(sum(d) X[m, d] * W[d, f])
  Y[m, o] = sum(f) h[m, f] * V[f, o]
}
)");
  hardware = *openHardware(*texts::loadHardwareText("blackhole_p150"));
  ExploreOptions simulated = options();
  simulated.rerank = ranking::kQuickReranking;
  simulated.apart = true;
  const auto found = explore(hardware, chain, {}, simulated, progress);
  ASSERT_TRUE(found) << base::render(found.diagnostics());
  double apart = 0;
  for (const std::size_t part : {0, 1}) {
    const auto opened = openPart(kernel::KernelParts(chain->kernel), part, part + 1);
    ASSERT_TRUE(opened) << base::render(opened.diagnostics());
    const auto alone = explore(hardware, *opened, {}, simulated, progress);
    ASSERT_TRUE(alone) << base::render(alone.diagnostics());
    apart += (*alone)->top.front().cycles();
  }
  ASSERT_LT(apart, (*found)->top.front().cycles());
  ASSERT_TRUE((*found)->apart);
  EXPECT_LE((*found)->apart->cycles, apart);
}

// No loop is free in both sums, so the whole runs on one core.
TEST_F(ApartTest, CutsAnywhereWhereCoresAreIdle) {
  const KernelRef both = openedKernel(R"(kernel both(N = 600, M = 500) {
  tensor A[N, M]: f32
  tensor r[N]: f32
  tensor p[M]: f32
  tensor s[M]: f32
  tensor q[N]: f32

  s[j] = sum(i) r[i] * A[i, j]
  q[i] = sum(j) A[i, j] * p[j]
}
)");
  ExploreOptions whole = options();
  whole.apart = true;
  const auto found =
      explore(*openHardware(*texts::loadHardwareText("wormhole_4x8")), both, {}, whole, progress);
  ASSERT_TRUE(found) << base::render(found.diagnostics());
  ASSERT_TRUE((*found)->apart);
  EXPECT_EQ((*found)->apart->parts.size(), 2U);
  EXPECT_LT(2 * (*found)->apart->cycles, (*found)->top.front().cycles());
}

// All cores have work, but each of them sums the whole image for its part of the boxes.
TEST_F(ApartTest, CutsAnywhereWhereCoresRepeatTheWork) {
  const KernelRef boxes = openedKernel(R"(kernel boxes(H = 512, W = 512, R = 7) {
  tensor I[H, W]: f32
  tensor B[H - R, W - R]: f32
  local S[H + 1, W + 1]: f32

  S[y, x] = select(y == 0 or x == 0, 0,
                   S[y - 1, x] + S[y, x - 1] - S[y - 1, x - 1] + I[y - 1, x - 1])
  B[a, b] = S[a + R, b + R] - S[a, b + R] - S[a + R, b] + S[a, b]
}
)");
  ExploreOptions whole = options();
  whole.apart = true;
  const auto found =
      explore(*openHardware(*texts::loadHardwareText("wormhole_4x8")), boxes, {}, whole, progress);
  ASSERT_TRUE(found) << base::render(found.diagnostics());
  EXPECT_GT((*found)->top.front().candidate.estimate.activeCores, 16);
  ASSERT_TRUE((*found)->apart);
  EXPECT_LT(2 * (*found)->apart->cycles, (*found)->top.front().cycles());
}

// The copy of the last step is searched in no time: its share of the work is for the steps.
TEST_F(ApartTest, LeavesTheWorkOfSmallPartsToLargeOnes) {
  const KernelRef paths = openedKernel(R"(kernel paths(N = 128) {
  tensor D[N, N]: f32
  tensor R[N, N]: f32
  local d[N + 1, N, N]: f32

  d[0, i, j] = D[i, j]
  d[k + 1, i, j] = min(d[k, i, j], d[k, i, k] + d[k, k, j])  where k < N
  R[i, j] = d[N, i, j]
}
)");
  ExploreOptions whole = options();
  whole.apart = true;
  const auto found =
      explore(*openHardware(*texts::loadHardwareText("wormhole_4x8")), paths, {}, whole, progress);
  ASSERT_TRUE(found) << base::render(found.diagnostics());
  ASSERT_TRUE((*found)->apart);
  ASSERT_EQ((*found)->apart->parts.size(), 2U);
  EXPECT_EQ((*found)->apart->parts.front()->kernel->kernel.name, "paths_d");
  EXPECT_LT(5 * (*found)->apart->cycles, (*found)->top.front().cycles());
}

// The range of t comes from what a part does not contain.
TEST_F(ApartTest, OpensPartsWhoseRangesOthersGive) {
  const KernelRef viterbi = openedKernel(R"(kernel viterbi(T = 16, S = 8) {
  tensor A[S, S]: f32
  tensor e[T + 1, S]: f32
  tensor B[T + 1, S]: i32
  tensor V[T + 1, S]: f32
  local v[T + 1, S]: f32

  v[0, s] = e[0, s]
  B[0, s] = 0
  v[t + 1, s] = (max(q) (v[t, q] + A[q, s])) + e[t + 1, s]
  B[t + 1, s] = argmax(q) (v[t, q] + A[q, s])
  V[d, s] = v[d, s]
}
)");
  expectPiecesToOpen(*viterbi);
}

// A term without loops is no tensor.
TEST_F(ApartTest, SumsAStateWithoutDimensionsInPlace) {
  const KernelRef scalar = openedKernel(R"(kernel scalar(T = 5, Q = 4) {
  tensor Z[T]: f32
  tensor o[1]: f32
  local s[T]: f32 = 1
  for q in 0..Q

  s[t] = s[t - 1] * exp(Z[t])
  o[0] = sum(q) s[T - 1]
}
)");
  expectPiecesToOpen(*scalar);
}

TEST_F(ApartTest, ServesAKernelThatFitsOnlyInParts) {
  const KernelRef wide = openedKernel(R"(kernel wide(M = 8, N = 40000) {
  tensor X[M, N]: f32
  tensor Y[M, N]: f32
  local a[M, N]: f32
  local s[M]: f32

  a[i, j] = X[i, j] * X[i, j]
  s[i] = sum(j) a[i, j]
  Y[i, j] = s[i] * X[i, j] + X[i, 0]
}
)");
  ExploreOptions whole = options();
  whole.apart = true;
  const auto found = explore(hardware, wide, {}, whole, progress);
  ASSERT_TRUE(found) << base::render(found.diagnostics());
  EXPECT_TRUE((*found)->top.empty());
  ASSERT_TRUE((*found)->apart);
  EXPECT_GE((*found)->apart->parts.size(), 2U);
}

}  // namespace
}  // namespace gridloom::service
