// SPDX-License-Identifier: Apache-2.0
//
// Pinned units from the directive to mappings, files and schedules, and back.
#include <gtest/gtest.h>

#include "mapping/units.h"
#include "report/exploration_text.h"
#include "report/unit_choices.h"
#include "service/fit.h"
#include "service/mapping_input.h"
#include "service/result_records.h"
#include "service/schedule_input.h"
#include "service/units.h"
#include "texts/presets.h"

namespace gridloom::service {
namespace {

using kernel::UnitKind;
using Pins = std::map<std::string, UnitKind>;

struct PinnedUnits : testing::Test {
  HardwareRef hardware = *openHardware(*texts::loadHardwareText("wormhole_4x8"));
  KernelRef kernel =
      *openKernel(*texts::loadKernelText("gemm"), {{{"M", 96}, {"N", 96}, {"K", 96}}, "", ""});
  base::Progress progress;

  static base::SourceRef text(const char* name, std::string words) {
    return base::makeSource(name, std::move(words));
  }
  base::Result<Fit> fitted(Asked asked) { return fit(kernel, *hardware, asked, progress); }
  static Pins pinsOf(const Kernel& kernel) {
    return mapping::pinnedUnits(kernel.kernel, *kernel.nest);
  }
  ExplorationRef explored(const Fit& fit) {
    ExploreOptions options;
    options.top = 1;
    return *explore(hardware, fit.kernel, fit.constraints, options, progress);
  }
};

TEST_F(PinnedUnits, HoldFromADirectiveToFilesAndBack) {
  const auto free = fitted({});
  const auto pinned = fitted({.directives = text("d.sched", "unit(C, vector)\n")});
  ASSERT_TRUE(pinned) << render(pinned.diagnostics());
  EXPECT_EQ(pinsOf(*pinned->kernel), (Pins{{"C", UnitKind::Vector}}));
  const ExplorationRef usual = explored(*free), other = explored(*pinned);
  ASSERT_FALSE(other->top.empty());
  EXPECT_GT(other->top[0].cycles(), usual->top[0].cycles());
  EXPECT_GE(other->top[0].cycles(), other->roofline.cycles);

  const mapping::Mapping& best = other->top[0].candidate.mapping;
  const auto schedule = scheduleOf(best, *pinned->kernel, *hardware);
  ASSERT_TRUE(schedule) << render(schedule.diagnostics());
  const std::string programs = textOf((*schedule)->schedule, *pinned->kernel, *hardware);
  EXPECT_NE(programs.find("  unit C vector\n"), std::string::npos) << programs;
  for (const base::SourceRef& saved :
       {text("m.json", mappingJsonOf(*hardware, *pinned->kernel, best, "")),
        text("e.json", jsonOf(*other)),
        text("d.sched", directivesOf(*hardware, *pinned->kernel, best)),
        text("p.prog", programs)}) {
    const auto again = fitted({.saved = {saved}});
    ASSERT_TRUE(again) << render(again.diagnostics());
    EXPECT_EQ(pinsOf(*again->kernel), pinsOf(*pinned->kernel)) << saved->name();
  }
  EXPECT_EQ(pinsOf(*free->kernel), Pins{});
  const auto bound = openSchedule(text("p.prog", programs), *free->kernel, *hardware);
  ASSERT_FALSE(bound);
  EXPECT_NE(render(bound.diagnostics()).find("do not run on the vector unit here"),
            std::string::npos);
}

// A form of the kernel that computes a transposed factor pins what the user calls the factor.
TEST_F(PinnedUnits, AreOfTensorsAsWritten) {
  kernel = *openKernel(
      text("crout.rec",
           "kernel crout(N = 48) {\n  tensor A[N, N]: f32  tensor L[N, N]: f32  tensor U[N, N]: "
           "f32\n"
           "  L[i, j] = A[i, j] - sum(k) L[i, k] * U[k, j]  where j <= i, k < j\n"
           "  L[i, j] = 0  where j > i\n"
           "  U[i, j] = (A[i, j] - sum(k) L[i, k] * U[k, j]) / L[i, i]  where i < j, k < i\n"
           "  U[i, j] = select(i == j, 1, 0)  where i >= j\n}\n"),
      {});
  for (const auto& [unit, kind] :
       {std::pair{"vector", UnitKind::Vector}, std::pair{"matrix", UnitKind::Matrix}}) {
    const auto pinned =
        fitted({.directives = text("d.sched", std::string("unit(U, ") + unit + ")\n")});
    ASSERT_TRUE(pinned) << render(pinned.diagnostics());
    EXPECT_EQ(pinsOf(*pinned->kernel), (Pins{{"U", kind}}));
    const ExplorationRef found = explored(*pinned);
    const mapping::Mapping& best = found->top[0].candidate.mapping;
    for (const base::SourceRef& saved :
         {text("e.json", jsonOf(*found)),
          text("d.sched", directivesOf(*hardware, *pinned->kernel, best))}) {
      const auto again = fitted({.saved = {saved}});
      ASSERT_TRUE(again) << render(again.diagnostics());
      EXPECT_EQ(pinsOf(*again->kernel), pinsOf(*pinned->kernel)) << saved->name();
    }
  }
}

TEST_F(PinnedUnits, OfTwoFilesAreTheirOwn) {
  const auto pinned = fitted({.directives = text("d.sched", "unit(C, vector)\n")});
  const ExplorationRef other = explored(*pinned);
  const auto json = text(
      "m.json", mappingJsonOf(*hardware, *pinned->kernel, other->top[0].candidate.mapping, ""));
  const auto both = fitted({.saved = {text("free.sched", "double(A)\n"), json}});
  ASSERT_TRUE(both) << render(both.diagnostics());
  EXPECT_EQ(pinsOf(*both->kernel), Pins{});
  EXPECT_EQ(pinsOf(**withUnitsOf(json, both->kernel, *hardware)), (Pins{{"C", UnitKind::Vector}}));
}

TEST_F(PinnedUnits, ThatContradictEachOtherAreRefusedAtTheirPlace) {
  const auto both = fitted({.directives = text("d.sched", "unit(C, matrix)\n"),
                            .saved = {text("s.sched", "\nunit(C, vector)\n")}});
  ASSERT_FALSE(both);
  EXPECT_NE(render(both.diagnostics()).find("s.sched:2:1: error: contradicts an earlier"),
            std::string::npos)
      << render(both.diagnostics());
}

TEST_F(PinnedUnits, ARecordSaysWhatEachUnitWouldTake) {
  const auto free = fitted({});
  const report::ExplorationRecord record = recordOf(*explored(*free));
  ASSERT_EQ(record.top[0].mapping.units.size(), 1u);
  const report::UnitRecord& product = record.top[0].mapping.units[0];
  EXPECT_EQ(product.tensor, "C");
  EXPECT_EQ(product.unit, "matrix");
  EXPECT_FALSE(product.pinned);
  ASSERT_EQ(product.cycles.size(), 2u);
  EXPECT_LT(product.cycles[0].value, product.cycles[1].value);
  EXPECT_NE(report::explorationText(record).find("C on matrix, "), std::string::npos);
}

TEST(UnitChoices, SayFewCyclesExactly) {
  const auto line = [](double vector, double matrix) {
    std::vector<report::Fact> facts;
    report::addUnits({{"t", "vector", true, {{"matrix", matrix}, {"vector", vector}}}}, facts);
    return facts.at(0).text;
  };
  EXPECT_EQ(line(0.25, 1.5), "t on vector (pinned), 0.25 cycles per tile; on matrix 1.5");
  EXPECT_EQ(line(1, 9.996), "t on vector (pinned), 1 cycle per tile; on matrix 10");
  EXPECT_EQ(line(1234.5678, 12.5), "t on vector (pinned), 1,235 cycles per tile; on matrix 13");
}

TEST(UnitChoices, CountProductsThatAreAlike) {
  std::vector<report::Fact> facts;
  const report::UnitRecord product{"C", "vector", true, {{"vector", 4}}};
  report::addUnits({product, product, {"D", "vector", true, {{"vector", 4}}}}, facts);
  EXPECT_EQ(facts.at(0).text, "C on vector (pinned), 4 cycles per tile (each of 2 products)\n"
                              "D on vector (pinned), 4 cycles per tile");
}

// The roof of a kernel is that of the units which compute it.
TEST_F(PinnedUnits, SetTheRoofOfARoofline) {
  const Roof gemm = roofOf(*hardware, *kernel, "");
  EXPECT_GT(gemm.sustained, 0);
  EXPECT_LT(gemm.sustained, gemm.peak);
  const KernelRef softmax =
      *openKernel(*texts::loadKernelText("softmax"), {{{"M", 64}, {"N", 512}}, "", ""});
  const Roof vector = roofOf(*hardware, *softmax, "");
  EXPECT_EQ(vector.sustained, 0);
  EXPECT_LT(vector.peak, gemm.peak / 10);
}

}  // namespace
}  // namespace gridloom::service
