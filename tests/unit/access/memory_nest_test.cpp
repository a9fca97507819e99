// SPDX-License-Identifier: Apache-2.0
#include "access/memory_nest.h"

#include <gtest/gtest.h>

#include "support/problem.h"
#include "syntax/hardware_parser.h"
#include "syntax/nest_parser.h"

namespace gridloom::access {
namespace {

const char* const kSlidingConv = "kernel conv(K = 8, R = 3, P = 4) {\n"
                          "  tensor W[K, R]: i8\n  tensor I[P + R - 1]: i8\n  tensor O[K, P]: i8\n"
                          "  O[k, p] = sum(r) W[k, r] * I[p + r]\n}\n";

struct Nest : testing::Test {
  kernel::Kernel kernel = test::makeProblem(test::smallMesh(2, 1), kSlidingConv).kernel;
  hardware::HardwareSpec hardware =
      *syntax::parseHardware(base::makeSource("m.hw", test::smallMesh(2, 1, 2, 40)), "m");
  std::string local = hardware.memories[0].name;
  std::string global = hardware.memories[1].name;

  base::Result<MemoryNest> resolved(const std::string& text) const {
    return resolve(*syntax::parseNest(base::makeSource("t.nest", text)), kernel, hardware);
  }
  std::string errorsOf(const std::string& text) const {
    const auto nest = resolved(text);
    return nest ? "" : base::render(nest.diagnostics());
  }
};

TEST_F(Nest, WhatIsLeftOfALoopNeedsNoNumber) {
  const auto nest = resolved("level(" + global + ") loop(k, 2) spread(k, 2) loop(p)\nlevel(" +
                             local + ") loop(k) loop(r)");
  ASSERT_TRUE(nest) << base::render(nest.diagnostics());
  ASSERT_EQ(nest->levels.size(), 2U);
  EXPECT_EQ(nest->levels[0].loops.size(), 2U);
  EXPECT_EQ(nest->levels[1].loops[0].trips, 2);
  EXPECT_EQ(tileExtents(kernel, *nest, 0), (std::vector<std::int64_t>{8, 4, 3}));
  EXPECT_EQ(tileExtents(kernel, *nest, 1), (std::vector<std::int64_t>{2, 1, 3}));
  EXPECT_EQ(boxOf(*nestAccesses(kernel)[1], {8, 4, 3}), (std::vector<std::int64_t>{6}));
}

TEST_F(Nest, UnknownNamesAreNamed) {
  const std::string errors =
      errorsOf("loop(k)\nlevel(L9)\nloop(q, 2)\nbypass(X)\nlevel(" + local + ")");
  EXPECT_NE(errors.find("t.nest:1:1: error: this stands in no memory"), std::string::npos)
      << errors;
  EXPECT_NE(errors.find("no memory `L9`"), std::string::npos) << errors;
  EXPECT_NE(errors.find("no loop `q`"), std::string::npos) << errors;
  EXPECT_NE(errors.find("no tensor `X`"), std::string::npos) << errors;
}

TEST_F(Nest, FactorsMakeUpTheExtent) {
  const std::string wrong = errorsOf("level(" + global + ")\nloop(k, 3)");
  EXPECT_NE(wrong.find("has 8 iterations, which 1 x 3 does not divide"), std::string::npos)
      << wrong;
  const std::string less = errorsOf("level(" + global + ")\nloop(k, 4) loop(p) loop(r)");
  EXPECT_NE(less.find("the factors of loop `k` make 4, it has 8 iterations"), std::string::npos)
      << less;
  const std::string more =
      errorsOf("level(" + global + ")\nloop(k, 9223372036854775807) loop(k, 9)");
  EXPECT_NE(more.find("does not divide"), std::string::npos) << more;
}

TEST_F(Nest, HardwareHasItsLimits) {
  const std::string many =
      errorsOf("level(" + global + ") spread(k, 8)\nlevel(" + local + ") loop(p) loop(r)");
  EXPECT_NE(many.find("the nest uses 8 instances"), std::string::npos) << many;
  const std::string large =
      errorsOf("level(" + global + ")\nlevel(" + local + ") loop(k) loop(p) loop(r)");
  EXPECT_NE(large.find("take 62 bytes, it has 40"), std::string::npos) << large;
  const std::string wide =
      errorsOf("level(" + global + ") loop(k) loop(r)\nlevel(" + local + ") spread(p)");
  EXPECT_EQ(wide, "");
}

TEST_F(Nest, EveryTensorIsKeptSomewhere) {
  const std::string nowhere = errorsOf("level(" + global + ") bypass(W) loop(k) loop(p)\nlevel(" +
                                       local + ") bypass(W) loop(r)");
  EXPECT_NE(nowhere.find("no memory stores `W`"), std::string::npos) << nowhere;
  const std::string part =
      errorsOf("level(" + global + ") bypass(W) loop(k) loop(p)\nlevel(" + local + ") loop(r)");
  EXPECT_NE(part.find("holds only a part of it"), std::string::npos) << part;
  EXPECT_EQ(
      errorsOf("level(" + global + ") bypass(W) loop(p)\nlevel(" + local + ") loop(k) loop(r)"),
      "");
}

TEST_F(Nest, CountsOneStatementOverABox) {
  kernel = test::makeProblem(test::smallMesh(2, 1), "softmax").kernel;
  const std::string errors = errorsOf("level(" + global + ")");
  EXPECT_NE(errors.find("kernels of one statement"), std::string::npos) << errors;
}

}  // namespace
}  // namespace gridloom::access
