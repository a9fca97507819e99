// SPDX-License-Identifier: Apache-2.0
//
// Schedules of kernels whose tiles depend on each other, do not form a box, go through a shared
// buffer or live in local memory: their texts and the errors in them.
#include <gtest/gtest.h>

#include <random>

#include "mapping/space.h"
#include "schedule/verify.h"
#include "support/problem.h"
#include "support/rounds.h"
#include "support/verified.h"
#include "syntax/directive_parser.h"
#include "syntax/schedule_binder.h"
#include "syntax/schedule_parser.h"
#include "syntax/schedule_printer.h"

namespace gridloom::syntax {
namespace {

using test::Problem;

/// The first mapping under directives, as text.
struct Printed {
  Problem p;
  std::string text;

  Printed(const std::string& mesh, const char* kernel, test::Settings settings,
          const std::string& directives)
      : p(test::makeProblem(mesh, kernel, settings)) {
    const auto asked = parseDirectives(base::makeSource("t.sched", directives));
    if (!asked) throw std::runtime_error(base::render(asked.diagnostics()));
    const auto c = mapping::resolve(*asked, p.kernel, p.nest, p.hw);
    if (!c) throw std::runtime_error(base::render(c.diagnostics()));
    const auto axes =
        mapping::makeAxes(p.kernel, p.nest, p.hw, p.compute.matrixShape, p.compute.vectorLanes, *c);
    const auto m = mapping::sampleMapping(p.kernel, p.nest, p.hw, axes, *c, 1);
    if (!m) throw std::runtime_error("no mapping");
    text = printSchedule(*schedule::lower(p.kernel, p.nest, p.hw, *m), p.kernel, p.nest, p.hw);
  }

  std::string found(const std::string& changed) const {
    auto parsed = parseSchedule(base::makeSource("t.prog", changed));
    if (!parsed) return base::render(parsed.diagnostics());
    const auto bound = bindSchedule(*parsed, p.kernel, p.nest, p.hw);
    if (!bound) return base::render(bound.diagnostics());
    return test::findings(bound->schedule, p, &bound->places);
  }

  void expect(const std::string& in, const std::string& out, const std::string& words) const {
    std::string changed = text;
    const auto at = changed.find(in);
    ASSERT_NE(at, std::string::npos) << in << "\n" << text;
    changed.replace(at, in.size(), out);
    EXPECT_NE(found(changed).find(words), std::string::npos) << out << ": " << found(changed);
  }
  void says(const std::string& words) const {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  }
};

Printed trsm() {
  return {test::smallMesh(2, 2),
          "trsm",
          {{"N", 12}, {"R", 4}},
          "tile(i, 4)\ntile(j, 4)\ntile(r, 2)\nspace(r -> x)\norder(i, j)\n"
          "direct(X@2)\ndirect(B)\ndirect(L)\n"};
}

TEST(ScheduleDomain, WhatIsAwaitedAndWhereStandsInTheText) {
  const Printed t = trsm();
  EXPECT_EQ(t.found(t.text), "");
  t.says("\n  where i >= j + 1 and tile i >= tile j + 1 or tile j == tile i\n");
  t.says("buffer B: input B per i where tile j == tile i, 2 slots");
  t.says("awaits X[j, r] where i >= j + 1 and tile i >= tile j + 1");
  t.says("await \"X@2\"");
}

TEST(ScheduleDomain, SlipsHaveTheirPlace) {
  const Printed t = trsm();
  const std::string where = "where tile j == tile i";
  t.expect("  where i >= j + 1", "  where i >= j",
           "error: other iterations have work in the kernel");
  t.expect("  where i >= j + 1", "  where i >= q + 1", "error: there is no loop `q`");
  t.expect(where, "where tile j == i", "error: an element is not compared with the number of a");
  t.expect(where, "where 3 == 4", "error: a comparison names a loop");
  t.expect(where, "where tile j i", "error: expected `>=`, `<=`");
  t.expect(where, "where tile j >= tile i", "error: other tiles need B in the kernel");
  t.expect("awaits X[j, r]", "awaits X[j - 1, r]", "error: X@2 is read from what the kernel makes");
  t.expect("awaits X[j, r]", "awaits X[j]", "write `awaits X[j, r]`");
  t.expect("awaits X[j, r]", "awaits B[j, r]", "write `awaits X[j, r]`");
  t.expect("awaits X[j, r]", "", "error: X@2 is read from what the kernel makes");
  t.expect("awaits X[j, r]", "awaits X[j, r", "error: expected `]`");
  t.expect("B per i where", "B per i awaits X[j, r] where",
           "error: nothing is to be awaited for B");
  t.expect("await \"X@2\"", "await B", "it awaits tiles of a buffer that reads nothing the kernel");
}

TEST(ScheduleDomain, LoadsWithoutTheirWaitAreRefused) {
  const Printed t = trsm();
  t.expect("await \"X@2\"", "", "it loads tiles of X@2 that may not be stored yet");
}

TEST(ScheduleDomain, EquationsAndAllDirectionsOfComparisonsAreRead) {
  const Printed t = trsm();
  const auto reads = [&](const std::string& as) {
    std::string changed = t.text;
    const std::string in = "where i >= j + 1 and tile i >= tile j + 1 or tile j == tile i\n";
    changed.replace(changed.find(in), in.size(), as + "\n");
    EXPECT_EQ(t.found(changed), "") << as;
  };
  reads("where tile i == tile j or tile j < tile i and j < i");
  reads("where tile i <= tile j and tile j <= tile i or tile j + 1 <= tile i and i > j");
  reads("where tile j == tile i or i - 1 >= j and tile i - 1 >= tile j + 0");
}

Printed triangle() {
  return {test::smallMesh(2, 2),
          "kernel triangle(N = 10) {\n  tensor A[N, N]: f32\n  tensor C[N, N]: f32\n"
          "  C[i, j] = exp(A[i, j]) where i >= 1, j >= i + 1\n}\n",
          {},
          "tile(i, 2)\ntile(j, 2)\nspace(i -> x)\ndirect(A)\n"};
}

TEST(ScheduleDomain, WhatBoundsImplyMayBeLeftOut) {
  const Printed t = triangle();
  EXPECT_EQ(t.found(t.text), "");
  t.says("where i >= 1 and j >= i + 1 and j >= 2 or i == 0 or i >= 1 and i >= j\n");
  std::string changed = t.text;
  const std::string implied = " and j >= 2";
  for (auto at = changed.find(implied); at != std::string::npos; at = changed.find(implied))
    changed.erase(at, implied.size());
  EXPECT_EQ(t.found(changed), "");
  t.expect("and j >= 2", "and j >= 3", "error: other iterations have work in the kernel");
}

TEST(ScheduleDomain, OfAnEmptySumIsReadBack) {
  const Printed t{test::smallMesh(2, 2),
                  "kernel empty(N = 16) {\n  tensor X[N]: f32\n  tensor A[N, N]: f32\n"
                  "  tensor Y[N]: f32\n"
                  "  Y[i] = X[i] + sum(k) A[i, k] where k >= i + 5, k <= i + 2\n}\n",
                  {},
                  "direct(A)\ndirect(X)\n"};
  EXPECT_EQ(t.found(t.text), "");
  t.says("where k <= -1");
}

TEST(ScheduleDomain, TilesThatNothingNeedsMayComeToo) {
  const Printed t = trsm();
  std::string changed = t.text;
  const std::string where = " where tile j == tile i, 2 slots";
  changed.replace(changed.find(where), where.size(), ", 2 slots");
  EXPECT_EQ(t.found(changed), "");
}

Printed stencil() {
  return {test::smallMesh(2, 2),
          "jacobi2d",
          {{"T", 3}, {"N", 8}},
          "tile(t, 1)\ntile(i, 4)\ntile(j, 8)\nspace(i -> x)\ndirect(U@2)\n"};
}

TEST(ScheduleDomain, NeighboursAreRangesAndWhatCameBeforeEndsBeforeTheTile) {
  const Printed t = stencil();
  EXPECT_EQ(t.found(t.text), "");
  t.says("awaits U[t - 1 until t, i - 1 to i + 1, j - 1 to j + 1] where tile t >= 1");
  t.expect("t - 1 until t", "t - 1 to t", "write `awaits U[t - 1 until t, i - 1 to i + 1");
  t.expect("i - 1 to i + 1", "i - 1 to i + 2", "write `awaits U[t - 1 until t");
  t.expect("i - 1 to i + 1", "i to i + 1", "write `awaits U[t - 1 until t");
}

Printed onTheWay() {
  return {test::meshWithSharedBuffer(3, 2),
          "gemm",
          {{"M", 24}, {"N", 24}, {"K", 16}},
          "tile(i, 4)\ntile(j, 4)\ntile(k, 4)\nspace(i -> x)\nspace(j -> y)\n"
          "order(i, j, k)\nbroadcast(A, y)\nvia(A, mid)\nhoist(A, k)\ndirect(B)\n"};
}

TEST(ScheduleDomain, TilesOnTheirWayHaveABufferAndAFeed) {
  const Printed t = onTheWay();
  EXPECT_EQ(t.found(t.text), "");
  t.says("buffer \"A in mid\": shared_input A");
  t.says(": feed to A along y, depth ");
  t.says("load \"A in mid\"");
  t.expect("shared_input A", "middle B", "error: ");
  t.expect("feed to A along y", "multicast to A along y", "error: only a feed reads tiles from");
  t.expect("feed to A along y", "feed to A along x", "error: ");
}

Printed inPlace() {
  return {test::smallMesh(2, 2),
          "gemm",
          {{"M", 16}, {"N", 16}, {"K", 8}},
          "tile(i, 4)\ntile(j, 4)\ntile(k, 4)\nspace(i -> x)\nspace(j -> y)\n"
          "multicast(A, y)\nplace(A, l1)\nplace(C, l1)\ndirect(B)\n"};
}

TEST(ScheduleDomain, TensorsInLocalMemoryHaveRoomThere) {
  const Printed t = inPlace();
  EXPECT_EQ(t.found(t.text), "");
  t.says(" layout local");
  t.says("buffer \"A resident\": resident A, 1 slot of ");
  const auto line = t.text.find("    buffer \"A resident\"");
  const std::string buffer = t.text.substr(line, t.text.find('\n', line) + 1 - line);
  t.expect(buffer, "", "error: A lives in local memory (`layout local`), but no buffer holds its ");
  t.expect("resident A, 1 slot of ", "resident A, 1 slot of 1 B // ",
           "error: a tile of A resident has ");
  t.expect("resident A", "resident B", "error: ");
  t.expect("resident A", "remaining A", "error: there is no output `A`");
  t.expect("resident A,", "resident A layout local,", "only inputs and outputs have a layout");
}

TEST(ScheduleDomain, MutatedTextsAreReadOrRefused) {
  std::mt19937 random(11);
  const std::string pieces = "{}(),:= \n\"0914AB/*-+<>[]";
  for (const Printed& t : {trsm(), stencil(), onTheWay(), inPlace()}) {
    // The header holds all declarations; programs are fuzzed elsewhere.
    const std::size_t head = t.text.find("herd");
    for (int n = 0; n < test::rounds(1500); ++n) {
      std::string text = t.text;
      for (auto edits = 1 + random() % 3; edits-- > 0;) {
        const std::size_t at = random() % head;
        switch (random() % 4) {
        case 0:
          text[at] = pieces[random() % pieces.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 12);
          break;
        case 2:
          text.insert(at, text.substr(random() % head, random() % 24));
          break;
        default:
          text.insert(at, 1, pieces[random() % pieces.size()]);
        }
      }
      auto parsed = parseSchedule(base::makeSource("t.prog", text));
      if (!parsed) continue;
      const auto bound = bindSchedule(*parsed, t.p.kernel, t.p.nest, t.p.hw);
      if (!bound) {
        EXPECT_NE(bound.diagnostics().front().source, nullptr) << text;
        continue;
      }
      const std::string printed = printSchedule(bound->schedule, t.p.kernel, t.p.nest, t.p.hw);
      auto again = parseSchedule(base::makeSource("t.prog", printed));
      ASSERT_TRUE(again) << base::render(again.diagnostics()) << printed;
      const auto rebound = bindSchedule(*again, t.p.kernel, t.p.nest, t.p.hw);
      ASSERT_TRUE(rebound) << base::render(rebound.diagnostics()) << printed;
      EXPECT_EQ(printSchedule(rebound->schedule, t.p.kernel, t.p.nest, t.p.hw), printed);
      schedule::verify(bound->schedule, t.p.kernel, t.p.nest, t.p.hw, &bound->places).diagnostics();
    }
  }
}

}  // namespace
}  // namespace gridloom::syntax
