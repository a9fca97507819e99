// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "service/workspace.h"
#include "support/problem.h"
#include "texts/presets.h"

namespace gridloom::service {
namespace {

struct Earlier : testing::Test {
  HardwareRef hardware = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 3)));
  HardwareRef slower = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 3, 1)));
  KernelRef kernel = *opened(64);
  base::Progress progress;

  static base::Result<KernelRef> opened(std::int64_t size) {
    return openKernel(*texts::loadKernelText("gemm"),
                      {{{"M", size}, {"N", size}, {"K", size}}, "", ""});
  }
  std::size_t of(const std::string& input) const {
    const auto& inputs = kernel->nest->inputs;
    return static_cast<std::size_t>(std::ranges::find(inputs, input, &kernel::Operand::name) -
                                    inputs.begin());
  }
  mapping::Constraints directives(const std::string& text) const {
    return *openDirectives(base::makeSource("d.sched", text), *kernel, *hardware);
  }
  /// The best mappings of the first machine.
  std::vector<mapping::Mapping> found() {
    const auto first = *explore(hardware, kernel, {}, {6, 1, "", {}}, progress);
    std::vector<mapping::Mapping> mappings;
    for (const ranking::Ranked& each : first->top) mappings.push_back(each.candidate.mapping);
    return mappings;
  }
  /// What is told first, and the result.
  struct Told {
    std::vector<ExplorationRef> shown;
    ExplorationRef result;
  };
  Told told(const HardwareRef& on, const KernelRef& of, const mapping::Constraints& constraints,
            std::vector<mapping::Mapping> earlier) {
    Told out;
    ExploreOptions options{6, 1, "", {}};
    options.earlier = std::move(earlier);
    options.onImproved = [&](ExplorationRef best) { out.shown.push_back(std::move(best)); };
    out.result = *explore(on, of, constraints, options, progress);
    return out;
  }
};

TEST_F(Earlier, MappingsThatAreStillLegalAreToldFirstWithTheirNewCycles) {
  const auto mappings = found();
  const Told now = told(slower, kernel, {}, mappings);
  ASSERT_FALSE(now.shown.empty());
  const auto& first = now.shown.front()->top;
  ASSERT_EQ(first.size(), mappings.size());
  EXPECT_TRUE(now.shown.front()->interrupted);
  EXPECT_FALSE(now.shown.front()->space.exact);
  EXPECT_TRUE(std::ranges::is_sorted(first, {}, &ranking::Ranked::cycles));
  for (const ranking::Ranked& each : first) {
    const auto& mapping = each.candidate.mapping;
    EXPECT_NE(std::ranges::find(mappings, mapping), mappings.end());
    const auto run = *simulateMapping(slower, kernel, mapping, {}, progress);
    EXPECT_EQ(each.candidate.estimate.cycles, run->predicted.cycles);
  }
}

TEST_F(Earlier, TheResultDoesNotDependOnThem) {
  const Told with = told(slower, kernel, {}, found()), without = told(slower, kernel, {}, {});
  ASSERT_EQ(with.result->top.size(), without.result->top.size());
  for (std::size_t i = 0; i < with.result->top.size(); ++i)
    EXPECT_EQ(with.result->top[i].candidate.mapping, without.result->top[i].candidate.mapping);
  EXPECT_EQ(with.result->space.evaluated, without.result->space.evaluated);
}

TEST_F(Earlier, WhatIsIllegalNowIsNotTold) {
  const auto tiny = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 3, 2, 4096)));
  for (const ExplorationRef& each : told(tiny, kernel, {}, found()).shown) {
    for (const ranking::Ranked& ranked : each->top)
      EXPECT_LE(ranked.candidate.estimate.localBytes, 4096);
  }
  const auto one = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 2)));
  const Told now = told(one, *opened(48), {}, found());
  ASSERT_FALSE(now.result->top.empty());
}

TEST_F(Earlier, WhatDirectivesExcludeIsNotTold) {
  const auto constraints = directives("tile(k, 16) stream(A, x) space(i->y) space(j->x)");
  const Told now = told(hardware, kernel, constraints, found());
  ASSERT_FALSE(now.shown.empty());
  for (const ExplorationRef& each : now.shown) {
    for (const ranking::Ranked& ranked : each->top) {
      EXPECT_EQ(ranked.candidate.mapping.tileSize[2], 16);
      EXPECT_EQ(ranked.candidate.mapping.inputs[of("A")].kind, mapping::MovementKind::Stream);
    }
  }
  // A mapping that obeys them is told.
  const auto obeys = told(hardware, kernel, constraints, {}).result->top.front().candidate.mapping;
  EXPECT_EQ(told(slower, kernel, constraints, {obeys}).shown.front()->top.size(), 1u);
}

}  // namespace
}  // namespace gridloom::service
