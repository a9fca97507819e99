// SPDX-License-Identifier: Apache-2.0
// Operations of torch-mlir's dialect tm_tensor: scans, and what is said of the others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "importer/mlir_module.h"
#include "original.h"
#include "recurrences.h"

namespace gridloom {
namespace {

constexpr std::int64_t kHeight = 3, kWidth = 5;

std::string scan(std::int64_t dimension, bool isInclusive, const std::string& op) {
  const std::int64_t left = dimension == 0 ? kWidth : kHeight;
  return fmt::format(
      R"(func.func @scan(%x: tensor<3x5xf32>, %a: tensor<{0}xf32>) -> tensor<3x5xf32> {{
  %e = tensor.empty() : tensor<3x5xf32>
  %r:2 = "tm_tensor.scan"(%x, %e, %a) <{{dimension = {1} : i64, inclusive = {2},
      operandSegmentSizes = array<i32: 1, 2>}}> ({{
    ^bb0(%s: f32, %i: f32):
      %t = {3} %s, %i : f32
      "tm_tensor.yield"(%t) : (f32) -> ()
  }}) : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<{0}xf32>) -> (tensor<3x5xf32>, tensor<{0}xf32>)
  return %r#0 : tensor<3x5xf32>
}}
)",
      left, dimension, isInclusive, op);
}

// Element by element, as a loop along the dimension.
std::vector<double> expected(std::int64_t dimension, bool isInclusive, bool isSum) {
  std::vector<double> out(kHeight * kWidth);
  const std::int64_t stride = dimension == 0 ? kWidth : 1;
  const std::int64_t length = dimension == 0 ? kHeight : kWidth;
  for (std::int64_t line = 0; line < kHeight * kWidth / length; ++line) {
    const std::int64_t begin = dimension == 0 ? line : line * kWidth;
    double value = isInclusive ? test::sampleValue(begin, 0) : test::sampleValue(line, 1);
    out[static_cast<std::size_t>(begin)] = value;
    for (std::int64_t n = 1; n < length; ++n) {
      const double next = test::sampleValue(begin + (isInclusive ? n : n - 1) * stride, 0);
      value = isSum ? value + next : std::max(value, next);
      out[static_cast<std::size_t>(begin + n * stride)] = value;
    }
  }
  return out;
}

TEST(ImportedScans, AreRecurrencesAlongTheDimension) {
  for (const std::int64_t dimension : {0, 1}) {
    for (const bool isInclusive : {true, false}) {
      for (const bool isSum : {true, false}) {
        const std::string text =
            scan(dimension, isInclusive, isSum ? "arith.addf" : "arith.maximumf");
        const auto imported = importer::importMlir(text, "f.mlir", {});
        ASSERT_EQ(imported.finding.message, "") << text;
        test::Call call{"scan", "scan", {}, {}, "", {kHeight, kWidth}};
        call.arguments = {{"x", "tensor", {kHeight, kWidth}},
                          {"a", "tensor", {dimension == 0 ? kWidth : kHeight}}};
        const std::vector<double> want = expected(dimension, isInclusive, isSum);
        const std::vector<double> got = test::computed(call, imported.kernels);
        ASSERT_EQ(got.size(), want.size()) << imported.kernels;
        for (std::size_t n = 0; n < got.size(); ++n)
          EXPECT_NEAR(got[n], want[n], 1e-5) << n << "\n" << imported.kernels;
      }
    }
  }
}

void expectRefused(const std::string& text, const std::string& message) {
  const auto imported = importer::importMlir(text, "f.mlir", {});
  EXPECT_EQ(imported.kernels, "") << text;
  EXPECT_NE(imported.finding.message.find(message), std::string::npos) << imported.finding.message;
  EXPECT_EQ(imported.finding.line, 3) << text;
  EXPECT_FALSE(imported.finding.hint.empty());
}

TEST(ImportedScans, HaveADimensionOfTheirInput) {
  expectRefused(scan(7, true, "arith.addf"), "a dimension that its input does not have");
}

TEST(ImportedTmTensor, NamesWhatIsNotRead) {
  expectRefused(R"(func.func @f(%u: tensor<4xf32>, %i: tensor<4x1xi32>,
             %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = "tm_tensor.scatter"(%u, %i, %o) ({
    ^bb0(%s: f32, %t: f32):
      "tm_tensor.yield"(%s) : (f32) -> ()
  }) : (tensor<4xf32>, tensor<4x1xi32>, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
)",
                "a scatter");
  expectRefused(R"(func.func @f(%q: tensor<1x4x8xf32>,
             %o: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %r = "tm_tensor.attention"(%q, %q, %q, %o) :
      (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>)
      -> tensor<1x4x8xf32>
  return %r : tensor<1x4x8xf32>
}
)",
                "`tm_tensor.attention` is not imported");
}

}  // namespace
}  // namespace gridloom
