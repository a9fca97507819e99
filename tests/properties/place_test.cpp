// SPDX-License-Identifier: Apache-2.0
// Tensors in every place: random legal mappings have the right values, move what they must, and take the time
// that the model says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cost/model.h"
#include "kernel/interpreter.h"
#include "schedule/schedule.h"
#include "search/search.h"
#include "simulate/simulation.h"
#include "support/problem.h"

namespace gridloom {
namespace {

using mapping::Place;
using test::makeProblem;
using test::Problem;

mapping::Constraints allIn(const Problem& p, Place inputs, Place outputs) {
  mapping::Constraints c;
  for (std::size_t i = 0; i < p.nest.inputs.size(); ++i) {
    c.inputs[static_cast<int>(i)].place = inputs;
  }
  for (std::size_t o = 0; o < p.nest.outputs.size(); ++o) {
    c.outputs[static_cast<int>(o)].place = outputs;
  }
  return c;
}

std::optional<mapping::Mapping> sampled(const Problem& p, const mapping::Constraints& c,
                                        std::uint64_t seed) {
  const auto axes =
      mapping::makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes, c);
  return mapping::sampleMapping(p.kernel, p.nest, p.hw, axes, c, seed);
}

struct Case {
  Place inputs, outputs;
};

class Placed : public testing::TestWithParam<Case> {};

TEST_P(Placed, ValuesAreRightAndOnlyGlobalMemoryIsRead) {
  const auto [in, out] = GetParam();
  for (const char* kernel : {"gemm", "gemm_bias_relu"}) {
    const Problem p =
        makeProblem(test::smallMesh(2, 3, 3), kernel, {{"M", 13}, {"N", 11}, {"K", 10}});
    const auto inputs = kernel::sampleInputs(p.kernel, 5);
    const auto expected = kernel::interpret(p.kernel, inputs);
    ASSERT_TRUE(expected);
    simulate::Options options;
    options.values = true;
    options.inputs = &inputs;
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      const auto m = sampled(p, allIn(p, in, out), seed);
      if (!m) continue;
      const std::string what = mapping::describe(p.kernel, p.nest, p.hw, *m);
      ASSERT_TRUE(checkMapping(p.kernel, p.nest, p.hw, *m).empty()) << what;
      const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, *m);
      ASSERT_TRUE(schedule) << what;
      EXPECT_EQ(schedule->localBytes, localMemoryBytes(p.nest, *m, tilingOf(*m, p.kernel, p.hw)));
      const auto findings = schedule::verify(*schedule, p.nest, p.hw);
      ASSERT_TRUE(findings.empty()) << what << base::render(findings);
      base::Progress progress;
      const auto s = simulate::simulate(*schedule, p.kernel, p.nest, p.hw, options, progress);
      ASSERT_TRUE(s) << what << base::render(s.diagnostics());
      for (const auto& [name, tensor] : s->outputs) {
        const auto& want = expected->at(name).data;
        for (std::size_t e = 0; e < want.size(); ++e) {
          ASSERT_NEAR(tensor.data[e], want[e], 1e-9 * std::max(1.0, std::abs(want[e]))) << what;
        }
      }
      const cost::Estimate e = cost::estimate(p.kernel, p.nest, p.hw, p.compute, *m);
      EXPECT_NEAR(e.traffic.dramRead, s->dramRead, 1e-6 * s->dramRead) << what;
      EXPECT_NEAR(e.traffic.dramWrite, s->dramWrite, 1e-6 * s->dramWrite) << what;
      EXPECT_EQ(s->dramRead == 0, in == Place::Local) << what;
      EXPECT_EQ(s->dramWrite == 0, out == Place::Local) << what;
    }
  }
}

TEST_P(Placed, PredictedIsNearSimulated) {
  const auto [in, out] = GetParam();
  const Problem p =
      makeProblem(test::smallMesh(4, 4, 4, 1 << 20), "gemm", {{"M", 256}, {"N", 256}, {"K", 256}});
  double logs = 0;
  int count = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto m = sampled(p, allIn(p, in, out), seed);
    if (!m || m->block[0] < 16 || m->block[1] < 16 || m->block[2] < 16) continue;
    const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, *m);
    base::Progress progress;
    const auto s = simulate::simulate(*schedule, p.kernel, p.nest, p.hw, {}, progress);
    ASSERT_TRUE(s) << base::render(s.diagnostics());
    const double predicted = cost::estimate(p.kernel, p.nest, p.hw, p.compute, *m).cycles;
    logs += std::abs(std::log(predicted / s->cycles));
    ++count;
  }
  EXPECT_GT(count, 5);
  EXPECT_LT(std::exp(logs / count) - 1, 0.15) << count << " mappings";
}

TEST_P(Placed, TheSearchFindsWhatExhaustionFinds) {
  const auto [in, out] = GetParam();
  const Problem p =
      makeProblem(test::smallMesh(2, 2, 2, 8192), "gemm", {{"M", 16}, {"N", 12}, {"K", 16}});
  base::Progress progress;
  search::Options options;
  options.top = 4;
  const auto pruned = topK(p.kernel, p.nest, p.hw, allIn(p, in, out), options, progress);
  options.exhaustive = true;
  const auto whole = topK(p.kernel, p.nest, p.hw, allIn(p, in, out), options, progress);
  ASSERT_TRUE(pruned && whole);
  ASSERT_EQ(pruned->top.size(), whole->top.size());
  EXPECT_EQ(pruned->space.size, whole->space.size);
  for (std::size_t n = 0; n < whole->top.size(); ++n) {
    EXPECT_EQ(pruned->top[n].mapping, whole->top[n].mapping);
    EXPECT_EQ(pruned->top[n].estimate.cycles, whole->top[n].estimate.cycles);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Places, Placed,
    testing::Values(Case{Place::Page, Place::Page}, Case{Place::Tile, Place::Tile},
                    Case{Place::Nearest, Place::Nearest}, Case{Place::Local, Place::Page},
                    Case{Place::Local, Place::Local}),
    [](const auto& chosen) {
      return fmt::format("{}_{}",
                         mapping::kPlaceNames[static_cast<std::size_t>(chosen.param.inputs)],
                         mapping::kPlaceNames[static_cast<std::size_t>(chosen.param.outputs)]);
    });

// With everything near, channels serve their own cores and the network rests.
TEST(Place, NearTilesTakeNoMoreHopsThanPages) {
  const Problem p = makeProblem("wormhole_n150", "gemm", {{"M", 512}, {"N", 512}, {"K", 512}});
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    auto m = sampled(p, allIn(p, Place::Page, Place::Page), seed);
    ASSERT_TRUE(m);
    const double pages = cost::estimate(p.kernel, p.nest, p.hw, p.compute, *m).traffic.network;
    for (auto& o : m->outputs) o.place = Place::Nearest;
    const double near = cost::estimate(p.kernel, p.nest, p.hw, p.compute, *m).traffic.network;
    EXPECT_LE(near, pages);
  }
}

TEST(Place, OperandsInLocalMemoryLowerTheRoofline) {
  const Problem p = makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  const auto constraints = allIn(p, Place::Local, Place::Local);
  const auto resident = residentTensors(p.nest, constraints);
  EXPECT_EQ(resident.size(), 3u);
  EXPECT_GT(cost::roofline(p.kernel, p.nest, p.hw, p.compute).memoryCycles, 0);
  EXPECT_EQ(cost::roofline(p.kernel, p.nest, p.hw, p.compute, resident).memoryCycles, 0);
}

}  // namespace
}  // namespace gridloom
