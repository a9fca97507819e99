// SPDX-License-Identifier: Apache-2.0
// Loops that are reduced and free again, dealt to cores in shares: random legal mappings have the
// right values, move what they must, take the time that the model says, and survive their text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "cost/model.h"
#include "mapping/all_reduce.h"
#include "mapping/partials.h"
#include "schedule/verify.h"
#include "search/search.h"
#include "simulate/simulation.h"
#include "support/line_check.h"
#include "support/problem.h"
#include "support/verified.h"
#include "syntax/schedule_binder.h"
#include "syntax/schedule_parser.h"
#include "syntax/schedule_printer.h"

namespace gridloom::all_reduce_property {
namespace {

using mapping::LoopId;
using test::makeProblem;
using test::Problem;

// Two loops with shares, a result over one of them alone, and one over both.
const char* const kPlanes =
    "kernel planes(B = 5, M = 7, N = 9) {\n"
    "  tensor X[B, M, N]: f16\n tensor Y[B, M, N]: f16\n local r[B, M]: f32\n local t[B]: f32\n"
    "  r[b, i] = max(j) X[b, i, j]\n"
    "  t[b] = sum(i, j) abs(X[b, i, j] - r[b, i])\n"
    "  Y[b, i, j] = (X[b, i, j] - r[b, i]) / (1 + t[b])\n}\n";
// Several sums of one statement, with a finish; one factor that is applied behind a sum.
const char* const kMoments = "kernel moments(M = 11, N = 13) {\n"
                             "  tensor X[M, N]: f16\n tensor c[M]: f16\n tensor Y[M, N]: f32\n"
                             "  local v[M]: f32\n local s[M]: f32\n"
                             "  v[i] = (sum(j) X[i, j] * X[i, j]) / N - (sum(j) X[i, j]) / N\n"
                             "  s[i] = sum(j) X[i, j] * c[i]\n"
                             "  Y[i, j] = X[i, j] * rsqrt(abs(v[i]) + 1) + s[i]\n}\n";
// A free loop that the results do not have; two outputs; a minimum.
const char* const kWide =
    "kernel wide(M = 5, N = 10, K = 3) {\n"
    "  tensor X[M, N]: f16\n tensor W[K]: f16\n tensor Y[M, N, K]: f16\n tensor Z[M, N]: f16\n"
    "  local m[M]: f32\n"
    "  m[i] = min(j) X[i, j]\n"
    "  Y[i, j, k] = (X[i, j] - m[i]) * W[k]\n"
    "  Z[i, j] = exp(m[i] - X[i, j])\n}\n";
// Nothing but the reduced loop.
const char* const kLine = "kernel line(N = 23) {\n"
                          "  tensor x[N]: f16\n tensor y[N]: f16\n local t[1]: f32\n"
                          "  t[0] = sum(j) x[j] * x[j]\n"
                          "  y[j] = x[j] / t[0]\n}\n";

struct Case {
  const char* name;
  const char* kernel;
  test::Settings settings;
};

const Case kCases[] = {
    {"softmax", "softmax", {{"M", 11}, {"N", 22}}},
    {"layernorm", "layernorm", {{"M", 9}, {"N", 26}}},
    {"planes", kPlanes, {}},
    {"moments", kMoments, {}},
    {"wide", kWide, {}},
    {"line", kLine, {}},
};

// Links in one direction only, closed to rings.
std::string rings(int columns, int rows) {
  std::string text = test::smallMesh(columns, rows);
  text = std::regex_replace(text, std::regex("%(west|north) =[^\n]*\n"), "");
  text = std::regex_replace(text, std::regex("\\(d0 \\+ 1, d1\\)"),
                            fmt::format("((d0 + 1) mod {}, d1)", columns));
  return std::regex_replace(text, std::regex("\\(d0, d1 \\+ 1\\)"),
                            fmt::format("(d0, (d1 + 1) mod {})", rows));
}

std::string withoutMulticast(const std::string& text) {
  return std::regex_replace(text, std::regex("sync = 5 cycle"), "sync = 5 cycle, multicast = no");
}

std::vector<LoopId> loopsInShares(const Problem& p) {
  std::vector<LoopId> loops;
  for (const auto& whole : p.nest.whole) {
    if (whole.inShares) loops.push_back(whole.loop);
  }
  return loops;
}

// Such loops on the dimensions of a mask; which ones, and what the others carry, by the number.
std::optional<mapping::Mapping> dealt(const Problem& p, mapping::DimMask along,
                                      std::uint64_t seed) {
  mapping::Constraints c;
  const std::vector<LoopId> loops = loopsInShares(p);
  for (int d = 0; d < static_cast<int>(p.hw.dims().size()); ++d) {
    if ((along >> d & 1) != 0) c.space[d] = loops[(seed >> d) % loops.size()];
  }
  return test::sampled(p, c, seed);
}

std::string textOf(const Problem& p, const mapping::Mapping& m) {
  return mapping::describe(p.kernel, p.nest, p.hw, m);
}

void expectRoundTrip(const Problem& p, const mapping::Mapping& m) {
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, m);
  ASSERT_TRUE(schedule);
  const std::string text = syntax::printSchedule(*schedule, p.kernel, p.nest, p.hw);
  const auto parsed = syntax::parseSchedule(base::makeSource("t.prog", text));
  ASSERT_TRUE(parsed) << base::render(parsed.diagnostics());
  const auto bound = syntax::bindSchedule(*parsed, p.kernel, p.nest, p.hw);
  ASSERT_TRUE(bound) << base::render(bound.diagnostics()) << text;
  EXPECT_EQ(bound->schedule.mapping, m) << textOf(p, m);
  EXPECT_EQ(syntax::printSchedule(bound->schedule, p.kernel, p.nest, p.hw), text);
}

void expectSameDirectives(const Problem& p, const mapping::Mapping& m) {
  const std::string text = mapping::printDirectives(p.kernel, p.nest, p.hw, m);
  for (std::size_t r = 0; r < m.allReduces.size(); ++r) {
    const std::string line = fmt::format("reduce({},", p.nest.allReduces[r].name);
    EXPECT_EQ(text.find(line) != std::string::npos,
              m.allReduces[r] != mapping::ReductionTopology::None);
  }
}

class AllReduce : public testing::TestWithParam<Case> {
 protected:
  static void run(const std::string& hardware, mapping::DimMask along, std::uint64_t seeds) {
    const Problem p = makeProblem(hardware, GetParam().kernel, GetParam().settings);
    ASSERT_FALSE(p.nest.allReduces.empty());
    const test::LineCheck line(p);
    int checked = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const auto m = dealt(p, along, seed);
      if (!m) continue;
      const auto ran = line.run(*m);
      ASSERT_TRUE(ran) << "seed " << seed;
      EXPECT_FALSE(mapping::splitAllReduces(p.nest, *m).empty());
      const double read = ran->simulated.traffic.dramRead;
      EXPECT_NEAR(ran->predicted.traffic.dramRead, read, 1e-6 * read) << textOf(p, *m);
      double terms = 0;
      for (const cost::Term& term : ran->predicted.terms) terms += term.cycles;
      EXPECT_NEAR(terms, ran->predicted.cycles, 1e-9 * terms) << textOf(p, *m);
      expectRoundTrip(p, *m);
      expectSameDirectives(p, *m);
      if (testing::Test::HasFailure()) return;
      ++checked;
    }
    EXPECT_GT(checked, static_cast<int>(seeds) / 4) << p.kernel.name;
  }
};

TEST_P(AllReduce, AlongOneOfTwoDimensions) {
  run(test::smallMesh(2, 3, 3), 1, 12);
  run(test::smallMesh(4, 2), 1, 12);
  run(test::smallMesh(3, 5), 2, 12);
}
TEST_P(AllReduce, AlongBothDimensions) {
  run(test::smallMesh(2, 2), 3, 12);
  run(test::smallMesh(3, 4, 3), 3, 15);
}
TEST_P(AllReduce, WithoutMulticast) { run(withoutMulticast(test::smallMesh(3, 4)), 3, 15); }
TEST_P(AllReduce, AroundATorus) { run(rings(3, 4), 3, 12); }
TEST_P(AllReduce, AroundATorusWithoutMulticast) { run(withoutMulticast(rings(4, 3)), 3, 12); }
TEST_P(AllReduce, WithAMemoryOnTheWay) {
  run(test::meshWithSharedBuffer(3, 2, 1 << 16, 8192), 1, 12);
}
TEST_P(AllReduce, WithFewDmaChannels) { run(test::withDma(test::smallMesh(3, 2), 1, 1), 1, 12); }
TEST_P(AllReduce, InSharedMemories) {
  run(test::withSharedMemories(test::smallMesh(3, 2), "x"), 3, 12);
}

INSTANTIATE_TEST_SUITE_P(Kernels, AllReduce, testing::ValuesIn(kCases),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

// Iterations repeat, with all meetings in them: skipped ones change nothing.
TEST(AllReduces, SkippingChangesNothing) {
  const Case cases[] = {{"softmax", "softmax", {{"M", 160}, {"N", 60}}},
                        {"layernorm", "layernorm", {{"M", 131}, {"N", 48}}}};
  double skipped = 0;
  for (const auto& [name, kernel, settings] : cases) {
    const Problem p = makeProblem(test::smallMesh(3, 2), kernel, settings);
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
      const auto m = dealt(p, static_cast<mapping::DimMask>(1 + seed % 3), seed);
      if (!m) continue;
      const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, *m);
      ASSERT_TRUE(schedule);
      base::Progress one, two;
      simulate::Options full;
      full.full = true;
      const auto whole = simulate::simulate(test::verified(*schedule, p), full, one);
      const auto part = simulate::simulate(test::verified(*schedule, p), {}, two);
      ASSERT_TRUE(whole && part);
      EXPECT_EQ(part->cycles, whole->cycles) << textOf(p, *m);
      EXPECT_EQ(part->events, whole->events) << textOf(p, *m);
      EXPECT_EQ(part->coreStates, whole->coreStates) << textOf(p, *m);
      EXPECT_EQ(one.done(), one.total());
      EXPECT_EQ(two.done(), two.total());
      skipped += part->skipped;
    }
  }
  EXPECT_GT(skipped, 0);
}

TEST(AllReduces, PredictedIsNearSimulated) {
  const Case cases[] = {{"softmax", "softmax", {{"M", 64}, {"N", 2048}}},
                        {"layernorm", "layernorm", {{"M", 64}, {"N", 1024}}}};
  for (const auto& [name, kernel, settings] : cases) {
    const Problem p = makeProblem(test::smallMesh(4, 4, 4, 1 << 20), kernel, settings);
    for (const mapping::DimMask along : {1u, 2u, 3u}) {
      std::vector<mapping::Mapping> mappings;
      for (std::uint64_t seed = 0; seed < 60; ++seed) {
        if (auto m = dealt(p, along, seed)) mappings.push_back(*std::move(m));
      }
      const test::Agreement agreement = test::agreementOf(p, mappings);
      EXPECT_GT(agreement.mappings, 20);
      EXPECT_LT(agreement.error, 0.15) << name << " " << along << " " << agreement.mappings;
    }
  }
}

TEST(AllReduces, TheSearchFindsWhatExhaustionFinds) {
  const Case cases[] = {{"softmax", "softmax", {{"M", 16}, {"N", 64}}},
                        {"layernorm", "layernorm", {{"M", 8}, {"N", 32}}},
                        {"planes", kPlanes, {{"B", 2}, {"M", 4}, {"N", 8}}}};
  for (const auto& [name, kernel, settings] : cases) {
    const Problem p = makeProblem(test::smallMesh(2, 2, 2, 16384), kernel, settings);
    test::expectExactSearch(p, {}, 10);
    mapping::Constraints c;
    for (int d = 0; d < 2; ++d) c.space[d] = loopsInShares(p).front();
    test::expectExactSearch(p, c, 10);
  }
}

// Schedules in which a core misses a meeting, or leaves it early, are refused.
TEST(AllReduces, BrokenMeetingsAreFound) {
  const Problem p = makeProblem(test::smallMesh(4, 1), "softmax", {{"M", 4}, {"N", 16}});
  mapping::Constraints c;
  c.space[0] = loopsInShares(p).front();
  c.allReduces[0] = c.allReduces[1] = mapping::ReductionTopology::Chain;
  const auto m = test::sampled(p, c, 2);
  ASSERT_TRUE(m);
  const auto schedule = schedule::lower(p.kernel, p.nest, p.hw, *m);
  ASSERT_TRUE(schedule);
  const std::string text = syntax::printSchedule(*schedule, p.kernel, p.nest, p.hw);
  const auto expectError = [&](const std::string& from, const std::string& to,
                               const std::string& message) {
    std::string broken = std::regex_replace(text, std::regex(from), to);
    ASSERT_NE(broken, text) << from;
    std::string found;
    if (const auto parsed = syntax::parseSchedule(base::makeSource("t.prog", broken)); !parsed) {
      found = base::render(parsed.diagnostics());
    } else if (const auto bound = syntax::bindSchedule(*parsed, p.kernel, p.nest, p.hw); !bound) {
      found = base::render(bound.diagnostics());
    } else {
      found = test::findings(bound->schedule, p, &bound->places);
    }
    EXPECT_NE(found.find(message), std::string::npos) << found;
  };
  expectError("(wait|release) \"m total\"\n", "", "uses the total of m without a slot of it");
  expectError("acquire \"m contribution\"\n|publish \"m contribution\"\n", "",
              "uses its contribution to m without a slot of it");
  expectError("compute until m\n", "", "a part of the iteration is left out before it");
  expectError("compute until m\n", "compute until m\n compute until m\n", "a second time");
  expectError("compute until m\n", "compute until e\n",
              "there is no local tensor to reduce together `e`");
  expectError("to \"m reduce x\"\n", "to \"m back x\"\n", "would be lost");
  expectError("reduce \"m contributed\"\n", "",
              "the partial result in m contributed is not reduced");
  expectError("send \"m contribution\" to \"m reduce x\"\n",
              "send \"m contribution\" to \"m reduce x\"\n"
              "send \"m contribution\" to \"m reduce x\"\n",
              "sent twice");
}

// What keeps a loop from being dealt in shares is said.
TEST(AllReduces, WhatCannotBeDealtSaysWhy) {
  const auto reasonFor = [](const std::string& body) {
    const Problem p =
        makeProblem(test::smallMesh(2, 2), "kernel k(M = 6, N = 8) {\n" + body + "}\n");
    EXPECT_TRUE(p.nest.allReduces.empty());
    for (const auto& whole : p.nest.whole) {
      EXPECT_FALSE(whole.inShares);
      if (!whole.noShares.empty()) {
        return mapping::whyNotInSpace(p.kernel, p.nest, whole.loop).value_or("it can");
      }
    }
    return std::string("none is reduced and free");
  };
  const auto expectReason = [&](const std::string& body, const std::string& reason) {
    EXPECT_NE(reasonFor(body).find("nor dealt in shares: " + reason), std::string::npos)
        << reasonFor(body);
  };
  const std::string rows = "  tensor X[M, N]: f16\n tensor Y[M, N]: f16\n local m[M]: f32\n";
  expectReason(rows + "  tensor L[M]: f32\n"
                      "  m[i] = max(j) X[i, j]\n  Y[i, j] = X[i, j] - m[i]\n  L[i] = m[i]\n",
               "output `L` does not run over j");
  expectReason(rows + "  tensor L[M]: f32\n"
                      "  m[i] = max(j) X[i, j]\n  Y[i, j] = X[i, j] - m[i]\n"
                      "  L[i] = sum(j) X[i, j] * m[i]\n",
               "output `L` is reduced over j");
  expectReason(rows + "  local c[M, N]: f32 = 0\n  m[i] = max(j) X[i, j]\n"
                      "  c[i, j] = c[i, j - 1] + X[i, j]\n  Y[i, j] = c[i, j] / m[i]\n",
               "something runs along j");
  expectReason("  tensor X[M, N]: f16\n tensor Z[M, M]: f16\n tensor Y[M, N, M]: f16\n"
               "  local l[M]: f32\n  l[i] = (sum(j) X[i, j]) + (sum(k) Z[i, k])\n"
               "  Y[i, j, k] = X[i, j] * Z[i, k] + l[i]\n",
               "`l` also reduces what");
  expectReason(rows + "  m[i] = max(j) X[i, j]   where j <= i\n  Y[i, j] = X[i, j] - m[i]\n",
               "the domain of `m` is bounded");
  expectReason(rows + "  local t[1]: f32\n  t[0] = max(i) (sum(j) X[i, j])\n"
                      "  Y[i, j] = X[i, j] - t[0]\n",
               "`t` reduces inside of another reduction");
}

// Few long rows: one core has no room for a row, and all cores together are fastest.
TEST(AllReduces, LongRowsAreDealtBecauseThatIsFaster) {
  const Problem p =
      makeProblem(test::smallMesh(4, 4, 4, 1 << 18), "softmax", {{"M", 4}, {"N", 4096}});
  base::Progress progress;
  const auto best = search::topK(p.kernel, p.nest, p.hw, {}, {}, progress);
  ASSERT_TRUE(best);
  EXPECT_FALSE(mapping::splitAllReduces(p.nest, best->top.front().mapping).empty())
      << textOf(p, best->top.front().mapping);
}

}  // namespace
}  // namespace gridloom::all_reduce_property
