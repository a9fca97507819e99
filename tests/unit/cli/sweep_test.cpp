// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/command.h"
#include "unit/exchange/schema_check.h"

namespace gridloom::test {
namespace {

using Json = nlohmann::json;

std::vector<std::string> sweepOf(std::vector<std::string> more) {
  std::vector<std::string> all{"sweep", "gemm",  "-H",    "wormhole_4x8", "--set",
                               "M=256", "--set", "N=256", "--set",        "K=256"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(SweepCommand, FindsWhatExploreFindsAtEveryValue) {
  const CommandResult run = runCommand(sweepOf({"--vary", "cols=4,8", "--json", "-"}));
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const Json sweep = Json::parse(run.out);
  EXPECT_EQ(schemaFindings(sweep, "sweep.json"), std::vector<std::string>{});
  ASSERT_EQ(sweep["points"].size(), 2U);
  const CommandResult alone = runCommand({"explore", "gemm", "-H", "wormhole_4x8", "--set", "M=256",
                                          "--set", "N=256", "--set", "K=256", "--json", "-"});
  const Json best = Json::parse(alone.out)["top"][0];
  EXPECT_EQ(sweep["points"][1]["simulated_cycles"], best["simulated"]["cycles"]);
  EXPECT_EQ(sweep["points"][1]["predicted_cycles"], best["predicted"]["cycles"]);
  EXPECT_EQ(sweep["points"][1]["mapping"], best["mapping"]["line"]);
  EXPECT_TRUE(sweep["points"][1]["present"]);
}

TEST(SweepCommand, PrintsATableAndWritesCsv) {
  const TemporaryFolder folder;
  const CommandResult run = runCommand(
      sweepOf({"--vary", "cols=2,4", "--vary", "K=128..256x2", "--csv", folder.path("s.csv")}));
  ASSERT_EQ(run.exitCode, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "gemm, M 256, N 256, f16 on wormhole_4x8\n")) << run.out;
  EXPECT_TRUE(contains(run.out, "cols = 4, K = 128: ")) << run.out;
  const std::string csv = readFile(folder.path("s.csv"));
  EXPECT_TRUE(csv.starts_with("cols,K,cores,predicted_cycles,simulated_cycles,change_to_")) << csv;
  EXPECT_TRUE(contains(csv, ",mapping,not_simulated,stopped,failure\n")) << csv;
  EXPECT_EQ(std::ranges::count(csv, '\n'), 5);
}

// A run that is stopped before its first point is done is run again, for twice the time.
Json stoppedWithAPoint() {
  for (std::chrono::milliseconds time{1500};; time *= 2) {
    const CommandResult run =
        runCommand(sweepOf({"--vary", "K=1000..5000:10", "--json", "-"}), time);
    EXPECT_EQ(run.exitCode, 130) << run.err;
    EXPECT_TRUE(contains(run.err, "interrupted: ")) << run.err;
    const Json sweep = Json::parse(run.out);
    if (!sweep["points"].empty() || time > std::chrono::minutes(1)) return sweep;
  }
}

TEST(SweepCommand, ARunThatIsStoppedKeepsItsPoints) {
  const Json sweep = stoppedWithAPoint();
  EXPECT_GT(sweep["points"].size(), 0U);
  EXPECT_LT(sweep["points"].size(), sweep["all_points"].get<std::size_t>());
  const CommandResult late =
      runCommand(sweepOf({"--vary", "K=1000..5000:10", "--time-limit", "1", "--json", "-"}));
  EXPECT_EQ(late.exitCode, 0) << late.err;
  EXPECT_TRUE(contains(late.err, "the time is over: ")) << late.err;
}

TEST(SweepCommand, ASimulationThatFailsIsSaidOnceAndIsNoSimulatedResult) {
  const TemporaryFolder folder;
  const CommandResult run =
      runCommand(sweepOf({"--vary", "cols=4,8", "--rerank", "2", "--event-limit", "1", "--json",
                          folder.path("s.json"), "--csv", "-"}));
  EXPECT_EQ(run.exitCode, 1) << run.err;
  EXPECT_TRUE(contains(run.err, "error: cols = 4: ")) << run.err;
  EXPECT_TRUE(contains(run.err, "; 2 points are not simulated")) << run.err;
  EXPECT_FALSE(contains(run.err, "cols = 8")) << run.err;
  const Json sweep = Json::parse(readFile(folder.path("s.json")));
  EXPECT_EQ(schemaFindings(sweep, "sweep.json"), std::vector<std::string>{});
  for (const Json& point : sweep["points"]) {
    EXPECT_FALSE(point.contains("simulated_cycles"));
    EXPECT_NE(point["not_simulated"], "");
  }
  EXPECT_TRUE(contains(run.out, "\n8,32,")) << run.out;
  EXPECT_TRUE(contains(run.out, ",,0,")) << run.out << "the present point is one of its kind";
}

TEST(SweepCommand, ASearchThatStoppedIsMarked) {
  const CommandResult run =
      runCommand(sweepOf({"--vary", "K=1024,2048", "--work-limit", "50", "--json", "-"}));
  EXPECT_TRUE(contains(run.err, "2 points: the search stopped at its work limit")) << run.err;
  const Json sweep = Json::parse(run.out);
  EXPECT_EQ(schemaFindings(sweep, "sweep.json"), std::vector<std::string>{});
  EXPECT_EQ(sweep["points"][1]["stopped"], "work limit");
}

TEST(SweepCommand, WithoutAPointNothingIsSaidAboutMappings) {
  const CommandResult run =
      runCommand(sweepOf({"--vary", "K=1000..5000:10", "--time-limit", "0.0001"}));
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_TRUE(contains(run.err, "the time is over: 0 of 401 points are known")) << run.err;
  EXPECT_TRUE(contains(run.out, "no point is known")) << run.out;
  EXPECT_FALSE(contains(run.out, "no mapping")) << run.out;
}

TEST(SweepCommand, SaysWhatIsWrong) {
  const auto said = [](std::vector<std::string> more, int status) {
    const CommandResult run = runCommand(sweepOf(std::move(more)));
    EXPECT_EQ(run.exitCode, status) << run.err;
    return run.err;
  };
  EXPECT_TRUE(contains(said({}, 2), "--vary is required"));
  EXPECT_TRUE(contains(said({"--vary", "col=4"}, 2), "did you mean `cols`?"));
  EXPECT_TRUE(contains(said({"--vary", "K=2", "--vary", "K=4"}, 2), "names `K` twice"));
  EXPECT_TRUE(contains(said({"--vary", "K=1..900:1", "--vary", "M=1..900:1"}, 2), "810000 points"));
  EXPECT_TRUE(contains(said({"--vary", "K=2", "--chart", "a.gif"}, 2), ".svg, .png or .pdf"));
  EXPECT_TRUE(contains(said({"--vary", "K=2", "--chart", "no_such_folder/a.svg"}, 2),
                       "cannot write no_such_folder/a.svg: No such file"));
  for (const char* limit : {"--event-limit", "--memory-limit"})
    EXPECT_TRUE(contains(said({"--vary", "K=2", "--rerank", "0", limit, "5"}, 2), "has no effect"));
  EXPECT_TRUE(contains(said({"--vary", "l1.size=1", "--json", "-"}, 1), ""));
}

}  // namespace
}  // namespace gridloom::test
