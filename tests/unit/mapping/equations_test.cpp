// SPDX-License-Identifier: Apache-2.0
//
// Dataflow recurrences (Cyclotron: Sundram et al., 2025): the directives that they mean.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "mapping/equation_lowering.h"
#include "support/problem.h"
#include "syntax/directive_parser.h"

namespace gridloom::mapping {
namespace {

using test::makeProblem;
using test::smallMesh;

std::string shipped(const std::string& name) {
  std::ifstream in(std::string(GRIDLOOM_SOURCE_DIR) + "/kernels/directives/" + name + ".sched");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Equations : testing::Test {
  test::Problem gemm = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});
  test::Problem trsm = makeProblem(smallMesh(2, 2), "trsm", {{"N", 128}, {"R", 128}});

  static base::Result<Directives> lowered(const test::Problem& p, const std::string& text) {
    auto parsed = syntax::parseDirectives(base::makeSource("flow.sched", text));
    if (!parsed) return parsed.takeDiagnostics();
    return lowerEquations(*parsed, p.kernel, p.nest, p.hw);
  }

  /// The directives that a text means, sorted: two texts with one normal form pin the same choices.
  static std::string normalForm(const test::Problem& p, const std::string& text) {
    const auto directives = lowered(p, text);
    if (!directives) return render(directives.diagnostics());
    std::vector<std::string> lines;
    for (const Directive& d : directives->list) {
      std::string line = std::to_string(static_cast<int>(d.kind)) + " " + d.subject.text;
      for (const Directive::Name& name : d.names) line += " " + name.text;
      for (const TileSizeRange& size : d.sizes) line += " " + std::to_string(size.least);
      lines.push_back(std::move(line));
    }
    std::ranges::sort(lines);
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  }

  void expectRefused(const test::Problem& p, const std::string& text, const std::string& place,
                     const std::string& reason, const std::string& help) const {
    const auto result = lowered(p, text);
    ASSERT_FALSE(result) << text;
    const std::string error = render(result.diagnostics());
    EXPECT_NE(error.find("flow.sched:" + place), std::string::npos) << text << error;
    EXPECT_NE(error.find(reason), std::string::npos) << text << error;
    EXPECT_NE(error.find(help), std::string::npos) << text << error;
  }
};

TEST_F(Equations, OfProductsMeanTheDirectivesOfTheirDataflows) {
  const std::pair<const char*, const char*> same[] = {
      {"cyclotron_cannon", "stream_2d"},
      {"cyclotron_summa", "tt_2d"},
      {"cyclotron_pumma", "pumma"},
      {"cyclotron_weight_stationary", "weight_stationary_stream"}};
  for (const auto& [equations, directives] : same) {
    EXPECT_EQ(normalForm(gemm, shipped(equations)), normalForm(gemm, shipped(directives)))
        << equations;
  }
}

TEST_F(Equations, OfTheTriangularSolveMeanThoseOfItsDataflows) {
  const std::string made = "\nforwarded(X@2)";
  EXPECT_EQ(normalForm(trsm, shipped("cyclotron_trsm_stream")),
            normalForm(trsm, shipped("trsm_stream") + made));
  // Without the line about X, exactly the file of directives.
  std::string without = shipped("cyclotron_trsm_stream");
  without.erase(without.find("tri.X@2(i, r, j) = diag"));
  EXPECT_EQ(normalForm(trsm, without), normalForm(trsm, shipped("trsm_stream")));
  std::string broadcast = shipped("trsm_stream");
  broadcast.replace(broadcast.find("stream(L, x)"), 12, "multicast(L, x)");
  EXPECT_EQ(normalForm(trsm, shipped("cyclotron_trsm_broadcast")),
            normalForm(trsm, broadcast + made));
  // Kept along all steps: with one row of tiles per element, from before the first iteration.
  std::string kept = shipped("trsm_prefetch");
  kept.replace(kept.find("prefetch(L)"), 11, "hoist(L, j) direct(L)");
  EXPECT_EQ(normalForm(trsm, shipped("cyclotron_trsm_prefetch")), normalForm(trsm, kept + made));
}

TEST_F(Equations, ATileIsBroadcastFirstAndThenKept) {
  EXPECT_EQ(normalForm(trsm, "map (i, r, j) -> (y = i, x = r)\n"
                             "L(i, 0, 0) = L[i, j]\n"
                             "L(i, r, 0) = L(i, 0, 0)\n"
                             "L(i, r, j) = L(i, r, 0)\n"),
            normalForm(trsm, "space(i->y) space(r->x) multicast(L, x) hoist(L, j)"));
}

TEST_F(Equations, OneTextMayHaveBothForms) {
  EXPECT_EQ(normalForm(gemm, "map (i, j, k) -> (x = i)\ntile(i, 8)\n"
                             "A(i, j, k) = A[i, k]\n"
                             "B(0, j, k) = B[k, j]\nB(i, j, k) = B(0, j, k)\n"
                             "C[i, j] = C(0, j, last)\n"),
            normalForm(gemm, "space(i->x) space(->y) tile(i, 8) direct(A) multicast(B, x) "
                             "gather(C, x)"));
  EXPECT_EQ(normalForm(gemm,
                       "map (i, j, k) -> (x = k)\norder(i, j)\n"
                       "C(i, j, 0) = 0\nC(i, j, k) = C(i, j, k - 1) + B(i, j, k) * A(i, j, k)\n"
                       "C[i, j] = C(i, j, last)\n"),
            normalForm(gemm, "space(k->x) space(->y) order(i, j) reduce(C, chain) gather(C)"));
}

TEST_F(Equations, ValuesComeFromSomewhere) {
  const std::string map = "map (i, j, k) -> (y = i, x = j)\n";
  expectRefused(gemm, map + "A(i, 0, k) = A[i, k]", "2:1",
                "where `j` > 0, no equation says where `A` comes from",
                "add `A(i, j, k) = A(i, j - 1, k)`");
  expectRefused(gemm, map + "A(i, j, k) = A(i, j - 1, k)", "2:1", "no point takes `A` from memory",
                "add `A(i, 0, k) = A[i, k]`");
  expectRefused(gemm, map + "A(i, j, k) = A[i, k]\nA(i, j, k) = A(i, 0, k)", "2:1",
                "comes from memory at every `j`", "`A(i, 0, k) = A[i, k]`");
  expectRefused(gemm, map + "A(i, 0, k) = A[k, i]", "2:14", "not this element", "A[i, k]");
  expectRefused(gemm, map + "A(i, 0, k) = A[i, k]\nA(i, 0, k) = A[i, k]", "3:1",
                "a second equation", "keep one");
}

TEST_F(Equations, ValuesMoveAsTheMeshCan) {
  const std::string map = "map (i, j, k) -> (y = i, x = j)\n";
  expectRefused(gemm, map + "A(i, j, k) = A(i - 1, j, k)", "2:16",
                "A[i, k] is another tile at each `i`", "do not index them");
  expectRefused(gemm, map + "A(i, j, k) = A(i, j + 1, k)", "2:19", "travel upwards", "`j - 1`");
  expectRefused(gemm, map + "A(i, j, k) = A(i, j, k)", "2:1", "its own point", "the point before");
  expectRefused(gemm, map + "A(i, j, k) = B(i, j - 1, k)", "2:14", "`A` cannot come from `B`",
                "`A(...)`");
  expectRefused(gemm,
                "map (i, j, k) -> (x = j, y = j)\nA(i, 0, k) = A[i, k]\n"
                "A(i, j, k) = A(i, j - 1, k)",
                "3:1", "pass along one dimension", "A(i, j, k) = A(i, 0, k)");
  expectRefused(trsm,
                "map tri(i, r, j) -> (y = i, x = r)\nmap diag(i, r) -> (y = i, x = r)\n"
                "tri.L(i, r, j) = diag.L(i, r)",
                "3:18", "`L` moves within one space", "other spaces hand over");
  expectRefused(trsm,
                "map tri(i, r, j) -> (y = i, x = r)\nmap diag(i, r) -> (y = i, x = r)\n"
                "tri.X@2(i, r, j) = tri.X@2(i - 1, r, j)",
                "3:1", "goes straight from the element that makes it", "X[j, r]");
  expectRefused(trsm,
                "map tri(i, r, j) -> (y = i, x = r)\nmap diag(i, r) -> (y = i, x = r)\n"
                "tri.X@2(i, r, j) = diag.X(i, r)",
                "3:27", "X[j, r] is not made at this point", "diag.X(j, r)");
}

TEST_F(Equations, SumsStayOrGoOn) {
  const std::string map = "map (i, j, k) -> (y = i, x = k)\n";
  expectRefused(gemm, map + "C(i, j, k) = C(i - 1, j, k)", "2:16", "summed along loops", "C[i, j]");
  expectRefused(gemm, map + "C(i, j, k) = C(i, j, k - 1) + A(i, j - 1, k)", "2:31",
                "multiplies the inputs that it has", "A(i, j, k)");
  expectRefused(gemm, map + "C(i, j, k) = A(i, j, k)", "2:1", "from its own last value",
                "C(i, j, k) = C(i, j, k) + ...");
  expectRefused(gemm, map + "C[i, j] = C(i, j, 0)", "2:19", "where their sum is complete",
                "`last`");
  expectRefused(gemm, map + "C[i, j] = A(i, j, last)", "2:1", "results of the kernel only",
                "`C(...)`");
  expectRefused(gemm, map + "A[i, k] = A(i, last, k)", "2:1", "results of the kernel only", "`C`");
  expectRefused(gemm, map + "C[i, j] = C(i, j, last) + A(i, j, k)", "2:27", "stored as it is",
                "leave the sum out");
  expectRefused(gemm, map + "C[i, j] = C(i, j, last)\nC[i, j] = C(i, j, last)", "3:1",
                "a second equation stores `C`", "keep one");
}

TEST_F(Equations, SumsAreThoseOfTheKernel) {
  const std::string map = "map (i, j, k) -> (y = i, x = j)\n";
  const std::string zero = "C(i, j, 0) = 0\n", product = " + A(i, j, k) * B(i, j, k)";
  const std::string sum = "C(i, j, k) = C(i, j, k - 1)" + product;
  EXPECT_TRUE(lowered(gemm, map + zero + sum));
  expectRefused(gemm, map + zero + "C(i, j, k) = C(i, j, k + 1)" + product, "3:22",
                "from the point before", "`k - 1`");
  expectRefused(gemm, map + zero + "C(i, j, k) = C(i, j, k)" + product, "3:14", "its own point",
                "does not index C[i, j]");
  expectRefused(gemm, map + zero + "C(i, j, last) = C(i, j, k - 1)" + product, "3:9",
                "its own loops", "`C(i, j, k)`");
  expectRefused(gemm, map + "C(i + 1, last, 0) = 0\n" + sum, "2:3", "first point",
                "`C(i, j, 0) = 0`");
  expectRefused(gemm, map + "C(0, j, 0) = 0\n" + sum, "2:3", "first point", "`C(i, j, 0) = 0`");
  expectRefused(gemm, map + "C(i, j, k) = 0\n" + sum, "2:1", "0 at every point",
                "`C(i, j, 0) = 0`");
  expectRefused(gemm, map + zero + "C(i, j, k) = C(i, j, k - 1)", "3:1", "another product",
                "add `A(i, j, k) * B(i, j, k)`");
  expectRefused(gemm, map + zero + "C(i, j, k) = C(i, j, k - 1) + A(i, j, k) * A(i, j, k)", "3:31",
                "another product", "add `A(i, j, k) * B(i, j, k)`");
  expectRefused(gemm, map + sum, "2:1", "no equation says where the sum of `C` begins",
                "add `C(i, j, 0) = 0`");
  expectRefused(gemm, map + zero, "2:1", "no equation adds to the sum of `C`", "leave this one");
  expectRefused(gemm, map + zero + zero + sum, "3:1", "a second equation begins", "keep one");
  expectRefused(gemm, map + zero + sum + "\n" + sum, "4:1", "a second equation sums", "keep one");
  // A sum in the epilogue of a statement, with a window of its own per factor.
  const auto syrk =
      makeProblem(smallMesh(2, 2), "kernel syrk() {\n  tensor A[64, 64]: f32\n"
                                   "  tensor C[64, 64]: f32\n"
                                   "  C[i, j] = 2 * relu(sum(k) A[i, k] * A[j, k])\n}\n");
  EXPECT_TRUE(
      lowered(syrk, map + zero + "C(i, j, k) = C(i, j, k - 1) + A(i, j, k) * A@2(i, j, k)"));
  expectRefused(syrk, map + zero + "C(i, j, k) = C(i, j, k - 1) + A(i, j, k)", "3:31",
                "another product", "A(i, j, k) * A@2(i, j, k)");
  const auto norm =
      makeProblem(smallMesh(2, 2), "kernel norm() {\n  tensor A[64, 64]: f32\n"
                                   "  tensor C[64]: f32\n  C[i] = sum(k) abs(A[i, k])\n}\n");
  expectRefused(norm, "map (i, k) -> (x = i)\nC(i, 0) = 0\nC(i, k) = C(i, k - 1) + A(i, k)", "3:25",
                "no sum of products of inputs along `k`", "`reduce(C, chain)`");
}

TEST_F(Equations, OffsetsBelongToAnElement) {
  const std::string map = "map (i, j, k) -> (y = i, x = j)\n";
  expectRefused(gemm, map + "A(i, 0, k) = A[i + 5, k]", "2:14", "not this element", "A[i, k]");
  expectRefused(gemm, map + "C[i, j] = C(i, j, last)\nB(i, j, k) = B[k, j - 1]", "3:14",
                "not this element", "B[k, j]");
  const auto shift = makeProblem(smallMesh(2, 2), "kernel shift() {\n  tensor A[66]: f32\n"
                                                  "  tensor C[64]: f32\n  C[i] = A[i + 2]\n}\n");
  EXPECT_TRUE(lowered(shift, "map (i) -> (x = i)\nA(i) = A[i + 2]"));
  expectRefused(shift, "map (i) -> (x = i)\nA(i) = A[i]", "2:8", "not this element", "A[i + 2]");
  const auto mean =
      makeProblem(smallMesh(2, 2), "kernel mean() {\n  tensor A[66]: f32\n"
                                   "  tensor C[64]: f32\n  C[i] = A[i] + A[i + 2]\n}\n");
  expectRefused(mean, "map (i) -> (x = i)\nA(i) = A[i + 2]", "2:1",
                "elements with offsets cannot be written as equations yet", "use directives");
  const auto jacobi = makeProblem(smallMesh(2, 2), "jacobi2d", {{"T", 4}, {"N", 32}});
  for (const char* from : {"t - 1", "t"}) {
    expectRefused(jacobi,
                  std::string("map (t, i, j) -> (y = i, x = j)\nU@2(t, i, j) = U(") + from +
                      ", i, j)",
                  "2:1", "elements with offsets cannot be written", "use directives");
  }
}

TEST_F(Equations, MovesAreOfOneTile) {
  const std::string map = "map (i, j, k) -> (y = i, x = j)\n";
  expectRefused(gemm, map + "A(i, 0, k) = A[i, k]\nA(0, j, k) = A(i, j - 1, k)", "3:16",
                "the point at `i` = 0 only", "write `i` on the left");
  expectRefused(gemm, map + "A(i, 0, k) = A[i, k]\nA(0, j, k) = A(0, j - 1, k)", "3:1",
                "where `i` > 0", "`i` on both sides");
  expectRefused(gemm,
                map + "A(i, 0, k) = A[i, k]\nA(i, j, k) = A(i, j - 1, k)\n"
                      "A(i, j, k) = A(i, j - 1, k)",
                "4:1", "a second equation moves `A` along `j`", "keep one");
  expectRefused(gemm, map + "A(i, j, k) = A(i, j - 1, k) + B(i, j, k)", "2:31",
                "nothing is added to `A`", "leave the sum out");
  const std::string spaces = "map tri(i, r, j) -> (y = i, x = r)\n"
                             "map diag(i, r) -> (y = i, x = r)\nmap row(i) -> (y = i)\n";
  expectRefused(trsm, spaces + "tri.X@2(i, r, 0) = diag.X(j, r)", "4:15",
                "every point has its `X@2`", "tri.X@2(i, r, j)");
  expectRefused(trsm, spaces + "tri.X@2(i, r, j) = tri.X(j, r, last)", "4:32",
                "complete in a space without `j`", "`map` of the loops of the result");
  expectRefused(trsm, spaces + "tri.X@2(i, r, j) = row.X(j)", "4:20", "has no loop `r`",
                "points that complete it");
}

TEST_F(Equations, NamesOfSpacesAndLoops) {
  expectRefused(gemm, "A(i, 0, k) = A[i, k]", "1:1", "no `map` names the loops", "map (i, j, k)");
  expectRefused(gemm, "map (i, j, q) -> (x = i)", "1:12", "no loop `q`", "its loops are i, j, k");
  expectRefused(gemm, "map (i, k) -> (x = j)", "1:20", "`j` is no loop of this space", "map (i");
  expectRefused(gemm, "map (i, j, k) -> (x = i)\nA(i, k) = A[i, k]", "2:1",
                "has 3 coordinates, not 2", "in their order");
  expectRefused(gemm, "map (i, j, k) -> (x = i)\nA(j, i, k) = A[i, k]", "2:3",
                "coordinate 1 of this space is `i`, not `j`", "in their order");
  expectRefused(gemm, "map a(i, j, k) -> (x = i)\nmap b(i, j) -> (x = i)\nc.A(i, j, k) = A[i, k]",
                "3:1", "no iteration space `c`", "`a`, `b`");
  expectRefused(gemm, "map a(i, j, k) -> (x = i)\nmap b(i, j) -> (y = i)", "2:1",
                "another space places loop `i` elsewhere", "one place");
  expectRefused(gemm, "map (i, j, k) -> (x = i)\nZ(i, j, k) = Z[i, k]", "2:1", "moves no `Z`",
                "`A`, `B`, `C`");
}

TEST_F(Equations, AreReadWithCare) {
  const std::string map = "map (i, j, k) -> (x = j)\n";
  expectRefused(gemm, map + "A(i, j - 2, k) = A[i, k]", "2:10", "at a distance of 1", "j - 1");
  expectRefused(gemm, map + "A(i, 3, k) = A[i, k]", "2:6", "its loops, `0` or `last`",
                "A(i, 0, k)");
  expectRefused(gemm, map + "A(i, j, k) = 1", "2:14", "begins with 0", "C(i, j, 0) = 0");
  expectRefused(gemm, map + "A(i, j, k) = ", "2:14", "expected a tensor", "A(i, j - 1, k)");
  for (const char* sign : {"+=", "==", "+"}) {
    expectRefused(gemm, map + "C(i, j, k) " + sign + " A(i, j, k)", "2:12", "expected `=`",
                  "A(i, j - 1, k)");
  }
  expectRefused(gemm, "mapp (i, j, k) -> (x = j)", "1:1", "unknown directive `mapp`", "`map`?");
  expectRefused(gemm, "map i -> x", "1:7", "expected `(`", "A(i, j, k)");
  expectRefused(gemm, "map (i, j, k) x", "1:15", "expected `->`", "map (i, j, k)");
}

}  // namespace
}  // namespace gridloom::mapping
