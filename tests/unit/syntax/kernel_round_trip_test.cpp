// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "kernel/tile_nest.h"
#include "support/rounds.h"
#include "syntax/kernel_parser.h"
#include "syntax/kernel_printer.h"
#include "syntax/lexer.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::syntax {
namespace {

std::vector<std::filesystem::path> shippedFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(GRIDLOOM_SOURCE_DIR) / "kernels")) {
    if (entry.path().extension() == ".rec") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

base::Result<kernel::KernelGraph> parse(const std::string& text) {
  return parseKernels(base::makeSource("test.rec", text), {});
}

TEST(KernelRoundTrip, ShippedKernelsPrintAsTheyAreWritten) {
  ASSERT_GE(shippedFiles().size(), 16u);
  for (const auto& file : shippedFiles()) {
    const std::string text = kernel::textOfFile(file);
    const auto graph = parse(text);
    ASSERT_TRUE(graph.ok()) << base::render(graph.diagnostics());
    EXPECT_EQ(printKernels(*graph), text) << file;
  }
}

class RandomKernels {
 public:
  explicit RandomKernels(std::uint32_t seed) : m_random(seed) {}

  std::uint32_t below(std::uint32_t limit) {
    return static_cast<std::uint32_t>(m_random() % limit);
  }

  std::string kernel() {
    std::string text = "kernel r(N = 6, M = N + 2) {\n";
    text += "tensor A[N, N]: f32 tensor B[N]: f16 tensor C[N, N]: bf16\n";
    text += "local t[N]: f32 = " + number() + "\n";
    text += "t[i] = t[i - 1] + " + expression("i", 3) + "\n";
    text += "C[i, j] = " + expression("j", 4) + (below(2) == 0 ? "\n" : " where i <= N\n");
    return text + "}\n";
  }

 private:
  std::string number() {
    const char* numbers[] = {"0", "1", "-2.5", "1e-3", "inf", "-inf", "12345678901234567"};
    return numbers[below(7)];
  }
  std::string expression(const std::string& loop, int depth) {
    if (depth == 0) return leaf(loop);
    const std::string a = expression(loop, depth - 1);
    const std::string b = expression(loop, depth - 1);
    switch (below(16)) {
    case 0:
      return a + " + " + b;
    case 1:
      return a + " - (" + b + ")";
    case 2:
      return "(" + a + ") * " + b;
    case 3:
      return a + " / (" + b + ")";
    case 4:
      return "-(" + a + ")";
    case 5:
      return "exp(" + a + ")";
    case 6:
      return "max(" + a + ", " + b + ")";
    case 7:
      return "-" + leaf(loop) + " * " + b;
    case 8:
      return reduction() + leaf("k" + std::to_string(m_reductions++)) + " * " + leaf(loop);
    case 9:
      return "select(" + a + comparison() + b + ", " + a + ", " + b + ")";
    case 10:
      return "(not " + a + " or " + b + ")";
    case 11:
      return "(" + a + comparison() + "(" + b + " and not (" + a + " or i)))";
    case 12:
      return "pow(" + a + ", mod(" + b + ", 3))";
    case 13:
      return "div(" + a + comparison() + b + ", " + leaf(loop) + ")";
    default:
      return leaf(loop);
    }
  }
  std::string comparison() {
    const char* words[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    return words[below(6)];
  }
  std::string reduction() {
    const char* words[] = {"sum", "max", "min", "prod"};
    return std::string(words[below(4)]) + "(k" + std::to_string(m_reductions) + ") ";
  }
  std::string leaf(const std::string& loop) {
    switch (below(5)) {
    case 4:
      return "i";
    case 0:
      return "A[" + loop + ", i]";
    case 1:
      return "B[" + loop + "]";
    case 2:
      return "M";
    default:
      return number();
    }
  }

  std::mt19937 m_random;
  int m_reductions = 0;
};

TEST(KernelRoundTrip, RandomKernels) {
  int legal = 0;
  for (int seed = 0; seed < test::rounds(1000); ++seed) {
    const std::string text = RandomKernels(static_cast<std::uint32_t>(seed)).kernel();
    const auto graph = parse(text);
    if (!graph) continue;
    ++legal;
    const std::string once = printKernels(*graph);
    const auto again = parse(once);
    ASSERT_TRUE(again.ok()) << text << once << base::render(again.diagnostics());
    ASSERT_EQ(printKernels(*again), once) << text;
    for (std::size_t s = 0; s < graph->kernels[0].statements.size(); ++s) {
      const auto& a = graph->kernels[0].statements[s];
      const auto& b = again->kernels[0].statements[s];
      ASSERT_EQ(a.expr.size(), b.expr.size()) << text;
      for (std::size_t n = 0; n < a.expr.size(); ++n) {
        ASSERT_EQ(a.expr[n].op, b.expr[n].op) << text;
        ASSERT_EQ(a.expr[n].lhs, b.expr[n].lhs) << text;
        ASSERT_EQ(a.expr[n].rhs, b.expr[n].rhs) << text;
        ASSERT_EQ(a.expr[n].other, b.expr[n].other) << text;
        ASSERT_EQ(a.expr[n].constant, b.expr[n].constant) << text;
      }
    }
  }
  EXPECT_GT(legal, test::rounds(200));
}

// Deletes, duplicates, swaps or replaces one token.
std::string mutated(const std::string& text, const TokenText& tokens, std::mt19937& random) {
  const auto pick = [&] { return tokens.tokens[random() % (tokens.tokens.size() - 1)].span; };
  const base::Span at = pick();
  const base::Span other = pick();
  const std::string word = text.substr(other.begin, other.end - other.begin);
  const char* strays[] = {"0",      "-1",  "9223372036854775807",
                          "(",      "[",   "}",
                          "where",  "nan", "\xff",
                          "kernel", "i",   "1e308",
                          "/",      "==",  "local"};
  std::string out = text;
  switch (random() % 4) {
  case 0:
    return out.erase(at.begin, at.end - at.begin);
  case 1:
    return out.insert(at.begin, " " + word + " ");
  case 2:
    return out.replace(at.begin, at.end - at.begin, word);
  default:
    return out.replace(at.begin, at.end - at.begin, strays[random() % 15]);
  }
}

TEST(KernelFuzz, MutatedTokensEndInAKernelOrInLocatedErrors) {
  std::mt19937 random(5);
  int accepted = 0;
  for (const auto& file : shippedFiles()) {
    const std::string original = kernel::textOfFile(file);
    for (int round = 0; round < test::rounds(160); ++round) {
      std::string text = original;
      for (auto edits = 1 + random() % 2; edits > 0; --edits) {
        const TokenText tokens = lex(base::makeSource("t", text));
        if (tokens.tokens.size() > 1) text = mutated(text, tokens, random);
      }
      const auto graph = parse(text);
      if (!graph) {
        for (const auto& d : graph.diagnostics()) {
          ASSERT_FALSE(d.message.empty());
          ASSERT_LE(d.span.end, text.size()) << d.message;
        }
        ASSERT_FALSE(base::render(graph.diagnostics()).empty());
        continue;
      }
      ++accepted;
      for (const kernel::Kernel& k : graph->kernels) {
        ASSERT_GE(kernel::flopCount(k), 0);
        ASSERT_GT(kernel::compulsoryBytes(k).value, 0);
        const auto nest = kernel::tileNest(k);
        ASSERT_TRUE(nest.ok() || base::hasError(nest.diagnostics()));
      }
      const std::string once = printKernels(*graph);
      const auto again = parse(once);
      ASSERT_TRUE(again.ok()) << text << once << base::render(again.diagnostics());
      ASSERT_EQ(printKernels(*again), once);
    }
  }
  EXPECT_GT(accepted, test::rounds(60));
}

}  // namespace
}  // namespace gridloom::syntax
