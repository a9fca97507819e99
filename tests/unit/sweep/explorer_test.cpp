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
  EXPECT_EQ(record.points[1].found.cycles, (*alone)->top.front().cycles());
  EXPECT_EQ(record.points[1].found.mapping, service::lineAt(**alone, 0));
  EXPECT_LT(record.points[0].found.cycles, record.points[1].found.cycles);
}

TEST(Sweep, WhatDoesNotFitIsARowWithItsReason) {
  const service::InputTexts texts = smallGemm();
  const auto record = explored(texts, axesOf(texts, {"l1.size=1,1464"}));
  EXPECT_EQ(record.points[0].found.cycles, 0);
  EXPECT_NE(record.points[0].found.failure.find("infeasible by capacity, at least"),
            std::string::npos)
      << record.points[0].found.failure;
  EXPECT_GT(record.points[1].found.cycles, 0);
  const report::Table table = report::sweepTable(record);
  EXPECT_EQ(table.rows[0].back().shown, record.points[0].found.failure);
}

TEST(Sweep, FactsLeaveOutWhatVaries) {
  const service::InputTexts texts = smallGemm();
  const auto record = explored(texts, axesOf(texts, {"K=128"}));
  const std::string facts = report::sweepFacts(record);
  EXPECT_EQ(facts.find("K "), std::string::npos) << facts;
  EXPECT_NE(facts.find("gemm, M "), std::string::npos) << facts;
  EXPECT_NE(facts.find(" on wormhole_4x8"), std::string::npos) << facts;
}

TEST(Sweep, ItReadsBackFromJson) {
  const service::InputTexts texts = smallGemm();
  auto record = explored(texts, axesOf(texts, {"l1.size=1,1464", "K=128,256"}));
  record.points[2].known = false;
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
