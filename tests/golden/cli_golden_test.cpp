// SPDX-License-Identifier: Apache-2.0

// What the command prints, held against files. GRIDLOOM_UPDATE_GOLDEN=1 writes them anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "unit/cli/command.h"

namespace gridloom::test {
namespace {

const std::string kFolder = std::string(GRIDLOOM_TEST_DATA_DIR) + "/golden/cli/";

void expectGolden(const std::string& name, const std::vector<std::string>& arguments) {
  const CommandResult run = runCommand(arguments);
  EXPECT_EQ(run.exitCode, 0) << run.err;
  EXPECT_EQ(run.err, "");
  if (std::getenv("GRIDLOOM_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(kFolder + name, std::ios::binary) << run.out;
  }
  EXPECT_EQ(run.out, readFile(kFolder + name));
}

TEST(Golden, Help) { expectGolden("help.txt", {"--help"}); }
TEST(Golden, HelpOfExplore) { expectGolden("help_explore.txt", {"explore", "--help"}); }
TEST(Golden, HelpOfExport) { expectGolden("help_export.txt", {"export", "--help"}); }
TEST(Golden, Hardware) { expectGolden("list_hardware.txt", {"list", "hardware"}); }
TEST(Golden, Kernels) { expectGolden("list_kernels.txt", {"list", "kernels"}); }

}  // namespace
}  // namespace gridloom::test
