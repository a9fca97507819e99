// SPDX-License-Identifier: Apache-2.0

// Texts far beyond what anyone writes: one message with its place, the limit and what to do, found
// before any work.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "syntax/directive_parser.h"
#include "syntax/hardware_parser.h"
#include "syntax/kernel_parser.h"
#include "syntax/limits.h"
#include "syntax/nest_parser.h"
#include "syntax/schedule_parser.h"

namespace gridloom::syntax {
namespace {

using Parse = std::function<base::Diagnostics(base::SourceRef)>;

const Parse kHardware = [](base::SourceRef text) {
  return parseHardware(std::move(text), "h").takeDiagnostics();
};
const Parse kKernels = [](base::SourceRef text) {
  return parseKernels(std::move(text), {}).takeDiagnostics();
};
const Parse kDirectives = [](base::SourceRef text) {
  return parseDirectives(std::move(text)).takeDiagnostics();
};
const Parse kNest = [](base::SourceRef text) {
  return parseNest(std::move(text)).takeDiagnostics();
};
const Parse kSchedule = [](base::SourceRef text) {
  return parseSchedule(std::move(text)).takeDiagnostics();
};

std::string repeated(int count, const std::function<std::string(int)>& part) {
  std::string out;
  for (int i = 0; i < count; ++i) out += part(i);
  return out;
}

struct Beyond {
  std::string name;
  Parse parse;
  std::string text;
  std::string message;  ///< `line:column: message`
};

void PrintTo(const Beyond& beyond, std::ostream* out) { *out << beyond.name; }

std::string indices(int count) {
  return repeated(count, [](int i) { return fmt::format("{}i{}", i == 0 ? "" : ", ", i); });
}

std::string kernelOf(const std::string& body) {
  return "kernel k(N = 8) {\ntensor A[N]: f32 tensor C[N]: f32\n" + body + "\n}\n";
}

const std::vector<Beyond> kBeyond{
    {"Loops", kKernels, kernelOf("C[i] = sum(" + indices(20000) + ") A[i]"),
     "3:157: kernel `k` has more than 32 loops"},
    {"LoopsOfConstraints", kKernels,
     kernelOf(repeated(40, [](int i) { return fmt::format("C[c{}] = A[c{}]\n", i, i); })),
     "35:3: kernel `k` has more than 32 loops"},
    {"Kernels", kKernels,
     repeated(5000,
              [](int i) {
                return fmt::format(
                    "kernel k{}(N = 8) {{ tensor A[N]: f32 tensor C{}[N]: f32 C{}[i] = A[i] }}\n",
                    i, i, i);
              }),
     "257:1: the text has more than 256 kernels"},
    {"Parameters", kKernels,
     "kernel k(" +
         repeated(5000, [](int i) { return fmt::format("{}P{} = 1", i ? ", " : "", i); }) + ") { }",
     "1:1900: kernel `k` has more than 200 parameters"},
    {"Tensors", kKernels,
     kernelOf(repeated(5000, [](int i) { return fmt::format("tensor T{}[N]: f32\n", i); })),
     "401:8: kernel `k` has more than 400 tensors"},
    {"Dimensions", kKernels,
     kernelOf("tensor T[1" + repeated(5000, [](int) { return std::string(", 1"); }) + "]: f32"),
     "3:106: more than 32 dimensions"},
    {"Indices", kKernels,
     kernelOf("C[0" + repeated(5000, [](int) { return std::string(", 0"); }) + "] = A[0]"),
     "3:99: more than 32 indices"},
    {"LongIndex", kKernels,
     kernelOf("C[i] = A[1" + repeated(5000, [](int) { return std::string("*1"); }) + "]"),
     "3:2010: this is too long"},
    {"Components", kHardware,
     repeated(100000, [](int) { return std::string("%x = df.spatial_dim 8\n"); }),
     "1001:1: the description has more than 1000 components"},
    {"Attributes", kHardware,
     "%x = df.memory { " + repeated(1000, [](int) { return std::string("size = 1 B, "); }) + " }\n",
     "1:786: more than 64 attributes of one operation"},
    {"Lines", kHardware,
     repeated(700000, [](int) { return std::string("%x = df.spatial_dim 8\n"); }),
     "174763:20: the text has more than 1048576 words and signs"},
    {"Comments", kHardware, repeated(1100000, [](int) { return std::string("//\n"); }),
     "1048577:3: the text has more than 1048576 words and signs"},
    {"LongName", kDirectives, "tile(" + std::string(1000000, 'a') + ", 8)",
     "1:6: this name has 1000000 characters"},
    {"Directives", kDirectives, repeated(100000, [](int) { return std::string("double(A)\n"); }),
     "1001:1: more than 1000 directives"},
    {"Names", kDirectives, "order(" + indices(5000) + ")",
     "1:317: more than 64 names in one directive"},
    {"Sizes", kDirectives, "tile(i" + repeated(5000, [](int) { return std::string(", 8"); }) + ")",
     "1:3009: more than 1000 tile sizes in one directive"},
    {"NestDirectives", kNest, repeated(100000, [](int) { return std::string("level(A)\n"); }),
     "1001:1: more than 1000 directives"},
    {"Bypass", kNest, "bypass(" + indices(5000) + ")",
     "1:318: more than 64 names in one directive"},
    {"Buffers", kSchedule,
     "launch k on h { segment x = 1 {\n" +
         repeated(5000,
                  [](int i) { return fmt::format("buffer b{}: input A, 1 slot of 8 B\n", i); }) +
         "} }",
     "1002:1: more than 1000 buffers, channels, tokens or herds"},
    {"Statements", kSchedule,
     "launch k on h { segment x = 1 { herd h at (0) { mover A {\n" +
         repeated(150000, [](int) { return std::string("load A\n"); }) + "} } } }",
     "100001:1: more than 100000 statements"},
};

class Limits : public testing::TestWithParam<Beyond> {};

TEST_P(Limits, AreOneMessageWithItsPlace) {
  const base::Diagnostics findings = GetParam().parse(base::makeSource("test", GetParam().text));
  ASSERT_EQ(findings.size(), 1U) << base::render(findings);
  const auto at = findings[0].source->lineColumn(findings[0].span.begin);
  EXPECT_EQ(fmt::format("{}:{}: {}", at.line, at.column, findings[0].message), GetParam().message);
  EXPECT_FALSE(findings[0].hint.empty());
}

INSTANTIATE_TEST_SUITE_P(All, Limits, testing::ValuesIn(kBeyond),
                         [](const auto& one) { return one.param.name; });

TEST(Limits, ATextAtThemIsRead) {
  std::string directives;
  for (std::size_t i = 0; i < kMaxDirectives; ++i) directives += "double(A)\n";
  EXPECT_TRUE(kDirectives(base::makeSource("test", directives)).empty());
  const base::Diagnostics loops =
      kKernels(base::makeSource("test", kernelOf("C[i] = sum(" + indices(31) + ") A[i]")));
  EXPECT_EQ(base::render(loops).find("more than"), std::string::npos) << base::render(loops);
}

}  // namespace
}  // namespace gridloom::syntax
