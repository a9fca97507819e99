// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/command.h"

namespace gridloom::test {
namespace {

using nlohmann::json;

std::vector<std::string> onSmallGemm(const std::string& verb, std::vector<std::string> more = {}) {
  std::vector<std::string> all{verb,    "--hardware", "wormhole_4x8", "--kernel", "gemm", "--set",
                               "M=256", "--set",      "N=192",        "--set",    "K=320"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

json parsed(const std::string& text) { return json::parse(text, nullptr, false); }

double sumOf(const json& object) {
  double sum = 0;
  for (const auto& [name, value] : object.items()) sum += value.get<double>();
  return sum;
}

TEST(Explore, RanksAndSimulates) {
  const CommandResult run = runCommand(onSmallGemm("explore", {"--top", "3", "--simulate"}));
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "hardware  wormhole_4x8: 8 × 4 cores")) << run.out;
  EXPECT_TRUE(contains(run.out, "M=256 N=192 K=320"));
  EXPECT_TRUE(contains(run.out, "bound "));
  EXPECT_TRUE(contains(run.out, "predicted  simulated")) << run.out;
  EXPECT_TRUE(contains(run.out, "\n   3  "));
  EXPECT_FALSE(contains(run.out, "\n   4  "));
  EXPECT_TRUE(contains(run.out, "next: gridloom explain"));
  EXPECT_EQ(run.err, "");
}

std::vector<double> cyclesOf(const json& result, const char* which) {
  std::vector<double> out;
  for (const json& entry : result["top"]) {
    if (entry.contains(which)) out.push_back(entry[which]["cycles"].get<double>());
  }
  return out;
}

TEST(Explore, RanksTheFirstAnewBySimulation) {
  const CommandResult run = runCommand(onSmallGemm("explore", {"--rerank", "8", "--json", "-"}));
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const json reranked = parsed(run.out);
  const std::vector<double> simulated = cyclesOf(reranked, "simulated");
  EXPECT_EQ(simulated.size(), 5U);
  EXPECT_TRUE(std::is_sorted(simulated.begin(), simulated.end()));
  EXPECT_EQ(reranked["reranked"]["wanted"], 8);
  EXPECT_EQ(reranked["reranked"]["simulated"], 8);
  EXPECT_GE(reranked["reranked"]["first_cycles"].get<double>(), simulated.front());

  const CommandResult alone = runCommand(onSmallGemm("explore", {"--rerank", "0", "--json", "-"}));
  const json byModel = parsed(alone.out);
  EXPECT_TRUE(cyclesOf(byModel, "simulated").empty());
  const std::vector<double> predicted = cyclesOf(byModel, "predicted");
  EXPECT_TRUE(std::is_sorted(predicted.begin(), predicted.end()));
  for (const json& entry : byModel["top"]) EXPECT_EQ(entry["rank"], entry["predicted_rank"]);
}

TEST(Explore, EndsAtALimitWithTheBestSoFar) {
  const std::vector<std::string> limited{"--work-limit", "400", "--rerank", "0"};
  const CommandResult text = runCommand(onSmallGemm("explore", limited));
  EXPECT_EQ(text.exitCode, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "stopped at the work limit, after ")) << text.out;
  EXPECT_TRUE(contains(text.out, "by the model, not exact")) << text.out;
  EXPECT_TRUE(contains(text.out, " --work-limit 400")) << "the next command searches alike";

  std::vector<std::string> asJson = limited;
  asJson.insert(asJson.end(), {"--json", "-"});
  const json space = parsed(runCommand(onSmallGemm("explore", asJson)).out)["space"];
  EXPECT_EQ(space["exact"], false);
  EXPECT_EQ(space["stopped"], "work limit");
  EXPECT_GT(space["work"], 0);

  const CommandResult one = runCommand(onSmallGemm("simulate", limited));
  EXPECT_EQ(one.exitCode, 0) << one.err;
  EXPECT_TRUE(contains(one.err, "stopped at the work limit")) << one.err;

  const CommandResult odd = runCommand(onSmallGemm("explore", {"--margin", "much"}));
  EXPECT_EQ(odd.exitCode, 2);
  EXPECT_TRUE(contains(odd.err, "--margin much: expected a share")) << odd.err;

  const CommandResult hurried =
      runCommand(onSmallGemm("explore", {"--time-limit", "0.000001", "--rerank", "0"}));
  EXPECT_EQ(hurried.exitCode, 1) << hurried.err;
  EXPECT_TRUE(contains(hurried.out, "stopped at the time limit")) << hurried.out;
  EXPECT_EQ(runCommand(onSmallGemm("explore", {"--time-limit", "-1"})).exitCode, 2);
}

TEST(Explore, SaysInWordsHowItRanked) {
  const auto ranking = [](std::vector<std::string> options) {
    return runCommand(onSmallGemm("explore", std::move(options))).out;
  };
  EXPECT_TRUE(contains(ranking({"--rerank", "0"}), "ranking   exact by the model\n"));
  const std::string reranked = ranking({"--rerank", "7"});
  EXPECT_TRUE(contains(
      reranked,
      "exact by the model; re-ranked by simulation: no. 1 is the fastest of the 7 simulated"))
      << reranked;
  EXPECT_TRUE(contains(reranked, "rank  model  predicted  simulated")) << reranked;
  EXPECT_TRUE(contains(reranked, " --rerank 7\n")) << "the next step takes the same best mapping";
}

TEST(Explore, TheBestIsTheSameForEveryVerb) {
  const json best = parsed(runCommand(onSmallGemm("explore", {"--json", "-"})).out)["top"][0];
  for (const char* verb : {"simulate", "explain"}) {
    const json run = parsed(runCommand(onSmallGemm(verb, {"--json", "-"})).out);
    EXPECT_EQ(run["mapping"], best["mapping"]) << verb;
  }
  const json exported = parsed(runCommand(onSmallGemm("export", {"-f", "mapping"})).out);
  EXPECT_EQ(exported["mapping"], best["mapping"]);
}

TEST(Explore, JsonHasItsPartsAndTheySum) {
  const CommandResult run = runCommand(onSmallGemm("explore", {"--simulate", "--json", "-"}));
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const json result = parsed(run.out);
  ASSERT_FALSE(result.is_discarded()) << "only JSON goes to stdout with --json -";
  EXPECT_EQ(result["schema"], "gridloom.exploration/2");
  EXPECT_EQ(result["hardware"]["name"], "wormhole_4x8");
  EXPECT_EQ(result["kernel"]["parameters"]["K"], 320);
  ASSERT_EQ(result["top"].size(), 5U);
  for (const json& entry : result["top"]) {
    const json& predicted = entry["predicted"];
    const json& simulated = entry["simulated"];
    EXPECT_NEAR(sumOf(predicted["terms"]), predicted["cycles"].get<double>(), 1e-3);
    EXPECT_NEAR(sumOf(simulated["states"]), simulated["cycles"].get<double>(), 1e-3);
    EXPECT_LE(simulated["utilization"].get<double>(), 1);
    EXPECT_GE(predicted["cycles"].get<double>(), result["roofline"]["cycles"].get<double>());
  }
  const json& space = result["space"];
  EXPECT_EQ(space["size"].get<std::int64_t>(),
            space["evaluated"].get<std::int64_t>() + space["pruned"].get<std::int64_t>() +
                static_cast<std::int64_t>(sumOf(space["infeasible"])));
  EXPECT_TRUE(space["exact"].get<bool>());
}

TEST(Explore, IsTheSameOnEveryRunAndThreadCount) {
  const auto run = [](const std::string& threads) {
    return runCommand(onSmallGemm("explore", {"--simulate", "--no-timing", "--json", "-",
                                              "--threads", threads}))
        .out;
  };
  const std::string once = run("1");
  EXPECT_EQ(run("1"), once);
  EXPECT_EQ(run("2"), once);
  EXPECT_EQ(parsed(once)["seconds"], 0);
}

TEST(Count, PrintsAccessesPerMemoryAndTensor) {
  const std::vector<std::string> command{"count",    "--hardware",      "timeloop_2level",
                                         "--kernel", "timeloop_conv1d", "--nest"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), command.begin(), command.end());
    return more;
  };
  const CommandResult run = runCommand(with({"timeloop_01_os"}));
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "Buffer              1  Inputs      3     48     18")) << run.out;
  EXPECT_EQ(parsed(runCommand(with({"timeloop_01_os", "--json", "-"})).out)["steps"], 48);
  const CommandResult csv = runCommand(with({"timeloop_01_os", "--csv", "-"}));
  EXPECT_TRUE(csv.out.starts_with("memory,")) << csv.out;
  const CommandResult other = runCommand(with({"timeloop_02_tiled"}));
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_TRUE(contains(other.err, "kernel `conv1d` has no loop `k`")) << other.err;
}

TEST(Explore, DirectivesNarrowTheSpace) {
  const TemporaryFolder folder;
  const std::string file = folder.write("narrow.sched", "tile(i, 64) // rows\nspace(j->x)\n");
  const CommandResult run =
      runCommand(onSmallGemm("explore", {"--directives", file, "--json", "-"}));
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const json result = parsed(run.out);
  for (const json& entry : result["top"]) {
    EXPECT_EQ(entry["mapping"]["tile_sizes"]["i"], 64);
    EXPECT_EQ(entry["mapping"]["space"]["x"], "j");
  }
}

TEST(Explore, SaysWhyNothingFits) {
  const TemporaryFolder folder;
  const std::string large = folder.write("large.sched", "tile(i, 4096) tile(j, 4096)");
  const CommandResult run = runCommand(
      {"explore", "--hardware", "wormhole_8x8", "--kernel", "gemm", "--directives", large});
  EXPECT_EQ(run.exitCode, 1);
  EXPECT_TRUE(contains(run.out, "No mapping is feasible")) << run.out;
  EXPECT_TRUE(contains(run.out, "infeasible by capacity")) << run.out;
  EXPECT_TRUE(contains(run.out, " KiB of 1,464 KiB") || contains(run.out, " MiB of 1,464 KiB"))
      << run.out;
}

TEST(Explore, AKernelThatCannotBeMappedYetIsANo) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "backward.rec", "kernel backward(N = 64) {\n  tensor A[N]: f32\n  tensor X[N]: f32\n"
                      "  X[i] = A[i]  where i >= N - 1\n"
                      "  X[i] = X[i + 1] + A[i]  where i < N - 1\n}\n");
  const CommandResult run = runCommand({"explore", "--hardware", "wormhole_8x8", "--kernel", file});
  EXPECT_EQ(run.exitCode, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(contains(run.err, "backward.rec:")) << run.err;
  EXPECT_TRUE(contains(run.err, "error: not yet mapped")) << run.err;
}

TEST(Explore, ABaselineCatchesARegression) {
  const TemporaryFolder folder;
  const std::string baseline = folder.path("baseline.json");
  ASSERT_EQ(runCommand(onSmallGemm("explore", {"--rerank", "0", "--json", baseline})).exitCode, 0);

  const CommandResult same = runCommand(onSmallGemm("explore", {"--baseline", baseline}));
  EXPECT_EQ(same.exitCode, 0) << same.err;
  EXPECT_EQ(same.err, "");
  EXPECT_TRUE(contains(same.out, "predicted cycles"));
  EXPECT_TRUE(contains(same.out, " --rerank 0\n")) << same.out;

  const std::string slow = folder.write("slow.sched", "tile(k, 32) direct(A) direct(B)");
  const auto slower = [&](const std::string& tolerance) {
    return runCommand(onSmallGemm(
        "explore", {"--directives", slow, "--baseline", baseline, "--tolerance", tolerance}));
  };
  const CommandResult caught = slower("2%");
  EXPECT_EQ(caught.exitCode, 1);
  EXPECT_TRUE(contains(caught.err, "more than the tolerance of 2.0%")) << caught.err;
  const CommandResult tolerated = slower("900%");
  EXPECT_EQ(tolerated.exitCode, 0) << tolerated.err;
}

TEST(Explore, JunitSaysWhichFigureGotWorse) {
  const TemporaryFolder folder;
  const std::string baseline = folder.path("base.json");
  const std::vector<std::string> small = {"explore", "-H", "wormhole_1x8", "-K", "gemm", "-s",
                                          "M=256",   "-s", "N=256",        "-s", "K=256"};
  std::vector<std::string> first = small;
  first.insert(first.end(), {"--json", baseline});
  ASSERT_EQ(runCommand(first).exitCode, 0);
  std::vector<std::string> again = small;
  again.insert(again.end(), {"--dtype", "bfp8", "--baseline", baseline, "--junit", "-"});
  EXPECT_EQ(runCommand(again).exitCode, 2) << "other element types are not compared";
  again = small;
  again.insert(again.end(), {"--baseline", baseline, "--junit", "-"});
  const auto same = runCommand(again);
  EXPECT_EQ(same.exitCode, 0) << same.err;
  EXPECT_EQ(same.out.rfind("<?xml", 0), 0u) << same.out;
  EXPECT_NE(same.out.find("tests=\"2\" failures=\"0\""), std::string::npos) << same.out;
}

TEST(Check, WritesItsFindingsForOtherTools) {
  const TemporaryFolder folder;
  const std::string bad = folder.write("bad.hw", "%x = df.spatial_dim 0\n");
  const auto checked = runCommand(
      {"check", bad, "--sarif", folder.path("f.sarif"), "--junit", folder.path("f.xml")});
  EXPECT_EQ(checked.exitCode, 1);
  EXPECT_NE(readFile(folder.path("f.sarif")).find("\"startLine\": 1"), std::string::npos);
  EXPECT_NE(readFile(folder.path("f.xml")).find("<failure message="), std::string::npos);
  EXPECT_EQ(runCommand({"check", bad, "--sarif", bad}).exitCode, 2);
  EXPECT_EQ(readFile(bad), "%x = df.spatial_dim 0\n");
}

TEST(Explore, ABaselineOfOtherWorkIsRefusedBeforeTheSearch) {
  const TemporaryFolder folder;
  const std::string baseline = folder.path("baseline.json");
  ASSERT_EQ(runCommand(onSmallGemm("explore", {"--json", baseline, "--simulate"})).exitCode, 0);
  const CommandResult other =
      runCommand(onSmallGemm("explore", {"--set", "K=640", "--baseline", baseline}));
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_EQ(other.out, "");
  EXPECT_TRUE(contains(other.err, "the sizes differ: M=256 N=192 K=320 and M=256 N=192 K=640"))
      << other.err;
  const CommandResult typed =
      runCommand(onSmallGemm("explore", {"--dtype", "bf16", "--baseline", baseline}));
  EXPECT_EQ(typed.exitCode, 2);
  EXPECT_TRUE(contains(typed.err, "the tensors differ: A[256, 320]: f16")) << typed.err;

  const CommandResult predicted =
      runCommand(onSmallGemm("explore", {"--rerank", "0", "--baseline", baseline}));
  EXPECT_EQ(predicted.exitCode, 0) << predicted.err;
  EXPECT_TRUE(contains(predicted.err, "warning: the simulated cycles of")) << predicted.err;
  EXPECT_TRUE(contains(predicted.err, "`--rerank 10` simulates")) << predicted.err;
}

TEST(Simulate, ComputesTheValuesOfTheReference) {
  const CommandResult run = runCommand(onSmallGemm("simulate", {"--values", "--json", "-"}));
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const json result = parsed(run.out);
  EXPECT_EQ(result["schema"], "gridloom.simulation/2");
  EXPECT_LE(result["value_error"].get<double>(), 1e-9);
  EXPECT_EQ(result["cores"].size(), 32U);
  for (const json& core : result["cores"]) {
    EXPECT_NEAR(sumOf(core["states"]), result["simulated"]["cycles"].get<double>(), 1e-3);
  }
}

// A row times 2 in each of two ways: on cores, and by the meaning of the kernel alone.
TEST(Values, GoFromFilesToFiles) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("twice.rec")) << "kernel twice(N = 3) {\n  tensor A[N]: f32\n"
                                             "  tensor Y[N]: i16\n\n  Y[i] = 2 * A[i]\n}\n";
  const std::string kernel = folder.path("twice.rec");
  const std::string ones = folder.path("ones.npy");
  using namespace std::string_literals;
  std::ofstream(ones) << "\x93NUMPY\x01\x00\x38\x00{'descr': '|i1', 'fortran_order': False, "
                         "'shape': (3,)}\n\x01\x02\xfd"s;
  const std::string a = folder.path("a.npy"), b = folder.path("b.npy");
  const CommandResult meant =
      runCommand({"interpret", kernel, "--in", "A=" + ones, "--out", "Y=" + a});
  EXPECT_EQ(meant.exitCode, 0) << meant.err;
  EXPECT_TRUE(contains(meant.out, "Y       3         -6        4     0")) << meant.out;
  const CommandResult run =
      runCommand({"simulate", "--hardware", "wormhole_1x8", "--kernel", kernel, "--values", "--in",
                  "A=" + ones, "--out", "Y=" + b});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  const std::string values = readFile(a);
  EXPECT_EQ(values, readFile(b));
  EXPECT_TRUE(values.ends_with("\x02\x00\x04\x00\xfa\xff"s));
}

TEST(Kernel, StandsAloneOrBehindItsOption) {
  const auto explored = [](std::vector<std::string> kernel) {
    std::vector<std::string> all{"explore", "-H", "wormhole_1x8", "-s", "N=65536", "--rerank", "0"};
    all.insert(all.end(), kernel.begin(), kernel.end());
    return runCommand(all);
  };
  const CommandResult named = explored({"-K", "vector_add"}), alone = explored({"vector_add"});
  EXPECT_EQ(named.exitCode, 0) << named.err;
  EXPECT_EQ(alone.out, named.out);
  EXPECT_EQ(runCommand({"interpret", "-K", "vector_add", "-s", "N=4"}).exitCode, 0);
  EXPECT_EQ(explored({"vector_add", "gemm"}).exitCode, 2);
  const CommandResult none = explored({});
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_TRUE(contains(none.err, "--kernel is required")) << none.err;
}

TEST(Values, RefuseWhatTheyCannotTake) {
  const auto refused = [](std::vector<std::string> options, const std::string& why) {
    options.insert(options.begin(), {"interpret", "vector_add", "--set", "N=4"});
    const CommandResult run = runCommand(options);
    EXPECT_EQ(run.exitCode, 2) << run.out;
    EXPECT_TRUE(contains(run.err, why)) << run.err;
  };
  refused({"--in", "d=x.npy"}, "--in: kernel `vector_add` has no input `d`");
  refused({"--out", "a=x.npy"}, "--out: kernel `vector_add` has no output `a`");
  refused({"--in", "a"}, "--in a: expected a tensor and a file");
  refused({"--in", "a=x.npy", "--in", "a=y.npy"}, "--in: `a` has two files");
  refused({"--in", "a=/nonexistent/x.npy"}, "there is no such file");
  refused({"--set", "N=400000000"}, "are too many to compute one by one");
  const CommandResult without = runCommand(onSmallGemm("simulate", {"--out", "C=c.npy"}));
  EXPECT_EQ(without.exitCode, 2);
  EXPECT_TRUE(contains(without.err, "--out has no effect without --values")) << without.err;
}

TEST(Simulate, TakesTheMappingOfAnyFileThatHoldsOne) {
  const TemporaryFolder folder;
  const std::string exploration = folder.path("a.json");
  const std::string directives = folder.path("a.sched");
  const std::string alone = folder.path("b.json");
  const auto exported = [](const std::string& format, const std::string& file) {
    return runCommand(onSmallGemm("export", {"--format", format, "--output", file})).exitCode;
  };
  ASSERT_EQ(exported("json", exploration), 0);
  ASSERT_EQ(exported("sched", directives), 0);
  ASSERT_EQ(exported("mapping", alone), 0);
  const std::string best = runCommand(onSmallGemm("simulate", {"--json", "-"})).out;
  for (const std::string& file : {exploration, directives, alone}) {
    const CommandResult run =
        runCommand(onSmallGemm("simulate", {"--mapping", file, "--json", "-"}));
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(run.out, best) << file;
  }
}

TEST(Simulate, ShowsTheSlotsOfAScheduleAndNotTheMappings) {
  const TemporaryFolder folder;
  const std::string file = folder.path("a.prog");
  ASSERT_EQ(runCommand(onSmallGemm("export", {"-f", "prog", "-o", file})).exitCode, 0);
  const CommandResult text = runCommand(onSmallGemm("simulate", {"--schedule", file}));
  ASSERT_EQ(text.exitCode, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "schedule      as asked for; predicted is the mapping"))
      << text.out;
  EXPECT_TRUE(contains(text.out, "slots: A ")) << text.out;
  const json run =
      parsed(runCommand(onSmallGemm("simulate", {"--schedule", file, "--json", "-"})).out);
  std::int64_t bytes = 0;
  for (const json& buffer : run["schedule"]["buffers"]) {
    bytes += buffer["slots"].get<std::int64_t>() * buffer["bytes"].get<std::int64_t>();
  }
  EXPECT_EQ(run["schedule"]["local_bytes"].get<std::int64_t>(), bytes);
  EXPECT_FALSE(
      parsed(runCommand(onSmallGemm("simulate", {"--json", "-"})).out).contains("schedule"));

  const CommandResult other =
      runCommand(onSmallGemm("simulate", {"--schedule", file, "--dtype", "bfp8"}));
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_TRUE(contains(other.err, "the schedule is for f16, the kernel has bfp8")) << other.err;
  EXPECT_TRUE(contains(other.err, "--dtype f16")) << other.err;
}

TEST(Simulate, WritesATraceThatNamesItsAxis) {
  const TemporaryFolder folder;
  const std::string file = folder.path("trace.json");
  ASSERT_EQ(runCommand(onSmallGemm("simulate", {"--trace", file})).exitCode, 0);
  const json trace = parsed(readFile(file));
  ASSERT_TRUE(trace.is_object());
  EXPECT_EQ(trace["otherData"]["axis"], "1 us = 1 cycle");
  std::size_t spans = 0;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ++spans;
    EXPECT_GE(event["dur"].get<double>(), 0);
  }
  EXPECT_GT(spans, 10U);
}

TEST(Simulate, KeepsAWindowOfTheTrace) {
  const TemporaryFolder folder;
  const std::string file = folder.path("trace.json");
  const auto begins = [&](const char* window) {
    const auto run =
        runCommand(onSmallGemm("simulate", {"--trace", file, "--trace-window", window}));
    EXPECT_EQ(run.exitCode, 0) << run.err;
    std::vector<std::pair<double, double>> spans;
    const json trace = parsed(readFile(file));
    for (const json& event : trace["traceEvents"]) {
      if (event["ph"] != "X") continue;
      const double at = event["ts"].get<double>();
      spans.emplace_back(at, at + event["dur"].get<double>());
    }
    return spans;
  };
  const auto all = begins(":");
  const auto some = begins("500:1000");
  EXPECT_FALSE(some.empty());
  EXPECT_LT(some.size(), all.size());
  for (const auto& [from, to] : some) {
    EXPECT_LT(from, 1000);
    EXPECT_GT(to, 500);
  }
  for (const char* wrong : {"5", "9:3", "a:b", "-1:4"}) {
    const auto run =
        runCommand(onSmallGemm("simulate", {"--trace", file, "--trace-window", wrong}));
    EXPECT_EQ(run.exitCode, 2) << wrong;
    EXPECT_NE(run.err.find("write 100000:200000"), std::string::npos) << run.err;
  }
}

TEST(Simulate, ShowsTheRunAtACycle) {
  const auto run = runCommand(onSmallGemm("simulate", {"--at", "1500", "--json", "-"}));
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const json state = parsed(run.out);
  ASSERT_EQ(state["schema"], "gridloom.state/1");
  std::size_t counted = 0;
  for (const json& cores : state["states"]) counted += cores.get<std::size_t>();
  EXPECT_EQ(counted, state["cores"].size());
  EXPECT_FALSE(state["tiles_in_flight"].empty());
  for (const json& tile : state["tiles_in_flight"]) {
    EXPECT_LE(tile["begin"].get<double>(), 1500);
    EXPECT_GT(tile["end"].get<double>(), 1500);
  }
  const auto text = runCommand(onSmallGemm("simulate", {"--at", "1500"}));
  EXPECT_TRUE(text.out.starts_with("cycle 1500 of ")) << text.out;
  EXPECT_TRUE(contains(text.out, "tile of"));
}

TEST(Simulate, RefusesACycleOutsideOfTheRun) {
  const auto late = runCommand(onSmallGemm("simulate", {"--at", "1e12"}));
  EXPECT_EQ(late.exitCode, 2);
  EXPECT_TRUE(contains(late.err, "it takes the cycles 0 to ")) << late.err;
  for (const char* wrong : {"-1", "x", "5:6", "nan"}) {
    const auto run = runCommand(onSmallGemm("simulate", {"--at=" + std::string(wrong)}));
    EXPECT_EQ(run.exitCode, 2) << wrong;
    EXPECT_TRUE(contains(run.err, "expected a cycle")) << run.err;
  }
  EXPECT_EQ(runCommand(onSmallGemm("simulate", {"--at", "5", "--trace", "-"})).exitCode, 2);
}

/// A number means the mapping of that rank in `explore`.
TEST(Explain, NamesMappingsByTheirRanks) {
  const json ranking = parsed(runCommand(onSmallGemm("explore", {"--json", "-"})).out)["top"];
  const CommandResult two = runCommand(onSmallGemm("explain", {"1", "3", "--json", "-"}));
  ASSERT_EQ(two.exitCode, 0) << two.err;
  const json difference = parsed(two.out);
  // One exploration for both, and what its ranks are.
  const std::size_t note = two.err.find("ranks are those of `gridloom explore` without");
  EXPECT_NE(note, std::string::npos) << two.err;
  EXPECT_EQ(two.err.find("ranks are those", note + 1), std::string::npos) << two.err;
  EXPECT_EQ(difference["a"]["mapping"], ranking[0]["mapping"]);
  EXPECT_EQ(difference["b"]["mapping"], ranking[2]["mapping"]);
  const CommandResult third =
      runCommand(onSmallGemm("simulate", {"--mapping", "3", "--json", "-"}));
  EXPECT_EQ(parsed(third.out)["mapping"], ranking[2]["mapping"]) << third.err;
  const CommandResult alone = runCommand(onSmallGemm("explain", {"3", "--json", "-"}));
  EXPECT_EQ(parsed(alone.out)["mapping"], ranking[2]["mapping"]) << alone.err;
  EXPECT_EQ(runCommand(onSmallGemm("explain", {"3", "--mapping", "2"})).exitCode, 2);
  const CommandResult none = runCommand(onSmallGemm("explain", {"0", "1"}));
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_TRUE(contains(none.err, "a rank is between 1 and 10000, got 0")) << none.err;
}

TEST(Explain, RunsTwiceOfEachResource) {
  const CommandResult run = runCommand(onSmallGemm("explain", {"--json", "-"}));
  ASSERT_EQ(run.exitCode, 0) << run.err;
  const json result = parsed(run.out);
  EXPECT_EQ(result["schema"], "gridloom.explanation/2");
  const double cycles = result["simulated"]["cycles"].get<double>();
  bool faster = false;
  for (const json& entry : result["twice"]) {
    EXPECT_LE(entry["predicted_cycles"].get<double>(),
              result["predicted"]["cycles"].get<double>() * (1 + 1e-9))
        << entry["resource"];
    faster = faster || entry["simulated_cycles"].get<double>() < 0.99 * cycles;
  }
  EXPECT_TRUE(faster) << "something must be worth more";
}

TEST(Compare, SetsTwoResultsSideBySide) {
  const TemporaryFolder folder;
  const std::string a = folder.path("a.json");
  const std::string b = folder.path("b.json");
  const std::string slow = folder.write("slow.sched", "tile(k, 32) direct(A) direct(B)");
  ASSERT_EQ(runCommand(onSmallGemm("explore", {"--simulate", "--json", a})).exitCode, 0);
  ASSERT_EQ(runCommand(onSmallGemm("explore", {"--directives", slow, "--rerank", "0", "--json", b}))
                .exitCode,
            0);
  const CommandResult run = runCommand({"compare", a, b});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "metric"));
  EXPECT_TRUE(contains(run.out, "predicted cycles"));
  EXPECT_TRUE(contains(run.err, "b.json has none: only predicted ones are compared")) << run.err;
  const CommandResult csv = runCommand({"compare", a, b, "--csv", "-"});
  EXPECT_TRUE(csv.out.starts_with("metric,")) << csv.out;
  EXPECT_EQ(runCommand({"compare", a, b, "--tolerance", "1%"}).exitCode, 1);
  EXPECT_EQ(runCommand({"compare", b, a, "--tolerance", "1%"}).exitCode, 0);
}

TEST(Compare, RefusesOtherWorkAndNotesOtherHardware) {
  const TemporaryFolder folder;
  const std::string a = folder.path("a.json");
  const std::string larger = folder.path("larger.json");
  const std::string elsewhere = folder.path("elsewhere.json");
  ASSERT_EQ(runCommand(onSmallGemm("explore", {"--json", a})).exitCode, 0);
  ASSERT_EQ(runCommand(onSmallGemm("explore", {"--set", "M=512", "--json", larger})).exitCode, 0);
  std::vector<std::string> onOther = onSmallGemm("explore", {"--json", elsewhere});
  onOther[2] = "wormhole_1x8";
  ASSERT_EQ(runCommand(onOther).exitCode, 0);
  const CommandResult refused = runCommand({"compare", a, larger});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_TRUE(contains(refused.err, "the sizes differ")) << refused.err;
  const CommandResult noted = runCommand({"compare", a, elsewhere});
  EXPECT_EQ(noted.exitCode, 0);
  EXPECT_TRUE(contains(noted.err, "note: the hardware differs")) << noted.err;
}

TEST(Export, LoopNestAndTables) {
  const CommandResult nest = runCommand(onSmallGemm("export", {"--format", "loop-nest"}));
  EXPECT_EQ(nest.exitCode, 0) << nest.err;
  EXPECT_TRUE(contains(nest.out, "affine.parallel (x, y) = (0, 0) to (8, 4)")) << nest.out;
  EXPECT_TRUE(contains(nest.out, "matrix.matmul C"));
  EXPECT_TRUE(contains(nest.out, "store C["));

  const CommandResult ranked = runCommand(onSmallGemm("export", {"--format", "csv"}));
  EXPECT_TRUE(ranked.out.starts_with("rank,predicted_rank,predicted_cycles,simulated_cycles,"
                                     "prediction_error,tflops,utilization,bottleneck,mapping\n"));
  const CommandResult cores =
      runCommand(onSmallGemm("export", {"--format", "csv", "--table", "cores"}));
  EXPECT_EQ(std::count(cores.out.begin(), cores.out.end(), '\n'), 33) << cores.out;

  // The tables of one mapping: their first columns.
  const std::pair<const char*, const char*> tables[] = {
      {"peak", "step"},          {"terms", "name"},      {"levels", "loop"},
      {"states", "name"},        {"traffic", "place"},   {"operands", "tensor"},
      {"resources", "resource"}, {"changes", "resource"}};
  for (const auto& [table, column] : tables) {
    const CommandResult csv =
        runCommand(onSmallGemm("export", {"--format", "csv", "--table", table}));
    EXPECT_EQ(csv.exitCode, 0) << table << csv.err;
    EXPECT_TRUE(csv.out.starts_with(column)) << table << ": " << csv.out.substr(0, 80);
    EXPECT_EQ(csv.out.back(), '\n') << table;
  }

  const CommandResult dot = runCommand(onSmallGemm("export", {"--format", "dot"}));
  EXPECT_TRUE(dot.out.starts_with("digraph \"wormhole_4x8\" {"));
}

TEST(Explore, AFileOfSeveralKernelsSaysWhichOneThisIs) {
  const std::vector<std::string> first{"explore", "--hardware", "wormhole_4x8", "--kernel", "mlp"};
  const CommandResult run = runCommand(first);
  EXPECT_EQ(run.exitCode, 0);
  EXPECT_TRUE(contains(run.err, "note: this is the first of the file's kernels `up`, `down`"))
      << run.err;
  std::vector<std::string> second = first;
  second.insert(second.end(), {"--entry", "down"});
  const CommandResult other = runCommand(second);
  EXPECT_EQ(other.err, "");
  EXPECT_TRUE(contains(other.out, "kernel    down:")) << other.out;
}

TEST(Show, PrintsTextAndWhatItResolvesTo) {
  const CommandResult hardware = runCommand({"show", "wormhole_8x8"});
  EXPECT_EQ(hardware.exitCode, 0) << hardware.err;
  EXPECT_TRUE(contains(hardware.out, "df.spatial_dim"));
  EXPECT_TRUE(contains(hardware.out, "mesh          x 8 × y 8: 64 cores"));
  const CommandResult kernel = runCommand({"show", "gemm", "--set", "M=7"});
  EXPECT_EQ(kernel.exitCode, 0) << kernel.err;
  EXPECT_TRUE(contains(kernel.out, "A[7, 4096]: f16, input"));
}

TEST(Check, CountsTheErrorsOfEveryFile) {
  const TemporaryFolder folder;
  const std::string good =
      folder.write("good.rec", "kernel k(N = 8) {\n  tensor A[N]: f32  tensor B[N]: f32\n"
                               "  B[i] = A[i] + A[i]\n}\n");
  const std::string bad = folder.write("bad.sched", "tile(i)\nmulticost(A, x)\nhoist(A, k)\n");
  const CommandResult run = runCommand({"check", good, bad});
  EXPECT_EQ(run.exitCode, 1);
  EXPECT_EQ(run.out, good + ": ok\n" + bad + ": 2 errors\n") << run.err;
  EXPECT_TRUE(contains(run.err, bad + ":1:7: error:")) << run.err;
  EXPECT_TRUE(contains(run.err, bad + ":2:1: error: unknown directive `multicost`")) << run.err;
  EXPECT_TRUE(contains(run.err, "did you mean `multicast`?")) << run.err;
}

TEST(Check, ReadsStudiesWithoutRunningThem) {
  const TemporaryFolder folder;
  const std::string rows = "\nhardware,kernel,sizes\nwormhole_1x8,gemm,M=64 N=64 K=64\n";
  const std::string good = folder.write("good.study", "title T\nrun ours\n" + rows);
  const std::string bad = folder.write("bad.study", "title T\nruns ours\n" + rows);
  const CommandResult run = runCommand({"check", good, bad});
  EXPECT_EQ(run.exitCode, 1);
  EXPECT_EQ(run.out, good + ": ok\n" + bad + ": 1 error\n") << run.err;
  EXPECT_TRUE(contains(run.err, bad + ":2:1: error:")) << run.err;
}

}  // namespace
}  // namespace gridloom::test
