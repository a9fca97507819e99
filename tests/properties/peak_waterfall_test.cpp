// SPDX-License-Identifier: Apache-2.0
//
// From the peak to what a run achieves: on random mappings of all kinds of kernels, the steps sum
// to 100%, none is negative, and the cores' own losses sum to those of the machine. The parts of
// tile operations come from the schedule's tiles, the others from the simulation, so the sum is
// evidence and no identity.
#include "report/peak_waterfall.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::report::peak_waterfall_property {
namespace {

using test::Problem;

struct Case {
  const char* kernel;
  test::Settings settings;
};

// Sizes that no tile size divides, so that edge tiles are everywhere.
const Case kCases[] = {
    {"gemm", {{"M", 13}, {"N", 11}, {"K", 10}}},
    {"batched_gemm", {{"B", 3}, {"M", 7}, {"N", 6}, {"K", 9}}},
    {"gemm_bias_relu", {{"M", 13}, {"N", 10}, {"K", 11}}},
    {"vector_add", {{"N", 67}}},
    {"softmax", {{"M", 11}, {"N", 9}}},
    {"layernorm", {{"M", 9}, {"N", 7}}},
    {"flash_attention", {{"H", 2}, {"SQ", 7}, {"SK", 9}, {"D", 5}}},
    {"mttkrp", {{"I", 5}, {"K", 4}, {"L", 6}, {"J", 7}}},
    {"conv2d", {{"N", 2}, {"C", 3}, {"H", 6}, {"W", 7}, {"F", 5}, {"R", 2}, {"S", 3}}},
    {"gemv", {{"M", 19}, {"K", 13}}},
    {"prefix_sum", {{"N", 23}}},
    {"trsm", {{"N", 13}, {"R", 7}}},
    {"cholesky", {{"N", 13}}},
    {"jacobi2d", {{"T", 4}, {"N", 11}}},
    {"causal_attention", {{"H", 2}, {"S", 11}, {"D", 5}}},
};

bool isOfUnits(PeakLoss loss) {
  return loss == PeakLoss::UnitRate || loss == PeakLoss::UnitFill || loss == PeakLoss::Issue ||
         loss == PeakLoss::ExtraWork;
}

void expectWaterfall(const Problem& p, const mapping::Mapping& m, const std::string& what) {
  const auto lowered = schedule::lower(p.kernel, p.nest, p.hw, m);
  ASSERT_TRUE(lowered.ok()) << what << "\n" << render(lowered.diagnostics());
  const auto verified = schedule::verify(*lowered, p.kernel, p.nest, p.hw);
  ASSERT_TRUE(verified) << what << "\n" << render(verified.diagnostics());
  base::Progress progress;
  const auto simulated = simulate::simulate(*verified, {}, progress);
  ASSERT_TRUE(simulated.ok()) << what << "\n" << render(simulated.diagnostics());
  const auto split = simulate::splitCompute(*lowered, (*verified)->placement, p.nest, p.compute);
  const PeakRun run{p.kernel, p.nest, p.hw, p.compute, *lowered, *simulated, split};
  const WaterfallRecord waterfall = waterfallOf(run);
  EXPECT_NEAR(waterfall.sum(), 1, 1e-6) << what;
  ASSERT_EQ(waterfall.losses.size(), kPeakLosses);
  const CoreLosses losses(run);
  for (std::size_t l = 0; l < kPeakLosses; ++l) {
    const auto loss = static_cast<PeakLoss>(l);
    EXPECT_GE(waterfall.losses[l].share, -1e-6) << what << ": " << nameOf(loss);
    // What operations lose has causes.
    const bool named = waterfall.losses[l].reason.empty() || !waterfall.losses[l].causes.empty();
    EXPECT_TRUE(named || !isOfUnits(loss)) << what << ": " << nameOf(loss);
    double sum = 0;
    for (std::size_t core = 0; core < split.classOf.size(); ++core) sum += losses.of(loss, core);
    const double idle = static_cast<double>(p.hw.enabledCores() - p.hw.coreCount());
    if (loss == PeakLoss::IdleCores) sum += idle * simulated->cycles;
    EXPECT_NEAR(sum, losses.total(loss), 1e-4 * simulated->cycles) << what;
  }
}

void runRandom(const std::string& hardware, const Case& c, std::uint64_t firstSeed, int count) {
  const Problem p = test::makeProblem(hardware, c.kernel, c.settings);
  for (std::uint64_t seed = firstSeed; seed < firstSeed + static_cast<std::uint64_t>(count);
       ++seed) {
    const mapping::Mapping m = test::randomOrRing(p, seed);
    if (m.inputs.empty()) continue;
    expectWaterfall(p, m,
                    fmt::format("seed {}: {}", seed, mapping::describe(p.kernel, p.nest, p.hw, m)));
  }
}

class PeakOfRandomMappings : public testing::TestWithParam<Case> {};

TEST_P(PeakOfRandomMappings, SumToThePeak) {
  runRandom(test::smallMesh(3, 2), GetParam(), 100, 40);
  runRandom(test::smallTorus(2, 3), GetParam(), 200, 20);
  runRandom(test::meshWithSharedBuffer(3, 2), GetParam(), 300, 20);
  runRandom(test::withChaining(test::smallMesh(3, 2)), GetParam(), 400, 20);
}

TEST_P(PeakOfRandomMappings, SumToThePeakBesideADisabledCore) {
  std::string mesh = test::smallMesh(4, 3);
  mesh.replace(mesh.find("launch = 50 cycle"), 0, "disabled = [(1, *), (*, 2)], ");
  runRandom(mesh, GetParam(), 400, 15);
}

TEST_P(PeakOfRandomMappings, SumToThePeakOnSharedMemories) {
  runRandom(test::withSharedMemories(test::smallMesh(3, 2), "y"), GetParam(), 500, 15);
}

TEST(PeakWaterfall, SumsToThePeakOnShippedHardware) {
  const Case gemm{"gemm", {{"M", 210}, {"N", 330}, {"K", 150}}};
  const Case layernorm{"layernorm", {{"M", 130}, {"N", 500}}};
  for (const char* hardware :
       {"wormhole_8x8", "wormhole_n150", "blackhole_p150", "npu_phoenix_4x4", "npu_strix_4x8",
        "systolic_32x32_ws", "systolic_mesh_32x32", "arria10_systolic_10x8", "spyre_ring"}) {
    runRandom(hardware, gemm, 600, 2);
    runRandom(hardware, layernorm, 610, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(PeakWaterfall, PeakOfRandomMappings, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.kernel); });

}  // namespace
}  // namespace gridloom::report::peak_waterfall_property
