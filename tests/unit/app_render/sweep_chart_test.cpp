// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "support/command.h"

namespace gridloom::test {
namespace {

std::vector<std::string> sweepOf(std::vector<std::string> more) {
  std::vector<std::string> all{"sweep", "gemm",  "-H",    "wormhole_4x8", "--set",
                               "M=256", "--set", "N=256", "--set",        "K=256"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(SweepChart, IsDrawnBesideTheTable) {
  const TemporaryFolder folder;
  const CommandResult run = runCommand(
      sweepOf({"--vary", "cols=2,4", "--vary", "K=128..256x2", "--chart", folder.path("s.svg")}));
  ASSERT_EQ(run.exitCode, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "cols = 4, K = 128: ")) << run.out;
  EXPECT_TRUE(contains(readFile(folder.path("s.svg")), "Best mapping against cols and K"));
}

TEST(SweepChart, WhyItIsNotDrawnIsPassedOn) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path("full.svg"));
  const CommandResult full = runCommand(sweepOf(
      {"--vary", "K=128", "--chart", folder.path("full.svg"), "--json", folder.path("s.json")}));
  EXPECT_EQ(full.exitCode, 4) << full.err;
  EXPECT_TRUE(contains(full.err, "No space left on device")) << full.err;
  const CommandResult more = runCommand({"export", "chart", "--sweep", folder.path("s.json"),
                                         "--rank", "2", "--out", folder.path("a.svg")});
  EXPECT_EQ(more.exitCode, 2);
  EXPECT_TRUE(contains(more.err, "--rank has no effect beside --sweep")) << more.err;
}

}  // namespace
}  // namespace gridloom::test
