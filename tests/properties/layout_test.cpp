// SPDX-License-Identifier: Apache-2.0
// Tensors in every place: random legal mappings have the right values, move what they must, and
// take the time that the model says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cost/model.h"
#include "support/line_check.h"
#include "support/problem.h"

namespace gridloom::layout_property {
namespace {

using mapping::TensorLayout;
using test::makeProblem;
using test::Problem;
using test::sampled;

mapping::Constraints allIn(const Problem& p, TensorLayout inputs, TensorLayout outputs) {
  mapping::Constraints c;
  for (std::size_t i = 0; i < p.nest.inputs.size(); ++i) {
    c.inputs[static_cast<int>(i)].layout = inputs;
  }
  for (std::size_t o = 0; o < p.nest.outputs.size(); ++o) {
    c.outputs[static_cast<int>(o)].layout = outputs;
  }
  return c;
}

struct Case {
  TensorLayout inputs, outputs;
};

class Placed : public testing::TestWithParam<Case> {};

TEST_P(Placed, ValuesAreRightAndOnlyGlobalMemoryIsRead) {
  const auto [in, out] = GetParam();
  for (const char* kernel : {"gemm", "gemm_bias_relu"}) {
    const Problem p =
        makeProblem(test::smallMesh(2, 3, 3), kernel, {{"M", 13}, {"N", 11}, {"K", 10}});
    const test::LineCheck line(p);
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      const auto m = sampled(p, allIn(p, in, out), seed);
      if (!m) continue;
      const std::string what = mapping::describe(p.kernel, p.nest, p.hw, *m);
      const auto ran = line.run(*m);
      ASSERT_TRUE(ran) << what;
      const simulate::Simulation& s = ran->simulated;
      EXPECT_NEAR(ran->predicted.traffic.dramRead, s.traffic.dramRead, 1e-6 * s.traffic.dramRead)
          << what;
      EXPECT_EQ(s.traffic.dramRead == 0, in == TensorLayout::Local) << what;
      EXPECT_EQ(s.traffic.dramWrite == 0, out == TensorLayout::Local) << what;
    }
  }
}

TEST_P(Placed, PredictedIsNearSimulated) {
  const auto [in, out] = GetParam();
  const Problem p =
      makeProblem(test::smallMesh(4, 4, 4, 1 << 20), "gemm", {{"M", 256}, {"N", 256}, {"K", 256}});
  std::vector<mapping::Mapping> mappings;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    if (auto m = sampled(p, allIn(p, in, out), seed)) mappings.push_back(*std::move(m));
  }
  const test::Agreement agreement = test::agreementOf(p, mappings);
  EXPECT_GT(agreement.mappings, 5);
  EXPECT_LT(agreement.error, 0.15) << agreement.mappings << " mappings";
}

TEST_P(Placed, TheSearchFindsWhatExhaustionFinds) {
  const auto [in, out] = GetParam();
  const Problem p =
      makeProblem(test::smallMesh(2, 2, 2, 8192), "gemm", {{"M", 16}, {"N", 12}, {"K", 16}});
  test::expectExactSearch(p, allIn(p, in, out), 4);
}

INSTANTIATE_TEST_SUITE_P(
    Places, Placed,
    testing::Values(Case{TensorLayout::PageInterleaved, TensorLayout::PageInterleaved},
                    Case{TensorLayout::TileInterleaved, TensorLayout::TileInterleaved},
                    Case{TensorLayout::NearestChannel, TensorLayout::NearestChannel},
                    Case{TensorLayout::Local, TensorLayout::PageInterleaved},
                    Case{TensorLayout::Local, TensorLayout::Local}),
    [](const auto& chosen) {
      return fmt::format("{}_{}",
                         mapping::kLayoutNames[static_cast<std::size_t>(chosen.param.inputs)],
                         mapping::kLayoutNames[static_cast<std::size_t>(chosen.param.outputs)]);
    });

// With everything near, channels serve their own cores and the network rests.
TEST(Layout, NearTilesTakeNoMoreHopsThanPages) {
  const Problem p = makeProblem("wormhole_n150", "gemm", {{"M", 512}, {"N", 512}, {"K", 512}});
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    auto m =
        sampled(p, allIn(p, TensorLayout::PageInterleaved, TensorLayout::PageInterleaved), seed);
    ASSERT_TRUE(m);
    const double pages = cost::estimate(p.kernel, p.nest, p.hw, p.compute, *m).traffic.network;
    for (auto& o : m->outputs) o.layout = TensorLayout::NearestChannel;
    const double near = cost::estimate(p.kernel, p.nest, p.hw, p.compute, *m).traffic.network;
    EXPECT_LE(near, pages);
  }
}

TEST(Layout, OperandsInLocalMemoryLowerTheRoofline) {
  const Problem p = makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  const auto constraints = allIn(p, TensorLayout::Local, TensorLayout::Local);
  const auto resident = residentTensors(p.nest, constraints);
  EXPECT_EQ(resident.size(), 3u);
  EXPECT_GT(cost::roofline(p.kernel, p.nest, p.hw, p.compute).memoryCycles, 0);
  EXPECT_EQ(cost::roofline(p.kernel, p.nest, p.hw, p.compute, resident).memoryCycles, 0);
}

}  // namespace
}  // namespace gridloom::layout_property
