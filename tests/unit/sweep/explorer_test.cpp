// SPDX-License-Identifier: Apache-2.0
#include "sweep/explorer.h"

#include <gtest/gtest.h>

#include "exchange/sweep_json.h"
#include "sweep/vary.h"
#include "texts/presets.h"

namespace gridloom::sweep {
namespace {

service::InputTexts smallGemm() {
  service::InputTexts texts{*texts::loadHardwareText("wormhole_4x8"),
                            *texts::loadKernelText("gemm")};
  texts.parameters = {{"M", 256}, {"N", 256}, {"K", 256}};
  return texts;
}

std::vector<SweepParameter> parametersIn(const service::InputTexts& texts) {
  return sweepParameters(texts.hardware, {texts.parameters.begin(), texts.parameters.end()});
}

std::vector<SweepAxis> axesOf(const service::InputTexts& texts,
                              std::initializer_list<const char*> all) {
  std::vector<SweepAxis> axes;
  for (const char* words : all) axes.push_back(*axisOf(words, parametersIn(texts)));
  return axes;
}

/// All points, one after the other.
report::SweepRecord explored(const service::InputTexts& texts, std::vector<SweepAxis> axes) {
  base::Progress progress;
  const auto kernel = service::openKernel(texts.kernel, {});
  report::SweepRecord record = sweepOf(texts, (*kernel)->kernel, true, std::move(axes));
  Explorer explorer(texts, record.axes, {ranking::kQuickReranking}, nullptr);
  for (SweepPoint& point : record.points) {
    point.known = true;
    point.found = explorer.at(point, progress)->found;
  }
  return record;
}

std::string csvCell(const report::Table& table, std::size_t row, std::string_view name) {
  const auto column = std::ranges::find(table.columns, name, &report::Column::name);
  return table.rows[row][static_cast<std::size_t>(column - table.columns.begin())].exact;
}

TEST(Sweep, APointIsWhatExploreFinds) {
  const service::InputTexts texts = smallGemm();
  const auto record = explored(texts, axesOf(texts, {"K=128,256"}));
  base::Progress progress;
  const auto checked = service::checkInputs(texts, {}, nullptr, progress);
  service::ExploreOptions options;
  options.rerank = ranking::kQuickReranking;
  options.search = checked.search;
  const auto alone = service::explore(checked.hardware.hardware, checked.kernel,
                                      *checked.constraints, options, progress);
  EXPECT_TRUE(record.points[1].isNow && !record.points[0].isNow);
  EXPECT_EQ(record.points[1].found.cycles(), (*alone)->top.front().cycles());
  EXPECT_EQ(record.points[1].found.mapping, service::lineAt(**alone, 0));
  EXPECT_LT(record.points[0].found.cycles(), record.points[1].found.cycles());
}

TEST(Sweep, WhatDoesNotFitIsARowWithItsReason) {
  const service::InputTexts texts = smallGemm();
  const auto record = explored(texts, axesOf(texts, {"l1.size=1,1464"}));
  EXPECT_EQ(record.points[0].found.cycles(), 0);
  EXPECT_NE(record.points[0].found.failure.find("infeasible by capacity, at least"),
            std::string::npos)
      << record.points[0].found.failure;
  EXPECT_GT(record.points[1].found.cycles(), 0);
  const report::Table table = report::sweepTable(record);
  EXPECT_EQ(table.columns.back().name, "failure");
  EXPECT_EQ(table.rows[0].back().exact, record.points[0].found.failure);
  EXPECT_EQ(csvCell(table, 0, "bottleneck"), "");
  EXPECT_EQ(table.rows[1].back().exact, "");
  EXPECT_EQ(report::shortSweepTable(record).rows[0].back().shown, record.points[0].found.failure);
}

TEST(Sweep, FactsLeaveOutWhatVaries) {
  const service::InputTexts texts = smallGemm();
  const auto record = explored(texts, axesOf(texts, {"K=128"}));
  const std::string facts = report::sweepFacts(record);
  EXPECT_EQ(facts.find("K "), std::string::npos) << facts;
  EXPECT_NE(facts.find("gemm, M "), std::string::npos) << facts;
  EXPECT_NE(facts.find(" on wormhole_4x8"), std::string::npos) << facts;
}

TEST(Sweep, FactsLeaveOutWhatFollowsFromOthers) {
  service::InputTexts texts = smallGemm();
  texts.kernel = *texts::loadKernelText("conv2d");
  const auto kernel = service::openKernel(texts.kernel, {});
  ASSERT_TRUE(kernel);
  const auto& parameters = (*kernel)->kernel.parameters;
  ASSERT_TRUE(std::ranges::any_of(parameters, [](const auto& each) { return each.name == "P"; }));
  const std::string facts = report::sweepFacts(sweepOf(texts, (*kernel)->kernel, true, {}));
  EXPECT_EQ(facts.find(", P "), std::string::npos) << facts;
  EXPECT_NE(facts.find(", R "), std::string::npos) << facts;
}

/// A sweep over K of three points with these cycles; the second is the present one.
report::SweepRecord recordOf(std::initializer_list<std::pair<double, double>> cycles) {
  report::SweepRecord record;
  SweepAxis axis{{"K", "K", "", 2, true, true, "K", ""}, {1, 2, 3}};
  record.simulated = true;
  record.axes = {axis};
  record.points = report::sweepPoints(record.axes);
  auto point = record.points.begin();
  for (const auto& [predicted, simulated] : cycles) {
    point->known = true;
    point->found.predicted = predicted;
    point->found.simulated = simulated;
    if (predicted == 0) point->found.failure = "no mapping fits";
    ++point;
  }
  return record;
}

TEST(Sweep, PredictionsAreNotComparedWithSimulations) {
  const auto record = recordOf({{100, 0}, {200, 250}, {300, 500}});
  const report::Table table = report::sweepTable(record);
  EXPECT_EQ(csvCell(table, 0, "predicted_cycles"), "100");
  EXPECT_EQ(csvCell(table, 0, "simulated_cycles"), "");
  EXPECT_EQ(csvCell(table, 0, "change_to_present"), "");
  EXPECT_EQ(csvCell(table, 2, "simulated_cycles"), "500");
  EXPECT_EQ(csvCell(table, 2, "change_to_present"), "1");
  EXPECT_FALSE(report::allSimulated(record));
  EXPECT_NE(report::sweepText(record).find("K = 1: 100 cycles, predicted"), std::string::npos);
  const auto all = recordOf({{100, 300}, {200, 250}});
  EXPECT_TRUE(report::allSimulated(all));
  EXPECT_NE(report::sweepText(all).find("K = 2: 250 cycles, simulated"), std::string::npos);
}

TEST(Sweep, AFailedSimulationAndASearchThatStoppedAreSaid) {
  auto record = recordOf({{100, 0}, {200, 250}});
  EXPECT_NE(report::shortSweepTable(record).columns.back().name, "remark") << "nothing to say";
  record.points[0].found.notSimulated = {base::plainError("the run is too long")};
  record.points[1].found.stopped = search::Stop::WorkLimit;
  const report::Table file = report::sweepTable(record);
  EXPECT_EQ(csvCell(file, 0, "not_simulated"), "the run is too long");
  EXPECT_EQ(csvCell(file, 0, "stopped"), "");
  EXPECT_EQ(csvCell(file, 1, "not_simulated"), "");
  EXPECT_EQ(csvCell(file, 1, "stopped"), "work limit");
  const report::Table shown = report::shortSweepTable(record);
  EXPECT_EQ(csvCell(shown, 0, "remark"), "simulation failed");
  EXPECT_EQ(csvCell(shown, 1, "remark"), "search stopped: work limit");
}

TEST(Sweep, OnlyWhatIsKnownHasNoMapping) {
  const auto said = [](const report::SweepRecord& record, const char* words) {
    return report::sweepText(record).find(words) != std::string::npos;
  };
  EXPECT_TRUE(said(recordOf({}), "no point is known"));
  EXPECT_TRUE(said(recordOf({{0, 0}, {0, 0}}), "no mapping at the 2 points that are known"));
  auto all = recordOf({{0, 0}, {0, 0}, {0, 0}});
  EXPECT_TRUE(said(all, "no mapping fits at any point"));
  all.points[1].found.stopped = search::Stop::WorkLimit;
  EXPECT_TRUE(said(all, "no mapping was found at any point"));
}

TEST(Sweep, ASweepOfTooManyPointsIsNotRead) {
  auto record = recordOf({});
  record.axes.push_back(record.axes.front());
  for (SweepAxis& axis : record.axes) {
    axis.values.clear();
    for (int i = 1; i <= 101; ++i) axis.values.push_back(i);
  }
  record.points.clear();
  const auto read = openSweep(base::makeSource("large.json", exchange::sweepJson(record)));
  ASSERT_FALSE(read);
  EXPECT_NE(base::render(read.diagnostics()).find("more than 10000 points"), std::string::npos);
}

TEST(Sweep, ItReadsBackFromJson) {
  const service::InputTexts texts = smallGemm();
  auto record = explored(texts, axesOf(texts, {"l1.size=1,1464", "K=128,256"}));
  record.points[2].known = false;
  record.points[3].found.stopped = search::Stop::WorkLimit;
  record.points[3].found.simulated = 0;
  record.points[3].found.notSimulated = {base::plainError("too many events")};
  const std::string json = exchange::sweepJson(record);
  const auto read = openSweep(base::makeSource("sweep.json", json));
  ASSERT_TRUE(read) << base::render(read.diagnostics());
  EXPECT_EQ(exchange::sweepJson(*read), json);
  EXPECT_FALSE(read->points[2].known);
  for (const char* wrong : {"{}", "[", R"({"schema": "gridloom.exploration/2"})"})
    EXPECT_FALSE(openSweep(base::makeSource("wrong.json", wrong))) << wrong;
}

TEST(Sweep, ACancelledPointIsNotKept) {
  const service::InputTexts texts = smallGemm();
  const auto known = std::make_shared<KnownPoints>();
  Explorer explorer(texts, axesOf(texts, {"K=128"}), {}, known);
  const SweepPoint point{{128}, false, false, {}};
  base::Progress cancelled, progress;
  cancelled.cancel();
  EXPECT_FALSE(explorer.at(point, cancelled));
  EXPECT_TRUE(explorer.at(point, progress)->computed);
  EXPECT_FALSE(explorer.at(point, progress)->computed) << "it is known now";
}

TEST(Sweep, NumbersOfOneNameAreKeptApart) {
  const auto hardware = base::makeSource("m.hw", "param K = 4\n");
  const auto all = sweepParameters(hardware, {{"K", 256}});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "K");
  EXPECT_EQ(all[1].name, "hardware.K");
}

}  // namespace
}  // namespace gridloom::sweep
