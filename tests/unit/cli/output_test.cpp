// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/command.h"

namespace gridloom::test {
namespace {

using namespace std::chrono_literals;

/// Tile sizes so small, tensors so large, and loads with so much contention and no steady state,
/// that the simulation would take hours.
const std::vector<std::string> kEndless{
    "explore", "--hardware", "wormhole_8x8", "--kernel", "gemm",  "--set", "M=32768",
    "--set",   "N=32768",    "--set",        "K=32768",  "--top", "1000",  "--simulate"};

TEST(Interrupt, ShowsWhatWasFoundSoFar) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = kEndless;
  arguments.insert(
      arguments.end(),
      {"--directives",
       folder.write("tiny.sched", "tile(i, 32) tile(j, 32) tile(k, 32) direct(A) direct(B)"),
       "--json", folder.path("partial.json")});
  // An interrupt before the work starts ends the process; a slow machine gets more time.
  CommandResult run;
  const auto found = [&run] { return run.out.find("rank") != std::string::npos; };
  for (auto wait = 500ms; wait <= 8000ms && (run.exitCode != 130 || !found()); wait *= 4) {
    run = runCommand(arguments, wait);
  }
  EXPECT_EQ(run.exitCode, 130);
  EXPECT_NE(run.out.find("rank"), std::string::npos) << run.out;
  EXPECT_NE(run.err.find("interrupted"), std::string::npos) << run.err;
  const auto partial = nlohmann::json::parse(readFile(folder.path("partial.json")), nullptr, false);
  ASSERT_TRUE(partial.is_object());
  EXPECT_EQ(partial["top"].size(), 1000U);
  EXPECT_EQ(partial["interrupted"], true);
}

TEST(Interrupt, AnExportWritesNothing) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = kEndless;
  arguments.front() = "export";
  arguments.insert(
      arguments.end(),
      {"--directives",
       folder.write("tiny.sched", "tile(i, 32) tile(j, 32) tile(k, 32) direct(A) direct(B)"),
       "--format", "csv", "--output", folder.path("partial.csv")});
  CommandResult run;
  for (auto wait = 500ms; wait <= 8000ms && run.exitCode != 130; wait *= 4) {
    run = runCommand(arguments, wait);
  }
  EXPECT_EQ(run.exitCode, 130);
  EXPECT_NE(run.err.find("interrupted: nothing was written"), std::string::npos) << run.err;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"tiny.sched"});
}

TEST(Output, AnUnwritableFileLeavesNothingBehind) {
  const TemporaryFolder folder;
  const CommandResult run = runCommand({"explore", "--hardware", "wormhole_8x8", "--kernel", "gemm",
                                        "--json", folder.path("missing/a.json")});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_NE(run.err.find("cannot write"), std::string::npos) << run.err;
  EXPECT_TRUE(folder.names().empty());
}

TEST(Output, BadInputWritesNoFile) {
  const TemporaryFolder folder;
  const std::string target = folder.path("a.json");
  const std::vector<std::vector<std::string>> wrong{
      {"--hardware", "wormhole_8x8", "--kernel", "gemm", "--set", "M=0"},
      {"--hardware", "wormhole_8x8", "--kernel", "trsm", "--set", "Q=1"},
      {"--hardware", "nothing", "--kernel", "gemm"},
      {"--hardware", "wormhole_8x8", "--kernel", "gemm", "--mode", "lofi9"}};
  for (const auto& options : wrong) {
    std::vector<std::string> arguments{"explore", "--json", target};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_NE(runCommand(arguments).exitCode, 0);
    EXPECT_TRUE(folder.names().empty());
  }
}

TEST(Output, AnEarlierResultIsReplacedWhole) {
  const TemporaryFolder folder;
  const std::string target = folder.write("a.json", std::string(1000000, 'x'));
  ASSERT_EQ(
      runCommand({"explore", "--hardware", "wormhole_8x8", "--kernel", "gemm", "--json", target})
          .exitCode,
      0);
  EXPECT_TRUE(nlohmann::json::parse(readFile(target), nullptr, false).is_object());
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.json"});
}

TEST(Output, ADeviceIsWrittenToAndNotReplaced) {
  const CommandResult run = runCommand(
      {"explore", "--hardware", "wormhole_8x8", "--kernel", "gemm", "--json", "/dev/null"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace gridloom::test
