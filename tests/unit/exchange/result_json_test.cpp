// SPDX-License-Identifier: Apache-2.0

// Results are checked against their documented schemas and read back.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "exchange/csv.h"
#include "exchange/state_json.h"
#include "exchange/summary_json.h"
#include "report/attribution.h"
#include "report/numbers.h"
#include "schema_check.h"
#include "service/no_mapping.h"
#include "service/count.h"
#include "service/replay.h"
#include "service/result_records.h"
#include "support/problem.h"
#include "texts/presets.h"

namespace gridloom {
namespace {

using nlohmann::json;
using test::schemaFindings;

struct Results : testing::Test {
  service::HardwareRef hardware =
      *service::openHardware(base::makeSource("mesh.hw", test::smallMesh(2, 2)));
  service::KernelRef kernel = *service::openKernel(*texts::loadKernelText("gemm"),
                                                   {{{"M", 64}, {"N", 48}, {"K", 80}}, "", ""});
  base::Progress progress;

  service::ExplorationRef explored(bool simulate) {
    return *service::explore(hardware, kernel, {},
                             {3, 1, "", ranking::rerankFirst(simulate ? 3 : 0)}, progress);
  }
};

TEST_F(Results, ExplorationsFollowTheirSchema) {
  for (const bool simulate : {false, true}) {
    const json result = json::parse(service::jsonOf(*explored(simulate)));
    EXPECT_EQ(schemaFindings(result, "exploration.json"), std::vector<std::string>{});
    EXPECT_EQ(result["top"][0].contains("simulated"), simulate);
  }
}

TEST_F(Results, ALongRankingIsWrittenInSteps) {
  const int count = service::kMappingsInFull + 40;
  const auto found = *service::explore(hardware, kernel, {}, {count, 1, ""}, progress);
  ASSERT_EQ(found->listed(), static_cast<std::size_t>(count));
  base::Progress asked;
  const auto text = service::repeatableJsonOf(*found, asked);
  ASSERT_TRUE(text);
  EXPECT_EQ(asked.done(), service::exportSteps(*found));
  // The mappings stand in the whole as if it were printed at once.
  const auto whole = nlohmann::ordered_json::parse(*text);
  EXPECT_EQ(whole["top"].size() + whole["more"].size(), static_cast<std::size_t>(count));
  EXPECT_EQ(whole["more"].back()["rank"], count);
  EXPECT_TRUE(whole.dump(2) + "\n" == *text);
  base::Progress stopped;
  stopped.cancel();
  EXPECT_FALSE(service::repeatableJsonOf(*found, stopped));
  EXPECT_EQ(stopped.done(), 0);
}

TEST_F(Results, RunsAndExplanationsFollowTheirSchema) {
  const mapping::Mapping best = explored(false)->top.front().candidate.mapping;
  const auto run = service::simulateMapping(hardware, kernel, best, {"", true, false}, progress);
  ASSERT_TRUE(run) << base::render(run.diagnostics());
  EXPECT_EQ(schemaFindings(json::parse(service::jsonOf(**run)), "simulation.json"),
            std::vector<std::string>{});
  const auto explanation = service::explain(hardware, kernel, best, {}, progress);
  ASSERT_TRUE(explanation) << base::render(explanation.diagnostics());
  const json explained = json::parse(service::jsonOf(**explanation));
  EXPECT_EQ(schemaFindings(explained, "simulation.json"), std::vector<std::string>{});
  const auto isElement = [](const json& role) {
    return role["role"] == "PE" && role["tensor"] == "" && role["cores"] > 0;
  };
  EXPECT_EQ(std::ranges::count_if(explained["roles"], isElement), 1);
  EXPECT_EQ(schemaFindings(json::parse(service::mappingJsonOf(*hardware, *kernel, best, "")),
                           "mapping.json"),
            std::vector<std::string>{});
}

TEST_F(Results, StatesFollowTheirSchema) {
  const mapping::Mapping best = explored(false)->top.front().candidate.mapping;
  const auto run = service::simulateMapping(hardware, kernel, best, {"", false, true}, progress);
  ASSERT_TRUE(run) << base::render(run.diagnostics());
  const service::SimulationRun& done = **run;
  const report::RunStates states(done.schedule, done.simulated);
  for (const double share : {0.0, 0.3, 0.6, 1.0}) {
    const report::RunState state = states.at(share * done.simulated.cycles);
    const std::string text = exchange::stateJson(
        service::recordOf(done),
        {done.schedule, *kernel->nest, hardware->topology, done.simulated, states, state});
    EXPECT_EQ(schemaFindings(json::parse(text), "state.json"), std::vector<std::string>{});
    EXPECT_TRUE(exchange::checkResult(base::makeSource("state.json", text)).empty());
  }
}

TEST_F(Results, DifferencesFollowTheirSchema) {
  const service::ExplorationRef found = explored(false);
  std::vector<service::SimulationRunRef> runs;
  for (const ranking::Ranked& ranked : found->top) {
    runs.push_back(
        *service::simulateMapping(hardware, kernel, ranked.candidate.mapping, {}, progress));
  }
  const auto difference = service::differenceOf({"first", runs.front()}, {"last", runs.back()});
  const std::string text = service::jsonOf(difference);
  EXPECT_EQ(schemaFindings(json::parse(text), "difference.json"), std::vector<std::string>{});
  EXPECT_EQ(base::render(exchange::checkResult(base::makeSource("d.json", text))), "");
}

TEST_F(Results, TheTermsOfADifferenceSumToIt) {
  const service::ExplorationRef found = explored(false);
  std::vector<service::SimulationRunRef> runs;
  for (const ranking::Ranked& ranked : found->top) {
    runs.push_back(
        *service::simulateMapping(hardware, kernel, ranked.candidate.mapping, {}, progress));
  }
  for (const service::SimulationRunRef& a : runs) {
    for (const service::SimulationRunRef& b : runs) {
      const report::RunDifference difference = service::differenceOf({"A", a}, {"B", b});
      double inA = 0, inB = 0;
      for (const report::TermDifference& term : difference.terms) {
        inA += term.a;
        inB += term.b;
      }
      EXPECT_NEAR(inA, a->simulated.cycles, 1e-6 * inA);
      EXPECT_NEAR(inB, b->simulated.cycles, 1e-6 * inB);
      EXPECT_EQ(difference.empty(), a == b);
      EXPECT_EQ(difference.choices.empty(), a == b);
      EXPECT_EQ(report::verdict(difference) == "A and B are the same: nothing differs", a == b);
    }
  }
}

TEST_F(Results, BytesOfSharedBuffersAreInTablesAndFiles) {
  hardware = *service::openHardware(base::makeSource("mesh.hw", test::meshWithSharedBuffer(2, 2)));
  const auto found = explored(true);
  const auto run =
      *service::simulateMapping(hardware, kernel, service::mappingAt(*found, 0), {}, progress);
  ASSERT_EQ(run->simulated.sharedTraffic.size(), 1U);
  EXPECT_GT(run->simulated.sharedTraffic[0], 0);
  const json result = json::parse(service::jsonOf(*run));
  EXPECT_EQ(schemaFindings(result, "simulation.json"), std::vector<std::string>{});
  const std::string name = hardware->topology.sharedBuffer(0).name;
  EXPECT_EQ(result["simulated"]["bytes"]["shared_buffers"][name], run->simulated.sharedTraffic[0]);
  const report::SimulationRecord record = service::recordOf(*run);
  const std::string csv =
      exchange::csvText(report::trafficTable(record.predicted.traffic, record.simulated));
  EXPECT_NE(csv.find("\n\"" + name + ", in and out\",," +
                     report::exactText(run->simulated.sharedTraffic[0]) + "\nlocal write"),
            std::string::npos)
      << csv;
}

TEST_F(Results, AResultThatIsNotWholeSaysSo) {
  const service::ExplorationRef whole = explored(false);
  EXPECT_FALSE(json::parse(service::jsonOf(*whole)).contains("interrupted"));
  service::Explanation explanation =
      **service::explain(hardware, kernel, whole->top.front().candidate.mapping, {}, progress);
  EXPECT_FALSE(json::parse(service::jsonOf(explanation)).contains("interrupted"));
  explanation.interrupted = true;
  explanation.twice.clear();
  const json partial = json::parse(service::jsonOf(explanation));
  EXPECT_EQ(partial["interrupted"], true);
  EXPECT_EQ(schemaFindings(partial, "simulation.json"), std::vector<std::string>{});
  service::Exploration exploration = *whole;
  exploration.interrupted = true;
  EXPECT_EQ(schemaFindings(json::parse(service::jsonOf(exploration)), "exploration.json"),
            std::vector<std::string>{});
}

TEST_F(Results, WithoutAMappingAResultSaysWhatHelps) {
  service::Exploration exploration = *explored(false);
  EXPECT_FALSE(json::parse(service::jsonOf(exploration)).contains("why_none"));
  exploration.top.clear();
  exploration.whyNone = {{}, {{"N", 8}}};
  const std::string text = service::jsonOf(exploration);
  const json result = json::parse(text);
  EXPECT_EQ(schemaFindings(result, "exploration.json"), std::vector<std::string>{});
  EXPECT_EQ(result["why_none"], json(service::linesOf(exploration.whyNone)));
  // A comparison that fails for the lack of a mapping says it, too.
  const auto summary = exchange::readSummary(base::makeSource("a.json", text));
  ASSERT_TRUE(summary);
  const std::string compared = report::comparisonText(report::compare(*summary, *summary));
  EXPECT_NE(compared.find("there are mappings with --set N=8"), std::string::npos) << compared;
}

TEST_F(Results, PartsThatRunApartAreInTheResult) {
  service::Exploration exploration = *explored(true);
  exploration.apart = {{explored(true), explored(false)}, 3.5, false};
  const json result = json::parse(service::jsonOf(exploration));
  EXPECT_EQ(schemaFindings(result, "exploration.json"), std::vector<std::string>{});
  EXPECT_EQ(result["apart"]["cycles"], 3.5);
  ASSERT_EQ(result["apart"]["parts"].size(), 2U);
  EXPECT_TRUE(result["apart"]["parts"][0]["best"].contains("simulated"));
}

TEST_F(Results, TheMappingOfAModeHasItsPeak) {
  const service::HardwareRef wormhole =
      *service::openHardware(*texts::loadHardwareText("wormhole_n150"));
  const auto peakOf = [&](const std::string& mode) {
    const auto found = service::explore(wormhole, kernel, {}, {1, 1, mode}, progress);
    const mapping::Mapping& best = (*found)->top.front().candidate.mapping;
    const json alone = json::parse(service::mappingJsonOf(*wormhole, *kernel, best, mode));
    EXPECT_EQ(alone["hardware"], json::parse(service::jsonOf(**found))["hardware"]) << mode;
    return alone["hardware"]["peak_flops_per_cycle"].get<double>();
  };
  EXPECT_EQ(peakOf("hifi2"), 2 * peakOf("hifi4"));
}

TEST_F(Results, CountsFollowTheirSchema) {
  const auto arrays = service::openHardware(*texts::loadHardwareText("timeloop_3level"));
  const auto conv = service::openKernel(*texts::loadKernelText("timeloop_conv1d_oc_ic"), {});
  const auto counted = service::countNest(*arrays, *conv, *texts::loadNestText("timeloop_spatial"));
  ASSERT_TRUE(counted) << base::render(counted.diagnostics());
  const json result = json::parse(service::jsonOf(*counted));
  EXPECT_EQ(schemaFindings(result, "accesses.json"), std::vector<std::string>{});
  EXPECT_FALSE(result["levels"][1]["tensors"].contains("Outputs")) << "passed by";
  EXPECT_EQ(result["levels"][1]["tensors"]["Inputs"]["shared_by"], 16);
}

TEST_F(Results, EveryKindOfResultIsChecked) {
  const auto found = [](const std::string& text) {
    return base::render(exchange::checkResult(base::makeSource("r.json", text)));
  };
  const auto arrays = service::openHardware(*texts::loadHardwareText("timeloop_3level"));
  const auto conv = service::openKernel(*texts::loadKernelText("timeloop_conv1d_oc_ic"), {});
  const auto counted = service::countNest(*arrays, *conv, *texts::loadNestText("timeloop_spatial"));
  std::string counts = service::jsonOf(*counted);
  EXPECT_EQ(found(counts), "");
  counts.replace(counts.find("\"steps\": "), 9, "\"steps\": \"x\", \"s\":");
  EXPECT_NE(found(counts).find("r.json:"), std::string::npos);
  report::ReplayRecord replay;
  replay.trace = "t.json";
  replay.processors.emplace_back();
  std::string replays = service::jsonOf(std::span(&replay, 1));
  EXPECT_EQ(found(replays), "");
  replays.replace(replays.find("\"events\""), 8, "\"event\"");
  EXPECT_NE(found(replays).find("events"), std::string::npos) << found(replays);
  EXPECT_EQ(found(service::jsonOf(*explored(true))), "");
  EXPECT_NE(found(R"({"schema": "other/1"})").find("`other/1`"), std::string::npos);
}

TEST_F(Results, NestsBeginInGlobalMemory) {
  const auto arrays = service::openHardware(*texts::loadHardwareText("timeloop_3level"));
  const auto conv = service::openKernel(*texts::loadKernelText("timeloop_conv1d_oc_ic"), {});
  const std::string nest = "level(GlobalBuffer)\nloop(k, 2)\nloop(c, 32)\nspread(k->x, 16)\n"
                           "level(Registers)\nloop(p, 16)\nloop(r, 3)\n";
  const auto counted = service::countNest(*arrays, *conv, base::makeSource("t.nest", nest));
  ASSERT_FALSE(counted);
  EXPECT_NE(base::render(counted.diagnostics()).find("global memory `MainMemory`"),
            std::string::npos)
      << base::render(counted.diagnostics());
}

TEST_F(Results, TheSchemaCheckFindsWhatIsWrong) {
  json result = json::parse(service::jsonOf(*explored(false)));
  result.erase("space");
  result["top"][0]["rank"] = "one";
  result["top"][0]["predicted"]["utilization"] = 1.5;
  result["extra"] = 1;
  EXPECT_EQ(schemaFindings(result, "exploration.json").size(), 4U);
}

TEST_F(Results, SummariesReadBackEqual) {
  const service::ExplorationRef exploration = explored(true);
  const auto back =
      exchange::readSummary(base::makeSource("a.json", service::jsonOf(*exploration)));
  ASSERT_TRUE(back) << base::render(back.diagnostics());
  const report::Summary want = report::summaryOf(service::recordOf(*exploration), "a.json");
  EXPECT_EQ(back->mapping, want.mapping);
  EXPECT_EQ(base::render(report::checkComparable(*back, want)), "");
  ASSERT_EQ(back->metrics.size(), want.metrics.size());
  for (std::size_t i = 0; i < want.metrics.size(); ++i) {
    EXPECT_EQ(back->metrics[i].name, want.metrics[i].name);
    EXPECT_EQ(back->metrics[i].value, want.metrics[i].value) << want.metrics[i].name;
  }
}

TEST_F(Results, MutatedResultsAreReadOrRefused) {
  const std::string text = service::jsonOf(*explored(true));
  std::mt19937 random(5);
  for (int round = 0; round < 1000; ++round) {
    std::string mutant = text;
    for (auto edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % mutant.size();
      switch (random() % 4) {
      case 0:
        mutant[at] = static_cast<char>(random());
        break;
      case 1:
        mutant.erase(at, random() % 20);
        break;
      case 2:
        mutant.insert(at, 1, "\"[]{},:0-e"[random() % 10]);
        break;
      default:
        mutant.resize(at + 1);
      }
    }
    const auto summary = exchange::readSummary(base::makeSource("mutant.json", mutant));
    EXPECT_NE(summary.ok(), base::hasError(summary.diagnostics()));
  }
}

TEST_F(Results, AreTheSameBytesOnEveryRun) {
  const auto text = [this] {
    json parsed = json::parse(service::jsonOf(*explored(true)));
    parsed.erase("seconds");
    return parsed.dump();
  };
  EXPECT_EQ(text(), text());
}

}  // namespace
}  // namespace gridloom
