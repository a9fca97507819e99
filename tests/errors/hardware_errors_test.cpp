// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "hardware/topology.h"
#include "syntax/hardware_parser.h"

namespace gridloom {
namespace {

/// What `gridloom check` would say about a description.
base::Diagnostics findingsOf(const std::string& text) {
  auto spec = syntax::parseHardware(base::makeSource("bad.hw", text), "bad");
  if (!spec.ok()) return spec.takeDiagnostics();
  return hardware::makeTopology(*spec).takeDiagnostics();
}

constexpr const char* kGood = R"(%x = df.spatial_dim 4
%y = df.spatial_dim 4
%FPU = df.mat { shape = [32, 32, 32], throughput = { a = 8 flop/cycle } }
%cores = df.core { scaleout = (%x, %y), scalein = (%FPU, [1]) }
%l1 = df.memory { scaleout = (%x, %y), size = 1 KiB, bandwidth = 60 B/cycle }
%h = df.interconnects %cores, %cores { map = affine_map<(d0, d1) -> ((d0 + 1) mod 4, d1)>, bandwidth = 28 B/cycle }
%v = df.interconnects %cores, %cores { map = affine_map<(d0, d1) -> (d0, (d1 + 1) mod 4)>, bandwidth = 28 B/cycle }
%k = df.spatial_dim 2
%dram = df.memory { scaleout = (%k), size = 1 GiB, bandwidth = 30 B/cycle }
%port = df.interconnects %l1, %dram { map = affine_map<(d0, d1) -> (d0 floordiv 2)>, bandwidth = 30 B/cycle }
)";

struct Case {
  const char* name;
  const char* from;  ///< in kGood
  const char* to;
  unsigned line;  ///< of the error; 0 when it has no place of its own
  const char* message;
  const char* hint;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

class HardwareError : public testing::TestWithParam<Case> {};

TEST_P(HardwareError, IsNamedPlacedAndMended) {
  const Case& c = GetParam();
  std::string text = kGood;
  const std::size_t at = text.find(c.from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(c.from).size(), c.to);
  const base::Diagnostics findings = findingsOf(text);
  ASSERT_TRUE(base::hasError(findings));
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const auto& d) {
    return d.severity == base::Severity::Error && d.message.find(c.message) != std::string::npos;
  });
  ASSERT_NE(found, findings.end()) << base::render(findings);
  EXPECT_NE(found->hint.find(c.hint), std::string::npos) << found->hint;
  if (c.line == 0) return;
  EXPECT_EQ(found->source->lineColumn(found->span.begin).line, c.line);
}

const Case kCases[] = {
    {"UnknownOp", "df.core", "df.cor", 4, "unknown operation `df.cor`", "`core`"},
    {"UnknownAttribute", "bandwidth = 60", "bandwith = 60", 5, "unknown attribute `bandwith`",
     "did you mean `bandwidth`?"},
    {"MissingAttribute", "shape = [32, 32, 32], ", "", 3, "`%FPU` has no attribute `shape`",
     "shape ="},
    {"TwiceTheSame", "size = 1 KiB", "size = 1 KiB, size = 2 KiB", 5, "given twice", "keep one"},
    {"WrongUnit", "28 B/cycle", "28 cycle", 6,
     "`bandwidth` wants bytes per cycle or per second, got `28 cycle`", "B/cycle"},
    {"UnknownUnit", "1 KiB", "1 KeB", 5, "`size` wants bytes, got `1 KeB`", "KiB"},
    {"NoClock", "28 B/cycle", "28 GB/s", 6, "needs a clock", "clock = 1 GHz"},
    {"Negative", "28 B/cycle", "-28 B/cycle", 6, "must be more than zero, got -28", ""},
    {"Zero", "60 B/cycle", "0 B/cycle", 5, "must be more than zero, got 0", ""},
    {"NotANumber", "60 B/cycle", "nan", 5, "`bandwidth` wants bytes per cycle", "finite"},
    {"Infinite", "1 KiB", "1e300 TiB", 5, "out of range", "2^62"},
    {"FractionOfAByte", "1 KiB", "1.3 B", 5, "not a whole number of bytes", ""},
    {"SizeOverflows", "1 KiB", "4000000 TiB", 5, "overflows: 16 instances", ""},
    {"HugeNumber", "1 KiB", "99999999999999999999 B", 5, "does not fit into 64 bits", ""},
    {"NegativeDim", "df.spatial_dim 4", "df.spatial_dim -4", 1, "wants an integer from 1", ""},
    {"NoDim", "df.spatial_dim 4", "df.spatial_dim", 1, "`%x` has no size", "df.spatial_dim 8"},
    {"Duplicate", "%y = df", "%x = df", 2, "`%x` is defined twice", "line 1"},
    {"Dangling", "%cores, %cores", "%cores, %corse", 6, "nothing is named `%corse`", "`cores`"},
    {"WrongKind", "scaleout = (%k)", "scaleout = (%FPU)", 9,
     "is a `df.mat`, not a `df.spatial_dim`", ""},
    {"OneOperand", "%cores, %cores", "%cores", 6, "wants two operands", "%l1"},
    {"UnitCounts", "[1])", "[1, 1])", 4, "names 1 units but gives 2 counts", ""},
    {"MapDims", "(d0, d1) -> ((d0 + 1) mod 4, d1)", "(d0) -> (d0, d0)", 6,
     "has 1 dimensions, its source has 2", ""},
    {"MapResults", "((d0 + 1) mod 4, d1)", "(d0)", 6, "has 1 results", ""},
    {"MapJumps", "(d0 + 1) mod 4", "(d0 + 2) mod 4", 6, "not yet supported by routing", "one step"},
    {"MapNotAffine", "(d0 + 1) mod 4", "d0 * d1", 6, "not affine", "number"},
    {"MapUnknownDim", "(d0 + 1) mod 4", "d2", 6, "no dimension `d2`", ""},
    {"MapModZero", "(d0 + 1) mod 4", "d0 mod 0", 6, "positive number", ""},
    {"NoNetwork", "(d0, (d1 + 1) mod 4)", "((d0 - 1) mod 4, d1)", 4,
     "(0, 3) cannot be reached from (0, 0)", "df.interconnects"},
    {"SameWayTwice", "(d0, (d1 + 1) mod 4)", "((d0 + 1) mod 4, d1)", 7,
     "goes the same way as another network", "plane"},
    {"ChannelNotReached", "(d0 floordiv 2)", "(0)", 9, "no core reaches channel 1", ""},
    {"NoCores", "%cores = df.core { scaleout = (%x, %y), scalein = (%FPU, [1]) }", "", 0,
     "nothing is named `%cores`", ""},
    {"AllDisabled", "[1]) }", "[1]), disabled = [(*, *)] }", 4, "every core is disabled", ""},
    {"DisabledOutside", "[1]) }", "[1]), disabled = [(4, 0)] }", 4, "outside the array", "(4, 4)"},
    {"SustainedAbovePeak", "{ a = 8 flop/cycle }",
     "{ a = 8 flop/cycle }, sustained = { a = 9 flop/cycle }", 3, "above its peak", ""},
    {"SustainedMode", "{ a = 8 flop/cycle }",
     "{ a = 8 flop/cycle }, sustained = { b = 7 flop/cycle }", 3, "`throughput` does not: `b`", ""},
    {"ArrayAgainstItsShape", "[32, 32, 32], throughput = { a = 8 flop/cycle }",
     "[1, 32, 32], systolic = weight, throughput = 72 flop/cycle", 3,
     "an array of 32 x 32 does 2048 flop/cycle, not 72", "write `2048 flop/cycle`, or a multiple"},
    {"ArrayAndAHalf", "[32, 32, 32], throughput = { a = 8 flop/cycle }",
     "[8, 8, 1], systolic = output, throughput = { a = 128 flop/cycle, b = 192 flop/cycle }", 3,
     "an array of 8 x 8 does 128 flop/cycle, not 192", ""},
    {"ReadAboveBandwidth", "bandwidth = 30 B/cycle }\n%port",
     "bandwidth = 30 B/cycle, read_bandwidth = 31 B/cycle }\n%port", 9,
     "`read_bandwidth` of `%dram` is 31 B/cycle, more than its `bandwidth` of 30", "raise it"},
    {"WriteAboveBandwidth", "bandwidth = 30 B/cycle }\n%port",
     "bandwidth = 30 B/cycle, write_bandwidth = 60 B/cycle, duplex = yes }\n%port", 9,
     "`write_bandwidth` of `%dram` is 60 B/cycle", "in one direction"},
    {"StripesAboveSize", "size = 1 GiB", "size = 1 KiB, stripes = { parts = 8, size = 256 B }", 9,
     "the `stripes` of `%dram` are 2048 bytes together, more than its `size` of 1024",
     "make them smaller, or fewer"},
    {"PageAboveSize", "size = 1 GiB", "size = 1 KiB, interleave = 2 KiB", 9,
     "`interleave` of `%dram` is 2048 bytes, more than its `size` of 1024", "a page lies in one"},
    {"MulticastAboveLink", "28 B/cycle }", "28 B/cycle, multicast = 29 B/cycle }", 6,
     "`multicast` of `%h` is above", ""},
    {"Multicast", "28 B/cycle }", "28 B/cycle, multicast = maybe }", 6,
     "`yes`, `no` or a bandwidth", ""},
    {"GridWithoutAt", "[1]) }", "[1]), grid = (%x, %y) }", 4, "`grid` needs `at`", ""},
    {"Stray", "%k = df", "$ %k = df", 8, "unexpected character `$`", ""},
    {"OpenBlock", "[1]) }", "[1])", 5, "expected an attribute or `}`", ""},
};

INSTANTIATE_TEST_SUITE_P(All, HardwareError, testing::ValuesIn(kCases),
                         [](const auto& one) { return one.param.name; });

TEST(HardwareErrors, TheDescriptionTheyStartFromIsRight) {
  EXPECT_TRUE(findingsOf(kGood).empty()) << base::render(findingsOf(kGood));
}

TEST(HardwareErrors, SeveralAreReportedInOneRunInTheOrderOfTheText) {
  const base::Diagnostics findings = findingsOf(
      "%x = df.spatial_dim 0\n%c = df.cores { }\n%m = df.memory { size = 1 GHz, bandwidth = -1 }\n"
      "= \n%n = df.memory { sise = 1 B, bandwidth = 1 B/cycle }\n");
  std::vector<unsigned> lines;
  for (const base::Diagnostic& d : findings) {
    lines.push_back(d.source->lineColumn(d.span.begin).line);
  }
  EXPECT_EQ(lines, (std::vector<unsigned>{1, 2, 3, 3, 4, 5})) << base::render(findings);
}

TEST(HardwareErrors, NothingIsAlsoReported) {
  for (const char* text : {"", "// only a comment\n", "module { }", "module"}) {
    EXPECT_TRUE(base::hasError(findingsOf(text))) << text;
  }
}

TEST(HardwareErrors, DeepNestingIsRefused) {
  const std::string deep(100000, '(');
  EXPECT_TRUE(base::hasError(findingsOf("%x = df.core { scaleout = " + deep)));
  EXPECT_TRUE(
      base::hasError(findingsOf("%x = df.mux %a, %b { map = affine_map<(d0) -> (" + deep + "d0")));
}

TEST(HardwareErrors, ConnectionsThatNoRouteUsesAreCheckedToo) {
  const auto findings =
      findingsOf(std::string(kGood) +
                 "%mid = df.memory { scaleout = (%k), size = 1 KiB, bandwidth = 1 B/cycle }\n"
                 "%up = df.interconnects %mid, %dram { map = affine_map<(d0) -> (d0, d0)>, "
                 "bandwidth = 1 B/cycle }\n");
  ASSERT_TRUE(base::hasError(findings));
  EXPECT_EQ(findings[0].message,
            "the map of `%up` has 2 results, its destination has 1 dimensions");
}

TEST(HardwareErrors, AMissingCoreArrayIsNamed) {
  const auto findings = findingsOf("%x = df.spatial_dim 4\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message, "the description has no cores");
}

}  // namespace
}  // namespace gridloom
