// SPDX-License-Identifier: Apache-2.0

// Every wrong input a user can give the command: a message that says where and how to mend it, the
// right exit code, nothing on stdout, no crash.

#include <gtest/gtest.h>

#include "support/command.h"

namespace gridloom::test {
namespace {

const std::string kGemm = "kernel gemm(M = 64, N = 64, K = 64) {\n"
                          "  tensor A[M, K]: f16   tensor B[K, N]: f16   tensor C[M, N]: f16\n"
                          "  C[i, j] = sum(k) A[i, k] * B[k, j]\n"
                          "}\n";

struct WrongInput {
  std::string name;
  std::vector<std::string>
      arguments;  ///< `@file` becomes the path of `text` in a folder of its own
  std::string file;
  std::string text;
  std::string message;  ///< part of stderr
  int exitCode = 2;
};

void PrintTo(const WrongInput& wrong, std::ostream* out) { *out << wrong.name; }

WrongInput hardware(std::string name, std::string text, std::string message) {
  return {std::move(name),
          {"explore", "--hardware", "@", "--kernel", "gemm"},
          "wrong.hw",
          std::move(text),
          std::move(message)};
}

WrongInput kernel(std::string name, std::string text, std::string message, int exitCode = 2) {
  return {std::move(name),    {"explore", "--hardware", "wormhole_8x8", "--kernel", "@"},
          "wrong.rec",        std::move(text),
          std::move(message), exitCode};
}

WrongInput directives(std::string name, std::string text, std::string message, int exitCode = 2) {
  return {std::move(name),
          {"explore", "--hardware", "wormhole_8x8", "--kernel", "gemm", "--directives", "@"},
          "wrong.sched",
          std::move(text),
          std::move(message),
          exitCode};
}

/// gemm 64 x 64 x 64 on one core of wormhole_1x8, with one thing replaced.
WrongInput schedule(std::string name, const std::string& from, const std::string& to,
                    std::string message) {
  std::string text = R"(launch gemm(M = 64, N = 64, K = 64) on wormhole_1x8 {
  loop i = 64 by 64
  loop j = 64 by 64
  loop k = 64 by 32
  order k
  segment x = 8 {
    buffer A: input A per k, 2 slots of 4096 B
    buffer B: input B per k, 2 slots of 4096 B
    buffer C: output C, 1 slot of 8192 B
    herd only at (0) {
      mover A { for k { acquire A load A publish A } }
      mover B { for k { acquire B load B publish B } }
      compute { acquire C for k { wait A wait B compute release A release B } publish C }
      writer C { wait C store C release C }
    }
  }
}
)";
  text.replace(text.find(from), from.size(), to);
  return {std::move(name),
          {"simulate", "--hardware", "wormhole_1x8", "--kernel", "gemm", "--set", "M=64", "--set",
           "N=64", "--set", "K=64", "--schedule", "@"},
          "wrong.prog",
          std::move(text),
          std::move(message)};
}

WrongInput mapping(std::string name, std::string text, std::string message) {
  return {std::move(name),
          {"simulate", "--hardware", "wormhole_8x8", "--kernel", "gemm", "--mapping", "@"},
          "wrong.json",
          std::move(text),
          std::move(message)};
}

WrongInput options(std::string name, std::vector<std::string> more, std::string message) {
  std::vector<std::string> all{"explore", "--hardware", "wormhole_8x8", "--kernel", "gemm"};
  all.insert(all.end(), more.begin(), more.end());
  return {std::move(name), std::move(all), "", "", std::move(message)};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

class WrongInputs : public testing::TestWithParam<WrongInput> {};

TEST_P(WrongInputs, AreToldWithTheirPlace) {
  const WrongInput& wrong = GetParam();
  const TemporaryFolder folder;
  const std::string path = wrong.file.empty() ? "" : folder.write(wrong.file, wrong.text);
  std::vector<std::string> arguments = wrong.arguments;
  for (std::string& argument : arguments) {
    if (argument == "@") argument = path;
  }
  const CommandResult run = runCommand(arguments);
  EXPECT_EQ(run.exitCode, wrong.exitCode) << run.err;
  EXPECT_NE(run.err.find(wrong.message), std::string::npos) << run.err;
  if (wrong.exitCode == 2) {
    EXPECT_EQ(run.out, "");
  }
}

std::string nameOf(const testing::TestParamInfo<WrongInput>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Schedules, WrongInputs,
    testing::Values(
        schedule("Word", "publish A", "pulbish A", "wrong.prog:11:42: error: expected a statement"),
        schedule("Extent", "k = 64", "k = 96", "wrong.prog:4:12: error: loop `k` has 64"),
        schedule("Coordinate", "at (0)", "at (8)", "wrong.prog:10:19: error: coordinates along x"),
        schedule("Garbage", "acquire A load A", "acquire A",
                 "wrong.prog:11:35: error: mover of A on core (0) at `publish A`: nothing was"),
        WrongInput{"ScheduleAsMapping",
                   {"simulate", "--hardware", "wormhole_8x8", "--kernel", "gemm", "--mapping", "@"},
                   "wrong.prog",
                   "launch gemm on wormhole_8x8 { }",
                   "this is a schedule, and not a mapping"},
        WrongInput{"MisspeltKernel",
                   {"check", "@"},
                   "wrong.prog",
                   "launch gemn(M = 64) on wormhole_8x8 { }",
                   "wrong.prog:1:8: error: nothing called `gemn` comes along",
                   1},
        schedule("Lost", "store C", "", "wrong.prog:14:26: error: writer of C on core (0)"),
        schedule("Stuck", "publish C", "", "wrong.prog:14:18: error: stuck: writer of C"),
        schedule("TooSmall", "2 slots of 4096", "2 slots of 64", "wrong.prog:7:5: error: a tile")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Hardware, WrongInputs,
    testing::Values(
        hardware("BadUnit",
                 "%x = df.spatial_dim 2\n%m = df.mat { shape = [8, 8, 8], throughput = 64 }\n"
                 "%c = df.core { scaleout = (%x), scalein = (%m, [1]), clock = 1 parsec }\n",
                 "wrong.hw:3:"),
        hardware("ZeroSize", "%x = df.spatial_dim 0\n", "wrong.hw:1:"),
        hardware("NegativeSize", "%x = df.spatial_dim -4\n", "wrong.hw:1:"),
        hardware("NaN", "%x = df.spatial_dim 2\n%l1 = df.memory { scaleout = (%x), size = nan }\n",
                 "wrong.hw:2:"),
        hardware("NotUtf8", "// fine\n%x = df.spatial\xff_dim 8\n",
                 "wrong.hw:2:16: error: this byte is not UTF-8"),
        hardware("Nul", std::string("%x\0 = df", 8), "wrong.hw:1:3: error: this byte is not UTF-8"),
        hardware("Empty", "", "it is empty"), hardware("OnlyBlanks", " \n\t\n", "it is empty")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Kernel, WrongInputs,
    testing::Values(
        kernel("ZeroExtent", replaced(kGemm, "M = 64", "M = 0"), "wrong.rec:1:"),
        kernel("NegativeExtent", replaced(kGemm, "K = 64", "K = -64"), "wrong.rec:1:"),
        kernel("UnknownTensor", replaced(kGemm, "* B[", "* D["), "wrong.rec:3:"),
        kernel("UnknownDType", replaced(kGemm, "A[M, K]: f16", "A[M, K]: f17"), "wrong.rec:2:"),
        kernel("Overflow", replaced(kGemm, "M = 64", "M = 9223372036854775807"), "wrong.rec:"),
        kernel("NotANumber", replaced(kGemm, "M = 64", "M = nan"), "wrong.rec:1:"),
        kernel("Unfinished", "kernel gemm(M = 64", "wrong.rec:"),
        kernel("DeepNesting", replaced(kGemm, "A[i, k] *", std::string(100000, '(') + "A[i, k] *"),
               "wrong.rec:3:")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Directives, WrongInputs,
    testing::Values(directives("UnknownLoop", "tile(q, 64)\n", "wrong.sched:1:6: error:"),
                    directives("UnknownDimension", "\nspace(i->z)\n", "wrong.sched:2:10: error:"),
                    directives("UnknownTensor", "double(Z)\n", "wrong.sched:1:8: error:"),
                    directives("ZeroBlock", "tile(i, 0)\n", "wrong.sched:1:9: error: a tile"),
                    directives("NegativeBlock", "tile(i, -8)\n", "wrong.sched:1:9: error: a tile"),
                    directives("Contradiction", "double(A)\nsingle(A)\n", "wrong.sched:2:"),
                    directives("Garbage", "\"?\" => {{{", "wrong.sched:1:1: error:")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Mapping, WrongInputs,
    testing::Values(
        mapping("NotJson", "{\n  \"mapping\": }", "wrong.json:2:14: error: not JSON"),
        mapping("NoSchema", "{}", "wrong.json:1:1: error: this does not say what it"),
        mapping("OtherSchema", R"({"schema": "gridloom.mapping/9"})",
                "wrong.json:1:12: error: `gridloom.mapping/9` is not a form of mapping"),
        mapping("NoMapping", R"({"schema": "gridloom.mapping/2"})", "`mapping` is missing here"),
        mapping("WrongType", R"({"schema": "gridloom.mapping/2", "mapping": {"block": [1, 2]}})",
                "wrong.json:1:55: error: expected an object"),
        mapping("EmptyTop", R"({"schema": "gridloom.exploration/2", "top": []})",
                "wrong.json:1:45: error: this exploration found no mapping"),
        mapping("UnknownLoop",
                R"({"schema": "gridloom.mapping/2", "mapping": {"block": {"q": 3}}})",
                "error: there is no loop `q` here"),
        mapping("DeepNesting", "{\"mapping\": " + std::string(100000, '['),
                "error: nested deeper than 64 levels")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Options, WrongInputs,
    testing::Values(
        options("ZeroParameter", {"--set", "M=0"}, "--set M=0: a size is at least 1"),
        options("NegativeParameter", {"--set", "M=-1"}, "--set M=-1: a size is at least 1"),
        options("NaNParameter", {"--set", "M=nan"}, "expected a whole number, got `nan`"),
        options("FractionalParameter", {"--set", "M=1.5"}, "expected a whole number"),
        options("HugeParameter", {"--set", "M=1e30"}, "expected a whole number"),
        options("OverflowingParameter", {"--set", "M=9223372036854775808"}, "too large"),
        options("OverflowingTensor", {"--set", "M=9223372036854775807"}, "error:"),
        options("UnknownParameter", {"--set", "Q=3"}, "parameter `Q`"),
        options("NoValue", {"--set", "M"}, "expected a parameter and its value"),
        options("UnknownDType", {"--dtype", "f12"}, "unknown dtype `f12`"),
        options("UnknownMode", {"--mode", "hifi9"}, "hifi9"),
        options("BadTolerance", {"--baseline", "b.json", "--tolerance", "-2%"}, "--tolerance -2%"),
        options("ZeroTop", {"--top", "0"}, "--top"),
        options("BadThreads", {"--threads", "-1"}, "--threads"),
        options("UnknownOption", {"--frobnicate"}, "--frobnicate"),
        options("MissingBaseline", {"--baseline", "/nonexistent.json"}, "there is no such file")),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Places, WrongInputs,
    testing::Values(
        WrongInput{"MissingFile",
                   {"explore", "--hardware", "./none.hw", "--kernel", "gemm"},
                   "",
                   "",
                   "cannot read ./none.hw: there is no such file"},
        WrongInput{"Directory",
                   {"explore", "--hardware", "/", "--kernel", "gemm"},
                   "",
                   "",
                   "cannot read /: it is a directory"},
        WrongInput{"DevNull",
                   {"explore", "--hardware", "wormhole_8x8", "--kernel", "/dev/null"},
                   "",
                   "",
                   "cannot read /dev/null: it is not a regular file"},
        WrongInput{"DevZero",
                   {"simulate", "--hardware", "wormhole_8x8", "--kernel", "gemm", "--mapping",
                    "/dev/zero"},
                   "",
                   "",
                   "it is not a regular file"},
        WrongInput{"NearPreset",
                   {"explore", "--hardware", "wormhole_8x9", "--kernel", "gemm"},
                   "",
                   "",
                   "did you mean `wormhole_8x8`?"},
        options("NearBaseline", {"--directives", "tt_2d_x"}, "did you mean `tt_2d`?"),
        WrongInput{"UnknownVerb", {"explode"}, "", "", "there is no verb `explode`"},
        WrongInput{"NoVerb", {}, "", "", "error"},
        WrongInput{"NoKernel", {"explore", "--hardware", "wormhole_8x8"}, "", "", "--kernel"},
        WrongInput{"UnknownList", {"list", "birds"}, "", "", "there is no list of `birds`"},
        WrongInput{
            "UnknownName", {"show", "birds"}, "", "", "no hardware or kernel is called `birds`"},
        WrongInput{"TooManyValues",
                   {"simulate", "--hardware", "wormhole_8x8", "--kernel", "gemm", "--values"},
                   "",
                   "",
                   "too many to compute one by one"},
        WrongInput{"SumsInSums",
                   {"simulate", "--hardware", "wormhole_8x8", "--kernel", "@", "--values"},
                   "nested.rec",
                   "kernel nested(M = 128, D = 512) {\n  tensor X[M, D]: f32  tensor W[D, M]: f32\n"
                   "  tensor Y[M, M]: f32\n"
                   "  Y[s, n] = sum(d) X[s, d] * (sum(q) X[s, q]) * W[d, n]\n}\n",
                   "sums in sums are computed anew for every term"},
        WrongInput{"FileTooLarge",
                   {"explore", "--hardware", "@", "--kernel", "gemm"},
                   "large.hw",
                   std::string((16U << 20U) + 1, '/'),
                   "larger than 16 MiB"}),
    nameOf);

struct WithoutEffect {
  std::vector<std::string> arguments;
  std::string message;
};

TEST(Options, ThatWouldBeIgnoredAreRefused) {
  const std::vector<std::string> problem{"--hardware", "wormhole_8x8", "--kernel", "gemm"};
  const std::vector<WithoutEffect> wrong{
      {{"explore", "--tolerance", "2%"}, "--tolerance has no effect without --baseline"},
      {{"explore", "--no-timing"}, "--no-timing has no effect without JSON"},
      {{"simulate", "--mapping", "m.json", "--directives", "tt_2d"},
       "--directives has no effect without a search"},
      {{"explain", "--mapping", "m.json", "--directives", "tt_2d"},
       "--directives has no effect without a search"},
      {{"export", "-f", "csv", "--mapping", "m.json"}, "--mapping has no effect where mappings"},
      {{"export", "-f", "json", "--mapping", "m.json"}, "--mapping has no effect where mappings"},
      {{"export", "-f", "sched", "--mapping", "m.json", "--mode", "lofi"},
       "--mode has no effect on this mapping"},
      {{"show", "--space", "--mapping", "m.json"}, "--mapping has no effect without --schedule"},
      {{"export", "-f", "dot", "--table", "cores"}, "--table has no effect without --format csv"},
      {{"export", "-f", "sched", "--top", "2"}, "--top has no effect where one mapping"},
      {{"export", "-f", "csv", "--table", "cores", "--simulate"}, "--simulate has no effect where"},
      {{"simulate", "--mapping", "m.json", "--rerank", "5"},
       "--rerank has no effect without a search for the best mapping"},
      {{"show", "--space", "--rerank", "5"}, "--rerank has no effect without a search for the"},
      {{"explore", "--rerank", "0", "--event-limit", "9"}, "--event-limit has no effect without a"},
      {{"export", "-f", "trace", "--threads", "2"}, "--threads has no effect without a search"},
      {{"export", "-f", "csv", "--no-timing"}, "--no-timing has no effect without JSON"},
  };
  for (const WithoutEffect& each : wrong) {
    std::vector<std::string> arguments = each.arguments;
    arguments.insert(arguments.end(), problem.begin(), problem.end());
    const CommandResult run = runCommand(arguments);
    EXPECT_EQ(run.exitCode, 2) << each.message;
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("error: " + each.message), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("help: "), std::string::npos) << run.err;
  }
  const std::vector<WithoutEffect> alone{
      {{"study", "--csv", "a.csv"}, "--csv has no effect without a study"},
      {{"reproduce", "--threads", "2"}, "--threads has no effect without a search"},
      {{"study", "tl", "--samples", "9"}, "--samples has no effect without a study of the kind"},
      {{"show", "wormhole_8x8", "--set", "M=7"}, "--set has no effect on a hardware description"},
      {{"show", "wormhole_8x8", "--dtype", "f16", "--entry", "up"}, "--entry has no effect on a"},
  };
  for (const WithoutEffect& each : alone) {
    const CommandResult run = runCommand(each.arguments);
    EXPECT_EQ(run.exitCode, 2) << each.message;
    EXPECT_NE(run.err.find("error: " + each.message), std::string::npos) << run.err;
  }
}

TEST(HugeProblem, ATensorOfATrillionElementsIsLargerThanTheMemory) {
  const CommandResult run = runCommand({"explore", "--hardware", "wormhole_8x8", "--kernel", "gemm",
                                        "--set", "M=1000000", "--set", "K=1000000"});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("gemm.rec:"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("holds 12 GiB"), std::string::npos) << run.err;
}

TEST(Messages, AreAtMostFiftyPerRun) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments{"check"};
  for (int file = 0; file < 3; ++file) {
    std::string text;
    for (int line = 0; line < 100; ++line) text += "rotate(A)\n";
    arguments.push_back(folder.write("many" + std::to_string(file) + ".sched", text));
  }
  const CommandResult run = runCommand(arguments);
  EXPECT_EQ(run.exitCode, 1);
  std::size_t errors = 0;
  for (std::size_t at = 0; (at = run.err.find(": error: ", at)) != std::string::npos; ++at) {
    ++errors;
  }
  EXPECT_EQ(errors, 50U);
  EXPECT_NE(run.err.find("gridloom: note: 100 more errors are not shown\n"), std::string::npos);
  EXPECT_NE(run.out.find("many2.sched: 50 errors or more\n"), std::string::npos) << run.out;
}

TEST(BothInputs, AreReportedInOneRun) {
  const CommandResult run = runCommand({"explore", "--hardware", "nowhere", "--kernel", "nothing"});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_NE(run.err.find("no hardware is called `nowhere`"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("no kernel is called `nothing`"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace gridloom::test
