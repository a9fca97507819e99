// SPDX-License-Identifier: Apache-2.0

// The command's behaviour when the machine runs out of a resource, when a signal ends it, and when
// an output would overwrite an input.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/command.h"

namespace gridloom::test {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

std::vector<std::string> smallGemm(const std::string& verb, std::vector<std::string> more) {
  std::vector<std::string> all{verb,   "--hardware", "wormhole_1x8", "--kernel", "gemm", "--set",
                               "M=64", "--set",      "N=64",         "--set",    "K=64"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void expectIn(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Machine, WithoutMemorySaysWhatWasAskedForAndWhatThereWas) {
  Surroundings around;
  around.prepare = [] {
    const struct rlimit most { 500'000'000, 500'000'000 };
    setrlimit(RLIMIT_AS, &most);
  };
  const CommandResult run = runCommand(
      {"simulate", "--hardware", "cerebras_like", "--kernel", "gemm", "--directives", "wafer_gemm"},
      around);
  EXPECT_EQ(run.exitCode, 4);
  expectIn(run.err, "gridloom: error: out of memory: ");
  expectIn(run.err, " more were asked for; 476.8 MiB may be used (`ulimit -v`), and ");
}

// LeakSanitizer runs its check in a thread of its own.
TEST(Machine, WithoutThreadsSaysSo) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a user without other processes";
  Surroundings around;
  around.prepare = [] {
    constexpr uid_t kNobody = 65534;
    const struct rlimit most { 1, 1 };
    setrlimit(RLIMIT_NPROC, &most);
    if (setuid(kNobody) != 0) _exit(99);
  };
  const CommandResult run = runCommand(smallGemm("explore", {}), around);
  if (run.exitCode == 127) GTEST_SKIP() << "the program is not for other users";
  EXPECT_EQ(run.exitCode, 4) << run.err;
  expectIn(run.err, "1 processes may run (`ulimit -u`)");
}
#endif

TEST(Machine, AFullDiskIsItsFaultWhereverTheAnswerGoes) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  Surroundings full;
  full.out = "/dev/full";
  for (const auto& arguments :
       {smallGemm("explore", {}), smallGemm("export", {"-f", "json"}),
        smallGemm("simulate", {"--trace", "-"}), std::vector<std::string>{"list", "kernels"}}) {
    const CommandResult run = runCommand(arguments, full);
    EXPECT_EQ(run.exitCode, 4) << arguments.front();
    expectIn(run.err, "cannot write to stdout: No space left on device");
  }
  const CommandResult file = runCommand(smallGemm("explore", {"--json", "/dev/full"}));
  EXPECT_EQ(file.exitCode, 4);
  expectIn(file.err, "cannot write /dev/full: No space left on device");
}

TEST(Machine, AFileSizeLimitLeavesNothing) {
  const TemporaryFolder folder;
  Surroundings around;
  around.out = "/dev/null";
  around.prepare = [] {
    const struct rlimit most { 1024, 1024 };
    setrlimit(RLIMIT_FSIZE, &most);
  };
  const CommandResult run =
      runCommand(smallGemm("explore", {"--json", folder.path("a.json")}), around);
  EXPECT_EQ(run.exitCode, 4) << run.err;
  expectIn(run.err, "a.json: File too large");
  expectIn(run.err, "files may have 1 KiB here (`ulimit -f`)");
  EXPECT_TRUE(folder.names().empty());
}

TEST(Signals, TerminationEndsLikeAnInterruptWithAStatusOfItsOwn) {
  const TemporaryFolder folder;
  const std::string tiny =
      folder.write("tiny.sched", "tile(i, 32) tile(j, 32) tile(k, 32) direct(A) direct(B)");
  const std::vector<std::string> endless{"explore", "--hardware", "wormhole_8x8", "--kernel",
                                         "gemm",    "--set",      "M=32768",      "--set",
                                         "N=32768", "--set",      "K=32768",      "--top",
                                         "1000",    "--simulate", "--directives", tiny};
  // A signal before the work starts ends the process; a slow machine gets more time.
  CommandResult run;
  for (auto wait = 500ms; wait <= 8000ms && run.exitCode != 143; wait *= 4) {
    Surroundings around;
    around.signalAfter = wait;
    around.signal = SIGTERM;
    run = runCommand(endless, around);
  }
  EXPECT_EQ(run.exitCode, 143);
  expectIn(run.err, "interrupted");
}

struct Overwriting : testing::Test {
  TemporaryFolder folder;
  std::string hardware = copied("hwpresets/wormhole_1x8.hw", "own.hw");
  std::string kernel = copied("kernels/gemm.rec", "own.rec");

  std::string copied(const std::string& from, const std::string& to) const {
    return folder.write(to, readFile(std::string(GRIDLOOM_SOURCE_DIR) + "/" + from));
  }
  std::vector<std::string> onOwn(const std::string& verb, std::vector<std::string> more) const {
    std::vector<std::string> all{verb, "--hardware", hardware, "--kernel", kernel, "--set", "M=64"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(Overwriting, AnInputIsRefusedUnderAnyName) {
  fs::create_symlink(hardware, folder.path("soft.json"));
  fs::create_hard_link(kernel, folder.path("hard.csv"));
  const std::string directives = folder.write("own.sched", "tile(i, 32)\n");
  const std::string dots =
      folder.path("../" + fs::path(hardware).parent_path().filename().string() + "/own.sched");
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {onOwn("explore", {"--json", hardware}), "--json would write over "},
      {onOwn("explore", {"--json", folder.path("soft.json")}), "which --hardware reads"},
      {onOwn("export", {"-f", "csv", "-o", folder.path("hard.csv")}), "which --kernel reads"},
      {onOwn("simulate", {"--trace", dots, "-d", directives}), "which --directives reads"},
      {onOwn("explain", {"--json", dots, "-m", directives}), "which --mapping reads"},
      {onOwn("explore", {"--json", kernel, "--baseline", kernel}), "which --baseline reads"},
      {{"count", "-H", "timeloop_2level", "-K", "timeloop_conv1d_oc", "--nest", directives,
        "--json", dots},
       "which --nest reads"},
      {{"replay", "-H", hardware, directives, "--json", dots}, "which replay reads"},
      {onOwn("simulate", {"--json", folder.path("f"), "--trace", folder.path("f")}),
       "--json and --trace would both write"},
      {onOwn("simulate", {"--json", "-", "--trace", "-"}), "cannot both write to stdout"}};
  const std::string before = readFile(hardware) + readFile(kernel) + readFile(directives);
  for (const auto& [arguments, message] : wrong) {
    const CommandResult run = runCommand(arguments);
    EXPECT_EQ(run.exitCode, 2) << message;
    EXPECT_EQ(run.out, "");
    expectIn(run.err, message);
    expectIn(run.err, "help: ");
  }
  EXPECT_EQ(readFile(hardware) + readFile(kernel) + readFile(directives), before);
}

TEST_F(Overwriting, AnEarlierResultIsNoInput) {
  const std::string result = folder.write("a.json", "old");
  EXPECT_EQ(runCommand(onOwn("explore", {"--json", result})).exitCode, 0);
  EXPECT_NE(readFile(result), "old");
}

TEST(TooLarge, IsBadInputForEveryVerb) {
  for (const auto& verb : std::vector<std::vector<std::string>>{{"explore"},
                                                                {"simulate"},
                                                                {"explain"},
                                                                {"export", "-f", "csv"},
                                                                {"export", "-f", "sched"}}) {
    for (const std::vector<std::string>& problem :
         {std::vector<std::string>{"-H", "wormhole_8x8", "-K", "gemm", "-s", "M=1000000", "-s",
                                   "K=1000000"},
          std::vector<std::string>{"-H", "cerebras_like", "-K", "trsm"}}) {
      std::vector<std::string> arguments = verb;
      arguments.insert(arguments.end(), problem.begin(), problem.end());
      const CommandResult run = runCommand(arguments);
      EXPECT_EQ(run.exitCode, 2) << verb.front() << "\n" << run.err;
    }
  }
}

}  // namespace
}  // namespace gridloom::test
