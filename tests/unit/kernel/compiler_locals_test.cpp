// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernel/tile_nest.h"
#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

std::string localsOf(const std::string& text) {
  std::string locals;
  for (const Tensor& tensor : kernelOf(text).tensors) {
    if (tensor.role != TensorRole::Local) continue;
    locals += tensor.name + ": " + std::string(nameOf(tensor.dtype)) + "; ";
  }
  return locals;
}

// Two outputs that need one sum of the input, of which `value` is made.
std::string sharedSum(const std::string& in, const std::string& out, const std::string& value) {
  return "kernel f(N = 64, K = 32) {\n  tensor A[N, K]: " + in + "\n  tensor Y[N]: " + out +
         "\n  tensor Z[N]: " + out + "\n  Y[i] = 1 + " + value + "\n  Z[i] = 2 * (" + value +
         ")\n}\n";
}

TEST(CompilerLocals, HaveTheTypeOfTheirOperands) {
  const std::string sum = "(sum(k) A[i, k] * A[i, k])";
  EXPECT_EQ(localsOf(sharedSum("i8", "i32", sum)), "Y_value: i32; ");
  EXPECT_EQ(localsOf(sharedSum("i64", "f32", sum)), "Y_value: i64; ");
  EXPECT_EQ(localsOf(sharedSum("i32", "i64", sum)), "Y_value: i64; ");
  EXPECT_EQ(localsOf(sharedSum("f16", "f16", sum)), "Y_value: f32; ");
  EXPECT_EQ(localsOf(sharedSum("f64", "f32", sum)), "Y_value: f64; ");
  EXPECT_EQ(localsOf(sharedSum("f32", "f64", sum)), "Y_value: f64; ");
  const std::string counted = "(sum(k) select(A[i, k] >= 0.5, mod(A[i, k], 3), 0))";
  EXPECT_EQ(localsOf(sharedSum("i32", "i32", counted)), "Y_value: i32; ");
  EXPECT_EQ(localsOf(sharedSum("i32", "i32", "(sum(k) exp(A[i, k]))")), "Y_value: f32; ");
  EXPECT_EQ(localsOf(sharedSum("i32", "i32", "(sum(k) A[i, k] / 2)")), "Y_value: f32; ");
}

TEST(CompilerLocals, RescaleIntegersByFractions) {
  EXPECT_EQ(localsOf(R"(kernel f(N = 64, K = 32) {
    tensor A[N, K]: i32  tensor Y[N]: f32  local m[N]: i32
    m[i] = max(k) A[i, k]
    Y[i] = sum(k) exp(A[i, k] - m[i])
  })"),
            "m: i32; m_rescale: f32; Y_sum: f32; ");
}

// Names of parameters and loops are taken, too.
TEST(CompilerLocals, HaveNamesThatNothingElseHas) {
  EXPECT_EQ(localsOf(R"(kernel f(N = 64, Y_value = 32) {
    tensor A[N, Y_value]: f32  tensor Y[N]: f32  tensor Z[N]: f32
    Y[i] = 1 + (sum(Y_value2) A[i, Y_value2])
    Z[i] = 2 * (sum(Y_value2) A[i, Y_value2])
  })"),
            "Y_value3: f32; ");
}

std::size_t reductionsOf(const std::string& text) {
  const Kernel kernel = kernelOf(text);
  const auto nest = tileNest(kernel);
  EXPECT_TRUE(nest) << base::render(nest.diagnostics());
  std::size_t count = 0;
  for (const TileOp& op : nest->ops) {
    count += op.unit == UnitKind::Matrix || op.fn == VectorFn::SumReduce ? 1U : 0U;
  }
  return count;
}

std::string twice(const std::string& second, const std::string& where = "") {
  return "kernel f(M = 64, N = 64, K = 32) {\n  tensor X[M, K]: f32\n  tensor G[N, K]: f32\n"
         "  tensor Y[M, N]: f32\n  Y[i, j] = (sum(k) X[i, k] * G[j, k]) * exp(" +
         second + ")" + where + "\n}\n";
}

TEST(CompilerLocals, SumsOverTwoNamesAreOne) {
  EXPECT_EQ(reductionsOf(twice("sum(k) X[i, k] * G[j, k]")), 1U);
  EXPECT_EQ(reductionsOf(twice("sum(l) X[i, l] * G[j, l]")), 1U);
  EXPECT_EQ(kernelOf(twice("sum(l) X[i, l] * G[j, l]")).loops.size(), 3U);
  EXPECT_EQ(reductionsOf(twice("sum(l) X[i, l] * G[j, l]", "  where k <= i, l <= i")), 1U);
  // Other bounds, other elements and another order of operands are other values.
  EXPECT_EQ(reductionsOf(twice("sum(l) X[i, l] * G[j, l]", "  where l <= i")), 2U);
  EXPECT_EQ(reductionsOf(twice("sum(l) X[j, l] * G[j, l]")), 2U);
}

TEST(CompilerLocals, SumsOfTwoStatementsOverTwoNamesAreOne) {
  const auto text = [](const std::string& l, const std::string& where) {
    return "kernel f(N = 64, K = 32) {\n  tensor A[N, K]: f32\n  tensor Y[N]: f32\n"
           "  tensor Z[N]: f32\n  Y[i] = 1 + (sum(k) A[i, k] * A[i, k])" +
           (where.empty() ? "" : "  where k" + where) + "\n  Z[i] = 2 * (sum(" + l + ") A[i, " + l +
           "] * A[i, " + l + "])" + (where.empty() ? "" : "  where " + l + where) + "\n}\n";
  };
  EXPECT_EQ(reductionsOf(text("l", "")), reductionsOf(text("k", "")));
  EXPECT_EQ(localsOf(text("l", "")), "Y_value: f32; ");
  EXPECT_EQ(localsOf(text("l", " <= i")), localsOf(text("k", " <= i")));
}

}  // namespace
}  // namespace gridloom::kernel
