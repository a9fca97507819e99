// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/cli/command.h"

namespace gridloom::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Reproduce, ListsItsStudies) {
  const CommandResult run = runCommand({"reproduce"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  for (const char* study : {"tl ", "wormhole ", "systolic ", "agreement "}) {
    EXPECT_TRUE(contains(run.out, study)) << run.out;
  }
}

TEST(Reproduce, RefusesWhatItDoesNotKnow) {
  const CommandResult run = runCommand({"reproduce", "wormhoel"});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(contains(run.err, "there is no study `wormhoel`")) << run.err;
  EXPECT_TRUE(contains(run.err, "wormhole")) << run.err;
  EXPECT_EQ(runCommand({"reproduce", "tl", "--samples", "1"}).exitCode, 2);
}

TEST(Reproduce, BaselinesAreDirectivesByName) {
  const CommandResult run = runCommand({"explore", "--hardware", "wormhole_4x8", "--kernel", "gemm",
                                        "--set", "M=256", "--directives", "tt_2d", "--top", "1"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "A mcast x")) << run.out;
  EXPECT_TRUE(contains(run.out, "B mcast y")) << run.out;
  const CommandResult missing = runCommand(
      {"explore", "--hardware", "wormhole_4x8", "--kernel", "gemm", "--directives", "tt_3d"});
  EXPECT_EQ(missing.exitCode, 2);
  EXPECT_TRUE(contains(missing.err, "no baseline is called `tt_3d`")) << missing.err;
}

}  // namespace
}  // namespace gridloom::test
