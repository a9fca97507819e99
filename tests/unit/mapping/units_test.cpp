// SPDX-License-Identifier: Apache-2.0
//
// The directive `unit`: which unit of the cores performs the products of a statement.
#include <gtest/gtest.h>

#include "mapping/constraints.h"
#include "mapping/units.h"
#include "support/problem.h"
#include "syntax/directive_parser.h"

namespace gridloom::mapping {
namespace {

using kernel::UnitKind;
using test::makeProblem;
using test::smallMesh;

struct Units : testing::Test {
  test::Problem p = makeProblem(smallMesh(2, 2), "gemm", {{"M", 64}, {"N", 64}, {"K", 64}});

  base::Result<Constraints> read(const std::string& text) const {
    auto parsed = syntax::parseDirectives(base::makeSource("test.sched", text));
    if (!parsed) return parsed.takeDiagnostics();
    return resolve(*parsed, p.kernel, p.nest, p.hw);
  }

  std::string errorOf(const std::string& text) const {
    const auto result = read(text);
    return result ? "" : render(result.diagnostics());
  }

  void expectError(const std::string& text, const std::string& place, const std::string& message,
                   const std::string& hint) const {
    const std::string error = errorOf(text);
    EXPECT_NE(error.find("test.sched:" + place + ": error: " + message), std::string::npos)
        << error;
    EXPECT_NE(error.find("help: " + hint), std::string::npos) << error;
  }
};

TEST_F(Units, ArePinnedAndPrinted) {
  for (const auto& [text, unit] : {std::pair{"unit(C, vector)\n", UnitKind::Vector},
                                   std::pair{"unit(C, matrix)\n", UnitKind::Matrix},
                                   std::pair{"not unit(C, matrix)\n", UnitKind::Vector},
                                   std::pair{"not unit(C, vector)\n", UnitKind::Matrix}}) {
    const auto c = read(text);
    ASSERT_TRUE(c) << text << render(c.diagnostics());
    const kernel::TileNest nest = withUnits(p.nest, p.kernel, c->units);
    EXPECT_EQ(pinnedUnits(p.kernel, nest), (std::map<std::string, UnitKind>{{"C", unit}})) << text;
    const std::string line = "unit(C, " + std::string(nameOf(unit)) + ")\n";
    const Mapping mapping = test::randomMapping(p, 1);
    EXPECT_NE(printDirectives(p.kernel, nest, p.hw, mapping).find(line), std::string::npos);
    EXPECT_NE(describe(p.kernel, nest, p.hw, mapping).find(" on "), std::string::npos);
    EXPECT_EQ(printDirectives(p.kernel, p.nest, p.hw, mapping).find("unit("), std::string::npos);
  }
  EXPECT_EQ(errorOf("unit(C, vector)\nunit(C, vector)\n"), "");
  EXPECT_EQ(errorOf("not unit(C, scalar)\n"), "");
}

TEST_F(Units, AreRefusedWhereNoMappingHasThem) {
  expectError("unit(C, scalar)\n", "1:9", "mappings use no scalar unit",
              "write `unit(C, vector)`; cores that compute on a scalar unit describe it as ");
  expectError("unit(A, vector)\n", "1:6", "no statement of kernel `gemm` computes `A`",
              "statements compute C");
  expectError("unit(C, tensor)\n", "1:9", "a unit is `matrix` or `vector`, got `tensor`", "");
  expectError("unit(C, vector)\nunit(C, matrix)\n", "2:1",
              "contradicts an earlier directive about the unit of `C`", "keep one of the two");
  p.nest = withUnits(p.nest, p.kernel, read("unit(C, vector)\n")->units);
  expectError("unit(C, matrix)\n", "1:1", "contradicts an earlier directive", "keep one");
}

TEST_F(Units, AreRefusedWhereTheHardwareHasNone) {
  std::string mesh = smallMesh(2, 2);
  const std::string with = "scalein = (%fpu, %sfpu, [1, 1])", without = "scalein = (%sfpu, [1])";
  ASSERT_NE(mesh.find(with), std::string::npos) << mesh;
  p = makeProblem(mesh.replace(mesh.find(with), with.size(), without), "gemm", {{"M", 8}});
  expectError("unit(C, matrix)\n", "1:9", "the cores of `test` have no matrix unit",
              "write `unit(C, vector)`, or leave the directive out");
  expectError("not unit(C, vector)\n", "1:1", "the cores of `test` have no matrix unit",
              "leave the directive out");
  EXPECT_EQ(errorOf("unit(C, vector)\n"), "");
}

TEST_F(Units, AreRefusedWhereAStatementHasNoProduct) {
  p = makeProblem(smallMesh(2, 2), "flash_attention", {{"H", 2}, {"SQ", 8}, {"SK", 8}, {"D", 4}});
  expectError("unit(m, matrix)\n", "1:1", "no operation of `m` is a product of two matrices",
              "leave it out, or name a tensor with products: ");
  EXPECT_EQ(errorOf("unit(m, vector)\nnot unit(m, matrix)\n"), "");
  p = makeProblem(smallMesh(2, 2), "softmax", {{"M", 8}, {"N", 8}});
  expectError("unit(m, matrix)\n", "1:1", "no operation of `m` is a product of two matrices",
              "leave the directive out: the kernel has no such product");
}

}  // namespace
}  // namespace gridloom::mapping
