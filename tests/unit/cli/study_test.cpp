// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/command.h"

namespace gridloom::test {
namespace {

TEST(Study, ListsItsStudies) {
  const CommandResult run = runCommand({"study"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  for (const char* study : {"tl ", "wormhole ", "systolic ", "agreement "}) {
    EXPECT_TRUE(contains(run.out, study)) << run.out;
  }
}

TEST(Study, RefusesWhatItDoesNotKnow) {
  const CommandResult run = runCommand({"study", "wormhoel"});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(contains(run.err, "no study is called `wormhoel`")) << run.err;
  EXPECT_TRUE(contains(run.err, "wormhole")) << run.err;
  EXPECT_EQ(runCommand({"study", "agreement", "--samples", "1"}).exitCode, 2);
}

TEST(Study, ReproduceIsItsOtherName) {
  const CommandResult study = runCommand({"study", "systolic_words", "--csv", "-"});
  EXPECT_EQ(study.exitCode, 0) << study.err;
  EXPECT_EQ(study.out, runCommand({"reproduce", "systolic_words", "--csv", "-"}).out);
  const CommandResult text = runCommand({"study", "systolic_words", "--json", "-"});
  EXPECT_EQ(text.exitCode, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "\"schema\": \"gridloom.study/1\"")) << text.out;
}

TEST(Study, DirectivesAreFoundByName) {
  const CommandResult run = runCommand({"explore", "--hardware", "wormhole_4x8", "--kernel", "gemm",
                                        "--set", "M=256", "--directives", "tt_2d", "--top", "1"});
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "A multicast x")) << run.out;
  EXPECT_TRUE(contains(run.out, "B multicast y")) << run.out;
  const CommandResult missing = runCommand(
      {"explore", "--hardware", "wormhole_4x8", "--kernel", "gemm", "--directives", "tt_3d"});
  EXPECT_EQ(missing.exitCode, 2);
  EXPECT_TRUE(contains(missing.err, "gridloom list directives")) << missing.err;
  EXPECT_TRUE(contains(missing.err, "no set of directives is called `tt_3d`")) << missing.err;
}

}  // namespace
}  // namespace gridloom::test
