// SPDX-License-Identifier: Apache-2.0
#include "kernel/rounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "unit/kernel/kernel_source.h"

namespace gridloom::kernel {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// All magnitudes of a type with so many bits of exponent and mantissa, in order; the even ones
/// have a mantissa that ends with 0.
std::vector<double> magnitudesOf(int exponentBits, int mantissaBits, double largest) {
  std::vector<double> all;
  const int bias = (1 << (exponentBits - 1)) - 1;
  for (int exponent = 0; exponent < 1 << exponentBits; ++exponent) {
    for (int mantissa = 0; mantissa < 1 << mantissaBits; ++mantissa) {
      const double fraction = std::ldexp(mantissa, -mantissaBits);
      const double value = exponent == 0 ? std::ldexp(fraction, 1 - bias)
                                         : std::ldexp(1 + fraction, exponent - bias);
      if (value <= largest) all.push_back(value);
    }
  }
  return all;
}

/// The nearest by looking at all of them.
double nearestOf(const std::vector<double>& magnitudes, double value) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < magnitudes.size(); ++k) {
    const double now = std::abs(magnitudes[k] - std::abs(value));
    const double before = std::abs(magnitudes[best] - std::abs(value));
    if (now < before || (now == before && k % 2 == 0)) best = k;
  }
  return std::copysign(magnitudes[best], value);
}

double roundedOne(DType dtype, double value) {
  TensorValue tensor{{1}, {value}};
  roundTo(dtype, tensor);
  return tensor.data[0];
}

struct FloatType {
  DType dtype;
  int exponentBits, mantissaBits;
  double largest;
};

class FloatTypes : public testing::TestWithParam<FloatType> {};

TEST_P(FloatTypes, ValuesBecomeTheNearestOfAll) {
  const FloatType& type = GetParam();
  const std::vector<double> all = magnitudesOf(type.exponentBits, type.mantissaBits, type.largest);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-20, std::log2(type.largest));
  std::uniform_int_distribution<std::size_t> pick(0, all.size() - 2);
  for (int n = 0; n < 300; ++n) {
    const double value = (n % 2 == 0 ? 1 : -1) * std::exp2(exponent(random));
    EXPECT_EQ(roundedOne(type.dtype, value), nearestOf(all, value)) << value;
    const std::size_t k = pick(random);
    EXPECT_EQ(roundedOne(type.dtype, all[k]), all[k]);
    const double tie = (all[k] + all[k + 1]) / 2;
    EXPECT_EQ(roundedOne(type.dtype, tie), nearestOf(all, tie)) << tie;
  }
  EXPECT_TRUE(std::isnan(roundedOne(type.dtype, kNoNumber)));
  EXPECT_TRUE(std::signbit(roundedOne(type.dtype, -0.0)));
}

INSTANTIATE_TEST_SUITE_P(All, FloatTypes,
                         testing::Values(FloatType{DType::F16, 5, 10, 65504},
                                         FloatType{DType::BF16, 8, 7, 0x1.fep127},
                                         FloatType{DType::F8E4M3, 4, 3, 448},
                                         FloatType{DType::F8E5M2, 5, 2, 57344}),
                         [](const auto& type) { return std::string(nameOf(type.param.dtype)); });

TEST(Rounding, SinglePrecisionIsThatOfTheMachine) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-150, 127);
  for (int n = 0; n < 1000; ++n) {
    const double value = std::exp2(exponent(random));
    EXPECT_EQ(roundedOne(DType::F32, value), static_cast<double>(static_cast<float>(value)));
  }
}

TEST(Rounding, WhatIsTooLargeSaturatesOrIsInfinite) {
  EXPECT_EQ(roundedOne(DType::F16, 65519.9), 65504);
  EXPECT_EQ(roundedOne(DType::F16, -65520), -kUnbounded);
  EXPECT_EQ(roundedOne(DType::F8E4M3, 1e9), 448);
  EXPECT_EQ(roundedOne(DType::F8E4M3, -kUnbounded), -448);
  EXPECT_EQ(roundedOne(DType::F8E5M2, 1e9), 57344);
  EXPECT_EQ(roundedOne(DType::F8E5M2, kUnbounded), 57344);
}

TEST(Rounding, IntegersSaturate) {
  EXPECT_EQ(roundedOne(DType::I4, 7.6), 7);
  EXPECT_EQ(roundedOne(DType::I4, -99), -8);
  EXPECT_EQ(roundedOne(DType::I8, 2.5), 2);
  EXPECT_EQ(roundedOne(DType::I8, 3.5), 4);
  EXPECT_EQ(roundedOne(DType::I32, 1e12), 2147483647);
  EXPECT_EQ(roundedOne(DType::I16, kNoNumber), 0);
  EXPECT_EQ(roundedOne(DType::I64, kUnbounded), 0x1p63);
}

struct BlockType {
  DType dtype;
  std::size_t size;
  std::vector<double> magnitudes;  ///< of elements
  int largestExponent;
};

std::vector<double> fixedPoint(int steps, double step) {
  std::vector<double> all;
  for (int k = 0; k <= steps; ++k) all.push_back(k * step);
  return all;
}

class BlockTypes : public testing::TestWithParam<BlockType> {};

// Rows of 70: whole blocks and a rest.
TEST_P(BlockTypes, ValuesShareTheScaleOfTheirBlock) {
  const BlockType& type = GetParam();
  constexpr std::size_t kRows = 5, kColumns = 70;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-6, 6), sign(-1, 1);
  TensorValue given{{kRows, kColumns}, {}};
  for (std::size_t n = 0; n < kRows * kColumns; ++n) {
    given.data.push_back(std::copysign(std::exp2(exponent(random)), sign(random)));
  }
  TensorValue got = given;
  roundTo(type.dtype, got);
  for (std::size_t n = 0; n < given.data.size(); ++n) {
    const std::size_t row = n / kColumns, first = n % kColumns / type.size * type.size;
    const std::size_t end = std::min(first + type.size, kColumns);
    double largest = 0;
    for (std::size_t c = first; c < end; ++c) {
      largest = std::max(largest, std::abs(given.data[row * kColumns + c]));
    }
    const double scale = std::exp2(std::floor(std::log2(largest)) - type.largestExponent);
    EXPECT_EQ(got.data[n], scale * nearestOf(type.magnitudes, given.data[n] / scale)) << n;
  }
  TensorValue again = got;
  roundTo(type.dtype, again);
  EXPECT_EQ(again.data, got.data);
}

INSTANTIATE_TEST_SUITE_P(All, BlockTypes,
                         testing::Values(BlockType{DType::MXFP8, 32, magnitudesOf(4, 3, 448), 8},
                                         BlockType{DType::MXFP6, 32, magnitudesOf(2, 3, 7.5), 2},
                                         BlockType{DType::MXFP4, 32, magnitudesOf(2, 1, 6), 2},
                                         BlockType{DType::MXINT8, 32, fixedPoint(127, 1.0 / 64), 0},
                                         BlockType{DType::BFP8, 16, fixedPoint(127, 1.0 / 64), 0},
                                         BlockType{DType::BFP4, 16, fixedPoint(7, 1.0 / 4), 0}),
                         [](const auto& type) { return std::string(nameOf(type.param.dtype)); });

TEST(Rounding, BlocksOfZerosAndOfWhatIsNoNumber) {
  EXPECT_EQ(roundedOne(DType::MXFP4, 0), 0);
  EXPECT_TRUE(std::isnan(roundedOne(DType::MXFP4, kUnbounded)));
  TensorValue value{{17}, std::vector<double>(17, 1)};
  value.data[16] = kNoNumber;
  roundTo(DType::BFP8, value);
  EXPECT_EQ(value.data[15], 1);
  EXPECT_TRUE(std::isnan(value.data[16]));
}

TEST(Rounding, EveryTensorHasItsOwnType) {
  const Kernel kernel = kernelOf(
      "kernel k(N = 3) { tensor X[N]: f16 tensor Z[N]: i8 tensor Y[N]: bf16 Y[i] = X[i] + Z[i] }");
  TensorValues values;
  values["X"] = {{3}, {1.0001, 2, 3}};
  values["Y"] = {{3}, {257, 2, 3}};
  roundToTypes(kernel, values);
  EXPECT_EQ(values["X"].data[0], 1);
  EXPECT_EQ(values["Y"].data[0], 256);
}

}  // namespace
}  // namespace gridloom::kernel
