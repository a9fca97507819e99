// SPDX-License-Identifier: Apache-2.0

// The whole engine, called as by the command and the studio.

#include <gtest/gtest.h>

#include <set>

#include "hardware/scaled_hardware.h"
#include "ranking/mapping_structure.h"
#include "search/search.h"
#include "service/mapping_input.h"
#include "service/result_records.h"
#include "support/problem.h"
#include "texts/presets.h"

namespace gridloom::service {
namespace {

struct Line : testing::Test {
  HardwareRef hardware = *openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 3)));
  KernelRef kernel =
      *openKernel(*texts::loadKernelText("gemm"), {{{"M", 48}, {"N", 72}, {"K", 64}}, "", ""});
  base::Progress progress;

  mapping::Mapping mappingOf(const std::string& text) {
    auto mapping = openMapping(base::makeSource("m.sched", text), hardware, kernel, "", progress);
    EXPECT_TRUE(mapping) << base::render(mapping.diagnostics());
    return *mapping;
  }
};

TEST_F(Line, RankedMappingsComeBackFromTheirDirectivesAndTheirJson) {
  const auto exploration = explore(hardware, kernel, {}, {8, 1, ""}, progress);
  ASSERT_TRUE(exploration) << base::render(exploration.diagnostics());
  ASSERT_EQ((*exploration)->top.size(), 8U);
  for (const ranking::Ranked& ranked : (*exploration)->top) {
    const mapping::Mapping& mapping = ranked.candidate.mapping;
    EXPECT_EQ(mappingOf(directivesOf(*hardware, *kernel, mapping)), mapping) << ranked.line;
    EXPECT_EQ(mappingOf(mappingJsonOf(*hardware, *kernel, mapping, "")), mapping) << ranked.line;
  }
}

TEST_F(Line, TheRankingSimulatesAsEachMappingDoesAlone) {
  const auto exploration =
      explore(hardware, kernel, {}, {3, 1, "", ranking::rerankFirst(3)}, progress);
  ASSERT_TRUE(exploration) << base::render(exploration.diagnostics());
  EXPECT_TRUE(checkSanity(**exploration).empty());
  for (const ranking::Ranked& ranked : (*exploration)->top) {
    ASSERT_TRUE(ranked.simulated);
    const auto run = simulateMapping(hardware, kernel, ranked.candidate.mapping, {}, progress);
    ASSERT_TRUE(run) << base::render(run.diagnostics());
    EXPECT_EQ((*run)->simulated.cycles, ranked.simulated->cycles);
    EXPECT_EQ((*run)->predicted.cycles, ranked.candidate.estimate.cycles);
    EXPECT_TRUE(checkSanity(**run).empty());
  }
}

TEST_F(Line, ALongRankingIsListedAsWholeCandidatesWouldBe) {
  const int count = kMappingsInFull + 1500;
  ExploreOptions options{count, 1, ""};
  options.search.margin = 0;
  const auto found = explore(hardware, kernel, {}, options, progress);
  ASSERT_TRUE(found) << base::render(found.diagnostics());
  const Exploration& exploration = **found;
  ASSERT_EQ(exploration.top.size(), static_cast<std::size_t>(kMappingsInFull));
  ASSERT_EQ(exploration.listed(), static_cast<std::size_t>(count));
  EXPECT_TRUE(exploration.insane.empty());
  search::Options whole;
  whole.top = count;
  const auto oracle = search::topK(kernel->kernel, *kernel->nest, hardware->topology, {}, whole,
                                   progress);
  ASSERT_TRUE(oracle);
  for (std::size_t at = kMappingsInFull; at < exploration.listed(); ++at) {
    const search::Candidate& expected = oracle->top[at];
    const std::size_t further = at - exploration.top.size();
    const ranking::ListedFigures& figures = exploration.more.figures(further);
    ASSERT_EQ(mappingAt(exploration, at), expected.mapping);
    ASSERT_EQ(figures.cycles, expected.estimate.cycles);
    ASSERT_EQ(figures.localBytes, expected.estimate.localBytes);
    ASSERT_EQ(exploration.more.bottleneck(further), expected.estimate.bottleneck);
    ASSERT_EQ(figures.place, at);
  }
  const ranking::Ranked last = rankedAt(exploration, exploration.listed() - 1);
  EXPECT_EQ(last.candidate.estimate.cycles, oracle->top.back().estimate.cycles);
  EXPECT_EQ(last.candidate.estimate.terms.size(), oracle->top.back().estimate.terms.size());
  EXPECT_LE(exploration.more.bytes(), exploration.more.size() * 300);
}

TEST_F(Line, ALongRankingListsEquivalentMappingsOnce) {
  const int count = kMappingsInFull + 1500;
  const auto found =
      explore(hardware, kernel, {}, {count, 1, "", ranking::kQuickReranking}, progress);
  ASSERT_TRUE(found) << base::render(found.diagnostics());
  const Exploration& exploration = **found;
  std::set<ranking::TwinKey> seen;
  std::size_t all = 0, neighbours = 0;
  for (std::size_t at = 0; at < exploration.listed(); ++at) {
    const ranking::Ranked ranked = rankedAt(exploration, at);
    EXPECT_TRUE(seen.insert(ranking::twinKey(ranked.candidate)).second) << ranked.line;
    all += 1 + ranked.twins;
    neighbours += ranked.place ? 0 : 1;
  }
  EXPECT_FALSE(exploration.more.empty());
  EXPECT_LE(all - neighbours, static_cast<std::size_t>(count));
  EXPECT_GE(all, static_cast<std::size_t>(count));
}

TEST_F(Line, ValuesEqualTheReference) {
  const auto best = mappingFromDirectives(hardware, kernel, {}, "", progress);
  ASSERT_TRUE(best);
  const auto run = simulateMapping(hardware, kernel, *best, {"", true, false}, progress);
  ASSERT_TRUE(run) << base::render(run.diagnostics());
  ASSERT_TRUE((*run)->valueError);
  EXPECT_LE(*(*run)->valueError, 1e-9);
}

TEST_F(Line, ValuesOfALargeKernelAreRefused) {
  const auto large = *openKernel(*texts::loadKernelText("gemm"), {});
  const auto errors = checkValuesPossible(*large);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_FALSE(errors.front().hint.empty());
}

TEST_F(Line, DirectivesThatCannotHoldSaySo) {
  const auto wrong =
      openDirectives(base::makeSource("d.sched", "tile(i, 16)\ntile(q, 8)"), *kernel, *hardware);
  ASSERT_FALSE(wrong);
  EXPECT_NE(base::render(wrong.diagnostics()).find("d.sched:2:6: error"), std::string::npos)
      << base::render(wrong.diagnostics());
}

TEST_F(Line, ACancelBeforehandGivesNoErrorButAnInexactResult) {
  progress.cancel();
  const auto exploration =
      explore(hardware, kernel, {}, {5, 1, "", ranking::rerankFirst(5)}, progress);
  ASSERT_TRUE(exploration) << base::render(exploration.diagnostics());
  EXPECT_FALSE((*exploration)->space.exact);
}

TEST_F(Line, AnUnknownModeIsAnError) {
  EXPECT_FALSE(explore(hardware, kernel, {}, {5, 1, "hifi17"}, progress));
}

TEST_F(Line, ScaledHardwareDiffersInItsFigureOnly) {
  const auto scaled = hardware::twiceOfEach(hardware->spec, hardware->topology);
  ASSERT_GE(scaled.size(), 4U);
  bool dram = false;
  for (const hardware::ScaledHardware& variant : scaled) {
    const auto topology = hardware::makeTopology(variant.spec);
    ASSERT_TRUE(topology) << variant.resource << base::render(topology.diagnostics());
    EXPECT_EQ(topology->enabledCores(), hardware->topology.enabledCores());
    const double factor =
        topology->global().readBandwidth / hardware->topology.global().readBandwidth;
    if (variant.resource == "twice the dram bandwidth") {
      dram = true;
      EXPECT_DOUBLE_EQ(factor, 2);
    } else {
      EXPECT_DOUBLE_EQ(factor, 1) << variant.resource;
    }
  }
  EXPECT_TRUE(dram);
}

TEST_F(Line, TheExplanationStartsFromTheSameRun) {
  const auto best = *mappingFromDirectives(hardware, kernel, {}, "", progress);
  const auto explanation = explain(hardware, kernel, best, {}, progress);
  ASSERT_TRUE(explanation) << base::render(explanation.diagnostics());
  EXPECT_EQ((*explanation)->run->mapping, best);
  EXPECT_GE((*explanation)->twice.size(), 4U);
  for (const WhatIf& w : (*explanation)->twice) EXPECT_TRUE(w.simulatedCycles) << w.resource;
}

TEST_F(Line, TheLoopNestNamesEveryTransferOnce) {
  const auto best = *mappingFromDirectives(hardware, kernel, {}, "", progress);
  const std::string nest = loopNestOf(*hardware, *kernel, best);
  for (const char* part :
       {"alloc A ", "load A[", "alloc B ", "load B[", "alloc C ", "store C[", "matrix.matmul C"}) {
    const auto at = nest.find(part);
    EXPECT_NE(at, std::string::npos) << part << nest;
    EXPECT_EQ(nest.find(part, at + 1), std::string::npos) << part << nest;
  }
}

// The sizes in the help fit global memory.
TEST(FittingSizes, AreInTheHelpWhereTensorsDoNotFit) {
  const auto small = *openHardware(*texts::loadHardwareText("systolic_mesh_32x32"));
  base::Progress progress;
  const auto explored = [&](const KernelOptions& options) {
    return explore(small, *openKernel(*texts::loadKernelText("gemm"), options), {}, {1, 1, ""},
                   progress);
  };
  const auto refused = explored({});
  ASSERT_FALSE(refused);
  const std::string& help = refused.diagnostics().front().hint;
  ASSERT_NE(help.find("such as --set M=128 --set N=128 --set K=128"), std::string::npos) << help;
  const auto fits = explored({{{"M", 128}, {"N", 128}, {"K", 128}}, "", ""});
  EXPECT_TRUE(fits) << base::render(fits.diagnostics());
}

}  // namespace
}  // namespace gridloom::service
