// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "importer/program.h"

namespace gridloom::importer {
namespace {

TEST(Forms, AreDividedWhereLoopsAllowIt) {
  Loops loops;
  const Loop i = loops.add(12), j = loops.add(4);
  const auto both = loops.divide(Linear::loop(i) * 4 + Linear::loop(j), 4);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->first, Linear::loop(i));
  EXPECT_EQ(both->second, Linear::loop(j));
  // 12 = 3 * 4: the loop is divided.
  const auto parts = loops.divide(Linear::loop(i), 4);
  ASSERT_TRUE(parts);
  EXPECT_EQ(loops.range(parts->first), (std::pair<std::int64_t, std::int64_t>{0, 2}));
  EXPECT_EQ(loops.range(parts->second), (std::pair<std::int64_t, std::int64_t>{0, 3}));
  EXPECT_EQ(loops.normal(parts->first * 4 + parts->second), loops.normal(Linear::loop(i)));
  EXPECT_FALSE(loops.divide(Linear::loop(j) + Linear::loop(loops.add(7)), 5));
}

TEST(Expressions, FoldWhatChangesNothing) {
  const ExprRef x = load(0, {});
  EXPECT_EQ(call("+", {x, number(0)}), x);
  EXPECT_EQ(call("*", {number(1), x}), x);
  EXPECT_TRUE(isNumber(call("*", {number(2), number(3)}), 6));
  const auto isX = [](const Expr& l) { return l.buffer == 0; };
  const auto rest = without(call("+", {call("-", {x, load(1, {})}), load(2, {})}), "+", isX);
  ASSERT_TRUE(rest);
  EXPECT_FALSE(without(call("*", {x, x}), "*", isX)) << "it stands there twice";
}

TEST(Programs, MergeBlocksAndElements) {
  Program program;
  const Loop p = program.loops.add(3), a = program.loops.add(4);
  program.name = "copy";
  program.buffers = {{"x", "f32", {}, true, true}, {"y", "f32", {}, true, true}};
  const Linear at = Linear::loop(p) * 4 + Linear::loop(a);
  program.statements = {{1, {at}, load(0, {at}), {}}};
  mergeLoops(program);
  clipLoops(program);
  giveShapes(program);
  EXPECT_EQ(printKernels(program).text,
            "kernel copy() {\n  tensor x[12]: f32\n  tensor y[12]: f32\n\n  y[i] = x[i]\n}\n");
}

// A loop carries a value and the one before it.
TEST(Programs, NameLoopsOfWhatNeedsEachOtherAlike) {
  Program program;
  program.name = "twice";
  program.buffers = {{"x", "f32", {9}, false, true},
                     {"s", "f32", {9}, false, false},
                     {"t", "f32", {9}, false, false}};
  program.buffers[1].initial = program.buffers[2].initial = 0;
  const Linear now = Linear::loop(program.loops.add(9)), then = Linear::loop(program.loops.add(9));
  const Linear before = now - Linear::of(1);
  program.statements = {
      {1, {now}, call("+", {load(0, {now}), load(2, {before})}), {}},
      {2, {then}, load(1, {then - Linear::of(1)}), {}},
  };
  EXPECT_EQ(printKernels(program).text,
            "kernel twice() {\n  tensor x[9]: f32\n  local t[9]: f32 = 0\n"
            "  local s[9]: f32 = 0\n\n  s[i] = x[i] + t[i - 1]\n  t[i] = s[i - 1]\n}\n");
}

}  // namespace
}  // namespace gridloom::importer
