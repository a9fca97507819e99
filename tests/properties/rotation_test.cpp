// SPDX-License-Identifier: Apache-2.0
//
// Rotating tiles through the whole line: values, bytes, bounds, texts.
#include "mapping/rotation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "cost/model.h"
#include "schedule/schedule.h"
#include "schedule/verify.h"
#include "support/line_check.h"
#include "support/verified.h"
#include "syntax/directive_parser.h"
#include "syntax/schedule_binder.h"
#include "syntax/schedule_parser.h"
#include "syntax/schedule_printer.h"

namespace gridloom::mapping::rotation_property {
namespace {

using test::LineCheck;
using test::makeProblem;
using test::Problem;
using test::smallTorus;

const std::string kGemm =
    "kernel gemm(M = 24, N = 24, K = 48) {\n  tensor A[M, K]: f16\n  tensor B[K, N]: f16\n"
    "  tensor C[M, N]: f32\n  C[i, j] = sum(k) A[i, k] * B[k, j]\n}\n";

Constraints asked(const Problem& p, const std::string& directives) {
  auto parsed = syntax::parseDirectives(base::makeSource("test.sched", directives));
  EXPECT_TRUE(parsed) << render(parsed.diagnostics());
  auto constraints = resolve(*parsed, p.kernel, p.nest, p.hw);
  EXPECT_TRUE(constraints) << render(constraints.diagnostics());
  return *constraints;
}

Mapping only(const Problem& p, const std::string& directives) {
  const auto mapping = test::sampled(p, asked(p, directives), 1);
  EXPECT_TRUE(mapping) << directives;
  return mapping.value_or(Mapping{});
}

std::string tiles(int i, int j, int k) {
  return fmt::format("space(i->x) space(j->y) tile(i, {}) tile(j, {}) tile(k, {})\n"
                     "order(i, j, k) hoist(A) hoist(B) double(A) double(B)\n",
                     i, j, k);
}

TEST(Rotation, EveryCoreSeesEveryTileOfARoundOnce) {
  const LoopSkew skew{3, 4};
  for (std::int64_t delay = 0; delay < 9; ++delay) {
    std::vector<std::int64_t> waves;
    for (std::int64_t t = 4; t < 8; ++t) {
      waves.push_back(skew.waveAt(t, delay));
      if (t == 4) continue;
      EXPECT_EQ(skew.waveAt(t, delay + 1), skew.waveAt(t - 1, delay)) << "one core on";
    }
    std::ranges::sort(waves);
    EXPECT_EQ(waves, (std::vector<std::int64_t>{4, 5, 6, 7}));
  }
}

TEST(Rotation, CannonsAlgorithmComputesTheProductAndLoadsEveryTileOnce) {
  for (const int size : {2, 3}) {
    for (const bool oneWay : {false, true}) {
      for (const int waves : {1, 2}) {
        const auto p = makeProblem(smallTorus(size, size, oneWay), kGemm);
        const int tile = 24 / size / waves;
        const Mapping m = only(p, tiles(tile, tile, 8) + "rotate(A, y) rotate(B, x)");
        SCOPED_TRACE(describe(p.kernel, p.nest, p.hw, m));
        const auto run = LineCheck(p).run(m);
        ASSERT_TRUE(run);
        for (const std::size_t n : {0u, 1u}) {
          EXPECT_EQ(run->predicted.operands[n].dramRead, 24 * 48 * 2 * waves);
        }
      }
    }
  }
}

struct Case {
  const char* kernel;
  test::Settings settings;
};
// Sizes that tiles divide: sums have full rounds.
const Case kCases[] = {
    {"gemm", {{"M", 16}, {"N", 13}, {"K", 24}}},
    {"batched_gemm", {{"B", 2}, {"M", 12}, {"N", 12}, {"K", 12}}},
    {"gemm_bias_relu", {{"M", 12}, {"N", 16}, {"K", 24}}},
    {"gemv", {{"M", 19}, {"K", 24}}},
    {"ttm", {{"I", 4}, {"J", 6}, {"L", 12}, {"K", 12}}},
    {"mttkrp", {{"I", 6}, {"K", 12}, {"L", 6}, {"J", 8}}},
    {"conv2d", {{"N", 2}, {"C", 12}, {"H", 6}, {"W", 7}, {"F", 6}, {"R", 2}, {"S", 3}}},
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.kernel; }

/// Mappings of a problem in which some of the inputs rotate, all that a few draws find.
std::vector<Mapping> rotatingMappings(const Problem& p, std::mt19937_64& random) {
  std::vector<Mapping> found;
  const auto inputs = static_cast<unsigned>(p.nest.inputs.size());
  for (unsigned chosen = 1; chosen < 1U << inputs; ++chosen) {
    Constraints constraints;
    for (unsigned i = 0; i < inputs; ++i) {
      if ((chosen >> i & 1U) != 0)
        constraints.inputs[static_cast<int>(i)].kind = MovementKind::Rotate;
    }
    for (int n = 0; n < 4; ++n) {
      if (auto m = test::sampled(p, constraints, random())) found.push_back(*std::move(m));
    }
  }
  return found;
}

// A line of cores loads together what each of them would load by itself.
void expectSharedLoads(const Problem& p, const Mapping& m, const cost::Estimate& predicted) {
  Mapping direct = m;
  for (InputMovement& input : direct.inputs) {
    if (input.kind == MovementKind::Rotate) input = {MovementKind::Direct, 0, 0, input.level, 2};
  }
  const auto alone = cost::estimate(p.kernel, p.nest, p.hw, p.compute, direct);
  const Tiling tiling = tilingOf(m, p.kernel, p.hw);
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    if (m.inputs[i].kind != MovementKind::Rotate) continue;
    EXPECT_NEAR(predicted.operands[i].dramRead *
                    static_cast<double>(tiling.active[m.inputs[i].first]),
                alone.operands[i].dramRead, 1e-6 * alone.operands[i].dramRead + 1)
        << describe(p.kernel, p.nest, p.hw, m);
  }
}

class Rotating : public testing::TestWithParam<Case> {};

// Values, bytes and local memory are those of the kernel and the model; no run beats the roofline.
TEST_P(Rotating, RandomMappingsComputeWhatTheKernelSays) {
  std::mt19937_64 random(20261122);
  int checked = 0;
  for (const auto& [columns, rows] : {std::pair{2, 2}, {3, 3}, {4, 2}, {2, 3}, {4, 1}}) {
    const bool oneWay = random() % 2 == 0;
    const auto p =
        makeProblem(smallTorus(columns, rows, oneWay), GetParam().kernel, GetParam().settings);
    const LineCheck line(p);
    const double least = cost::roofline(p.kernel, p.nest, p.hw, p.compute).cycles;
    for (const Mapping& m : rotatingMappings(p, random)) {
      const auto run = line.run(m);
      ASSERT_TRUE(run) << describe(p.kernel, p.nest, p.hw, m);
      if (p.kernel.name != "conv2d") {  // the model averages windows that overlap
        EXPECT_NEAR(run->predicted.traffic.dramRead, run->simulated.traffic.dramRead,
                    1e-6 * run->simulated.traffic.dramRead)
            << describe(p.kernel, p.nest, p.hw, m);
      }
      expectSharedLoads(p, m, run->predicted);
      EXPECT_GE(run->simulated.cycles, least);
      ++checked;
    }
  }
  EXPECT_GT(checked, 10);
}

std::string withoutMulticast(std::string machine) {
  return std::regex_replace(machine, std::regex("setup = 10 cycle"),
                            "multicast = no, setup = 10 cycle");
}

// The search prunes nothing that is among the best, whatever rotates.
TEST(Rotation, SearchesThatOfferItAreExact) {
  const auto p = makeProblem(withoutMulticast(smallTorus(3, 3)), kGemm);
  for (const char* directives : {"tile(i, 8) tile(j, 8)", "space(j->x) space(i->y)", "rotate(A, y)",
                                 "rotate(A, y) rotate(B, x)"}) {
    SCOPED_TRACE(directives);
    test::expectExactSearch(p, asked(p, directives), 5);
  }
}

// On a mesh without links around the edges, or with multicasts, only a directive chooses it.
TEST(Rotation, IsOfferedOnRingsWithoutMulticast) {
  const auto count = [](const std::string& machine, const std::string& directives) {
    const auto p = makeProblem(machine, kGemm);
    Mapping m = only(p, tiles(8, 8, 8));
    const auto options = inputOptions(p.nest, 0, m, p.hw, asked(p, directives));
    return std::ranges::count(options, MovementKind::Rotate, &InputMovement::kind);
  };
  EXPECT_EQ(count(test::smallMesh(3, 3), "tile(i, 8)"), 0);
  EXPECT_EQ(count(test::smallMesh(3, 3), "rotate(A, y)"), 1);
  EXPECT_EQ(count(test::smallMesh(3, 3), "rotate(A, x)"), 0);
  EXPECT_EQ(count(smallTorus(3, 3), "tile(i, 8)"), 0);
  EXPECT_EQ(count(smallTorus(3, 3), "rotate(A, y)"), 1);
  EXPECT_EQ(count(withoutMulticast(smallTorus(3, 3)), "tile(i, 8)"), 1);
  EXPECT_EQ(count(withoutMulticast(smallTorus(3, 3, true)), "tile(i, 8)"), 1);
  EXPECT_EQ(count(withoutMulticast(smallTorus(3, 3)), "not rotate(A)"), 0);
}

TEST(Rotation, IsRefusedWithItsReason) {
  const auto reason = [](const std::string& machine, const std::string& directives) {
    const auto p = makeProblem(machine, kGemm);
    Mapping m = only(p, directives);
    if (m.inputs.empty()) return std::string();
    m.inputs[0] = {MovementKind::Rotate, 2, 1, static_cast<std::uint8_t>(m.order.size()), 2};
    return base::render(checkMapping(p.kernel, p.nest, p.hw, m));
  };
  const std::string torus = smallTorus(3, 3);
  EXPECT_EQ(reason(torus, tiles(8, 8, 8)), "");
  EXPECT_NE(reason(torus, tiles(8, 8, 12)).find("a multiple of the cores"), std::string::npos);
  EXPECT_NE(reason(torus, tiles(8, 8, 20)).find("must be whole"), std::string::npos);
  EXPECT_NE(reason(torus, tiles(8, 6, 8)).find("every wave"), std::string::npos);
  EXPECT_NE(reason(smallTorus(4, 3), tiles(6, 8, 8)).find("longer lines"), std::string::npos);
}

TEST(Rotation, ItsChannelFillsABufferAlone) {
  const auto p = makeProblem(smallTorus(3, 3), kGemm);
  const Mapping m = only(p, tiles(8, 8, 8) + "rotate(A, y)");
  const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
  ASSERT_TRUE(lowered);
  EXPECT_TRUE(schedule::verify(*lowered, p.kernel, p.nest, p.hw));
  schedule::Schedule changed = *lowered;
  changed.mapping.inputs[0].kind = MovementKind::Stream;
  const auto verified = schedule::verify(changed, p.kernel, p.nest, p.hw);
  ASSERT_FALSE(verified);
  EXPECT_NE(base::render(verified.diagnostics()).find("alone"), std::string::npos);
}

// A schedule says all of it: printed and read back, it is the same.
TEST_P(Rotating, SchedulesReadBackTheSame) {
  std::mt19937_64 random(3);
  for (const int size : {2, 3}) {
    const auto p = makeProblem(smallTorus(size, size), GetParam().kernel, GetParam().settings);
    for (const Mapping& m : rotatingMappings(p, random)) {
      const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
      ASSERT_TRUE(schedule);
      const std::string text = syntax::printSchedule(*schedule, p.kernel, p.nest, p.hw);
      const auto parsed = syntax::parseSchedule(base::makeSource("test.prog", text));
      ASSERT_TRUE(parsed) << base::render(parsed.diagnostics()) << text;
      const auto bound = syntax::bindSchedule(*parsed, p.kernel, p.nest, p.hw);
      ASSERT_TRUE(bound) << base::render(bound.diagnostics()) << text;
      EXPECT_EQ(bound->schedule.mapping, m) << describe(p.kernel, p.nest, p.hw, m);
      EXPECT_EQ(syntax::printSchedule(bound->schedule, p.kernel, p.nest, p.hw), text);
    }
  }
}

// Skipping what repeats keeps whole rounds: the result is that of the full run.
TEST_P(Rotating, SkippedRunsEndAsFullOnes) {
  std::mt19937_64 random(11);
  const auto p = makeProblem(smallTorus(2, 2), GetParam().kernel, GetParam().settings);
  for (const Mapping& m : rotatingMappings(p, random)) {
    const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
    ASSERT_TRUE(lowered);
    const auto verified = test::verified(*lowered, p);
    simulate::Options full;
    full.full = true;
    base::Progress progress;
    const auto skipped = simulate::simulate(verified, {}, progress);
    const auto whole = simulate::simulate(verified, full, progress);
    ASSERT_TRUE(skipped && whole);
    EXPECT_EQ(skipped->cycles, whole->cycles) << describe(p.kernel, p.nest, p.hw, m);
    EXPECT_EQ(skipped->traffic.dramRead, whole->traffic.dramRead);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Rotating, testing::ValuesIn(kCases));

}  // namespace
}  // namespace gridloom::mapping::rotation_property
