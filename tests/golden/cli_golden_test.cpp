// SPDX-License-Identifier: Apache-2.0

// What the command prints, held against files. GRIDLOOM_UPDATE_GOLDEN=1 writes them anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "support/command.h"

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

// What the README says of its first command.
TEST(Golden, ReadmeShowsTheFirstExploration) {
  const CommandResult run =
      runCommand({"explore", "--hardware", "wormhole_8x8", "--kernel", "gemm", "--set", "M=4096",
                  "--set", "N=4096", "--set", "K=4096", "--top", "5"});
  EXPECT_NE(readFile(GRIDLOOM_TEST_DATA_DIR "/../README.md").find("```\n" + run.out + "```\n"),
            std::string::npos)
      << "README.md lacks this output:\n"
      << run.out;
}

/// Small problems whose ranking, explanation and schedule are held whole.
struct Case {
  std::string name;
  std::string hardware, kernel;
  std::vector<std::string> sizes;
};

const Case kCases[] = {
    {"gemm", "wormhole_4x8", "gemm", {"M=256", "N=256", "K=256"}},
    {"softmax", "wormhole_1x8", "softmax", {"M=64", "N=1024"}},
    {"jacobi2d", "wormhole_1x8", "jacobi2d", {"N=66", "T=2"}},
};

class SmallCase : public testing::TestWithParam<Case> {
 protected:
  std::vector<std::string> arguments(const std::string& verb) const {
    std::vector<std::string> out{verb, "--hardware", GetParam().hardware, "--kernel",
                                 GetParam().kernel};
    for (const std::string& size : GetParam().sizes) out.insert(out.end(), {"--set", size});
    return out;
  }
};

TEST_P(SmallCase, Explore) {
  std::vector<std::string> asked = arguments("explore");
  asked.insert(asked.end(), {"--top", "3"});
  expectGolden("explore_" + GetParam().name + ".txt", asked);
}

TEST_P(SmallCase, Explain) {
  expectGolden("explain_" + GetParam().name + ".txt", arguments("explain"));
}

TEST_P(SmallCase, ShowSchedule) {
  std::vector<std::string> asked = arguments("show");
  asked.push_back("--schedule");
  expectGolden("schedule_" + GetParam().name + ".prog", asked);
}

INSTANTIATE_TEST_SUITE_P(Golden, SmallCase, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

TEST(Golden, ExploreOfAChain) {
  expectGolden("explore_three_mm.txt",
               {"explore", "--hardware", "wormhole_4x8", "--kernel", "three_mm", "--top", "1"});
}

TEST(Golden, Kernels) { expectGolden("list_kernels.txt", {"list", "kernels"}); }

}  // namespace
}  // namespace gridloom::test
