// SPDX-License-Identifier: Apache-2.0
#include "support/line_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/model.h"
#include "schedule/verify.h"
#include "search/search.h"
#include "support/verified.h"

namespace gridloom::test {

std::optional<mapping::Mapping> sampled(const Problem& p, const mapping::Constraints& constraints,
                                        std::uint64_t seed) {
  const auto axes = mapping::makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape,
                                      p.compute.vectorLanes, constraints);
  return mapping::sampleMapping(p.kernel, p.nest, p.hw, axes, constraints, seed);
}

LineCheck::LineCheck(const Problem& problem)
    : m_problem(problem), m_inputs(kernel::sampleInputs(problem.kernel, 5)) {
  auto expected = kernel::interpret(problem.kernel, m_inputs);
  EXPECT_TRUE(expected) << base::render(expected.diagnostics());
  if (expected) m_expected = *std::move(expected);
}

std::optional<LineCheck::Run> LineCheck::run(const mapping::Mapping& m) const {
  const Problem& p = m_problem;
  SCOPED_TRACE(mapping::describe(p.kernel, p.nest, p.hw, m));
  EXPECT_EQ(base::render(checkMapping(p.kernel, p.nest, p.hw, m)), "");
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
  EXPECT_TRUE(schedule) << base::render(schedule.diagnostics());
  if (testing::Test::HasFailure()) return std::nullopt;
  EXPECT_EQ(schedule->localBytes, localMemoryBytes(p.nest, m, tilingOf(m, p.kernel, p.hw), p.hw));
  const auto verified = schedule::verify(*schedule, p.kernel, p.nest, p.hw);
  EXPECT_TRUE(verified) << base::render(verified.diagnostics());
  if (!verified) return std::nullopt;
  simulate::Options options;
  options.values = true;
  options.inputs = &m_inputs;
  base::Progress progress;
  auto s = simulate::simulate(*verified, options, progress);
  EXPECT_TRUE(s) << base::render(s.diagnostics());
  if (testing::Test::HasFailure()) return std::nullopt;
  for (const auto& [name, tensor] : s->outputs) {
    const auto expected = m_expected.find(name);
    if (expected == m_expected.end()) continue;  // a local of a compiler's own that is stored
    const auto& want = expected->second.data;
    for (std::size_t e = 0; e < want.size(); ++e) {
      EXPECT_NEAR(tensor.data[e], want[e], 1e-9 * std::max(1.0, std::abs(want[e])))
          << name << " element " << e;
      if (testing::Test::HasFailure()) return std::nullopt;
    }
  }
  Run out{cost::estimate(p.kernel, p.nest, p.hw, p.compute, m), *std::move(s)};
  EXPECT_NEAR(out.predicted.traffic.dramWrite, out.simulated.traffic.dramWrite,
              1e-6 * out.simulated.traffic.dramWrite);
  return out;
}

namespace {

bool hasNarrowProducts(const Problem& p, const mapping::Mapping& m) {
  const auto narrow = [&](kernel::LoopId loop) { return m.tileSize[loop.index()] < 16; };
  return std::ranges::any_of(p.nest.ops, [&](const kernel::TileOp& op) {
    return std::ranges::any_of(op.m, narrow) || std::ranges::any_of(op.n, narrow) ||
           std::ranges::any_of(op.k, narrow);
  });
}

}  // namespace

Agreement agreementOf(const Problem& p, const std::vector<mapping::Mapping>& mappings) {
  Agreement out;
  double logs = 0;
  for (const mapping::Mapping& m : mappings) {
    if (hasNarrowProducts(p, m)) continue;
    const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
    base::Progress progress;
    const auto s = simulate::simulate(test::verified(*schedule, p), {}, progress);
    EXPECT_TRUE(s) << base::render(s.diagnostics());
    if (!s) return out;
    const double predicted = cost::estimate(p.kernel, p.nest, p.hw, p.compute, m).cycles;
    logs += std::abs(std::log(predicted / s->cycles));
    ++out.mappings;
  }
  out.error = out.mappings > 0 ? std::exp(logs / out.mappings) - 1 : 0;
  return out;
}

void expectExactSearch(const Problem& p, const mapping::Constraints& constraints, int top) {
  base::Progress progress;
  search::Options options;
  options.top = top;
  const auto pruned = topK(p.kernel, p.nest, p.hw, constraints, options, progress);
  options.exhaustive = true;
  options.trustBounds = false;
  const auto whole = topK(p.kernel, p.nest, p.hw, constraints, options, progress);
  ASSERT_TRUE(pruned && whole);
  ASSERT_FALSE(whole->top.empty());
  ASSERT_EQ(pruned->top.size(), whole->top.size());
  EXPECT_EQ(pruned->space.size, whole->space.size);
  for (std::size_t n = 0; n < whole->top.size(); ++n) {
    EXPECT_EQ(pruned->top[n].mapping, whole->top[n].mapping);
    EXPECT_EQ(pruned->top[n].estimate.cycles, whole->top[n].estimate.cycles);
  }
}

}  // namespace gridloom::test
