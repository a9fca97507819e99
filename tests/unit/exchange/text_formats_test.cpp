// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "exchange/csv.h"
#include "exchange/graphviz.h"
#include "exchange/trace_json.h"
#include "schedule/schedule.h"
#include "support/problem.h"
#include "support/verified.h"

namespace gridloom::exchange {
namespace {

TEST(Csv, QuotesWhatNeedsQuotes) {
  report::Table table;
  table.columns = {{"shown", "name"}, {"shown too", "text, with comma"}};
  table.rows = {{{"1,000", "1000"}, {"x", "a \"b\""}}, {{"2", "2"}, {"", "two\nlines"}}};
  EXPECT_EQ(csvText(table), "name,\"text, with comma\"\n1000,\"a \"\"b\"\"\"\n2,\"two\nlines\"\n");
}

struct Simulated : testing::Test {
  test::Problem p =
      test::makeProblem(test::smallMesh(2, 2), "gemm", {{"M", 32}, {"N", 32}, {"K", 32}});
  schedule::Schedule schedule = *schedule::lower(p.kernel, p.nest, p.hw, test::randomMapping(p, 3));
  simulate::Simulation simulation = [this] {
    simulate::Options options;
    options.trace = true;
    base::Progress progress;
    return *simulate::simulate(test::verified(schedule, p), options, progress);
  }();
};

TEST_F(Simulated, TraceHasASpanForEverySpan) {
  std::ostringstream out;
  writeTrace(out, simulation, schedule, p.nest, p.hw);
  const auto trace = nlohmann::json::parse(out.str());
  std::size_t spans = 0;
  double end = 0;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ++spans;
    end = std::max(end, event["ts"].get<double>() + event["dur"].get<double>());
  }
  EXPECT_EQ(spans, simulation.trace.spans.size());
  EXPECT_GT(spans, 0U);
  EXPECT_LE(end, simulation.cycles * (1 + 1e-9));
}

TEST_F(Simulated, TraceCountsTheUseOfChannelsAndLinks) {
  std::ostringstream out;
  writeTrace(out, simulation, schedule, p.nest, p.hw);
  const auto trace = nlohmann::json::parse(out.str());
  std::map<std::string, double> most;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] != "C") continue;
    double& value = most[event["name"].get<std::string>()];
    value = std::max(value, event["args"]["%"].get<double>());
  }
  EXPECT_TRUE(most.contains("cores that compute"));
  EXPECT_TRUE(most.contains("dram 0"));
  for (const auto& [name, value] : most) {
    EXPECT_GT(value, 0) << name;
    EXPECT_LE(value, 100.01) << name;
  }
}

TEST_F(Simulated, GraphvizNamesEveryRouterAndTheLinksInUse) {
  std::ostringstream out;
  writeDot(out, p.hw, &simulation);
  const std::string dot = out.str();
  for (const char* core : {"(0,0)", "(0,1)", "(1,0)", "(1,1)"}) {
    EXPECT_NE(dot.find(std::string("label=\"") + core + "\""), std::string::npos) << dot;
  }
  std::size_t used = 0;
  for (const network::ResourceUse& use : simulation.links) used += use.bytes > 0 ? 1 : 0;
  std::size_t drawn = 0;
  for (auto at = dot.find(" -> "); at != std::string::npos; at = dot.find(" -> ", at + 1)) ++drawn;
  EXPECT_EQ(drawn, used);
}

}  // namespace
}  // namespace gridloom::exchange
