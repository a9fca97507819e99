// SPDX-License-Identifier: Apache-2.0
//
// Domains with random bounds: the model counts the tiles that the simulator executes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <stdexcept>

#include "cost/compute.h"
#include "support/line_check.h"

namespace gridloom::triangular_domains_property {
namespace {

class RandomDomain {
 public:
  explicit RandomDomain(std::uint32_t seed) : m_random(seed) {}

  std::string text() {
    std::vector<std::string> bounds;
    for (int n = 1 + upTo(3); n > 0; --n) bounds.push_back(bound());
    return fmt::format("{}", fmt::join(bounds, ", "));
  }

 private:
  int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(m_random); }

  std::string bound() {
    const char a = upTo(1) == 0 ? 'i' : 'j';
    const char* const relation = upTo(1) == 0 ? ">=" : "<=";
    if (upTo(2) == 0) return fmt::format("{} {} {}", a, relation, upTo(9));
    return fmt::format("{} {} {} + {}", a, relation, a == 'i' ? 'j' : 'i', upTo(10) - 5);
  }

  std::mt19937 m_random;
};

std::optional<test::Problem> problemOn(const std::string& domain) {
  try {
    return test::makeProblem(
        test::smallMesh(1, 1, 1),
        fmt::format("kernel bounded(N = 10) {{\n  tensor A[N, N]: f32\n  tensor C[N, N]: f32\n"
                    "  C[i, j] = exp(A[i, j]) where {}\n}}\n",
                    domain));
  } catch (const std::runtime_error&) {
    return std::nullopt;  // the domain is empty
  }
}

void expectTheModelsCompute(const test::Problem& p, const std::string& domain) {
  const test::LineCheck check(p);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto mapping = test::sampled(p, {}, seed);
    if (!mapping) continue;
    const auto run = check.run(*mapping);
    ASSERT_TRUE(run) << domain;
    const auto tiling = mapping::tilingOf(*mapping, p.kernel, p.hw);
    const double wanted = cost::computeTime(p.nest, tiling, p.compute).total();
    const auto& states = run->simulated.coreStates.front();
    EXPECT_NEAR(states[static_cast<std::size_t>(simulate::State::Compute)], wanted, 1e-6 * wanted)
        << domain << ": " << mapping::describe(p.kernel, p.nest, p.hw, *mapping);
  }
}

TEST(TriangularDomains, AreExecutedInTheTilesThatTheModelCounts) {
  int run = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const std::string domain = RandomDomain(seed).text();
    const auto p = problemOn(domain);
    if (!p) continue;
    expectTheModelsCompute(*p, domain);
    ++run;
  }
  EXPECT_GT(run, 30);
}

}  // namespace
}  // namespace gridloom::triangular_domains_property
