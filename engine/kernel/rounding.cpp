// SPDX-License-Identifier: Apache-2.0
#include "kernel/rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace gridloom::kernel {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Values +-m * 2^e with `bits` binary digits behind the point of m, e at least `leastExponent`.
struct Format {
  int bits = 0;
  int leastExponent = 0;
  double largest = 0;
  bool saturates = true;  ///< what is larger, infinities too; otherwise it becomes infinite
};

constexpr Format kF32{23, -126, 0x1.fffffep127, false};
constexpr Format kF16{10, -14, 65504, false};
constexpr Format kBF16{7, -126, 0x1.fep127, false};
constexpr Format kE4M3{3, -6, 448};
constexpr Format kE5M2{2, -14, 57344};
constexpr Format kE2M3{3, 0, 7.5};
constexpr Format kE2M1{1, 0, 6};
/// Whole multiples of 2^-6.
constexpr Format kFixed8{6, 0, 127.0 / 64};

constexpr int kNoExponent = std::numeric_limits<int>::min();

// 2^exponent of a magnitude is at most the magnitude.
int exponentOf(double magnitude) { return magnitude > 0 ? std::ilogb(magnitude) : kNoExponent; }

// To a whole multiple of 2^exponent; ties go to even.
double toMultiple(double value, int exponent) {
  return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

double rounded(const Format& format, double value) {
  if (std::isnan(value) || (std::isinf(value) && !format.saturates)) return value;
  const double magnitude = std::abs(value);
  double nearest = magnitude;
  if (std::isfinite(value)) {
    nearest =
        toMultiple(magnitude, std::max(exponentOf(magnitude), format.leastExponent) - format.bits);
  }
  if (nearest > format.largest) nearest = format.saturates ? format.largest : kInfinity;
  return std::copysign(nearest, value);
}

double whole(double value, double least, double most) {
  return std::isnan(value) ? 0 : std::clamp(std::nearbyint(value), least, most);
}

double roundedInteger(DType dtype, double value) {
  const double half = std::ldexp(1.0, static_cast<int>(bitsOf(dtype)) - 1);
  return whole(value, -half, half - 1);
}

/// Elements of a block type.
struct Blocks {
  std::size_t size = 32;
  Format element;
  int largestExponent = 0;  ///< of the largest element
};

constexpr Blocks kMx8{32, kE4M3, 8};
constexpr Blocks kMx6{32, kE2M3, 2};
constexpr Blocks kMx4{32, kE2M1, 2};
constexpr Blocks kMxInt8{32, kFixed8, 0};
constexpr Blocks kBfp8{16, {6, 0, 127.0 / 64}, 0};
constexpr Blocks kBfp4{16, {2, 0, 7.0 / 4}, 0};

void roundBlock(const Blocks& blocks, std::span<double> block) {
  double largest = 0;
  for (const double value : block) {
    if (!std::isfinite(value)) {
      std::ranges::fill(block, kNaN);
      return;
    }
    largest = std::max(largest, std::abs(value));
  }
  // Scales are powers of two between 2^-127 and 2^127; a block of zeros needs none.
  if (largest == 0) return;
  const int scale = std::clamp(exponentOf(largest) - blocks.largestExponent, -127, 127);
  for (double& value : block) {
    value = std::ldexp(rounded(blocks.element, std::ldexp(value, -scale)), scale);
  }
}

void roundBlocks(const Blocks& blocks, TensorValue& value) {
  const std::size_t row =
      value.shape.empty() ? 1
                          : static_cast<std::size_t>(std::max<std::int64_t>(1, value.shape.back()));
  for (std::size_t begin = 0; begin < value.data.size(); begin += row) {
    for (std::size_t at = 0; at < row; at += blocks.size) {
      roundBlock(blocks,
                 std::span(value.data).subspan(begin + at, std::min(blocks.size, row - at)));
    }
  }
}

void roundEach(const Format& format, TensorValue& value) {
  for (double& element : value.data) element = rounded(format, element);
}

}  // namespace

void roundTo(DType dtype, TensorValue& value) {
  switch (dtype) {
  case DType::F64:
    return;
  case DType::F32:
    return roundEach(kF32, value);
  case DType::F16:
    return roundEach(kF16, value);
  case DType::BF16:
    return roundEach(kBF16, value);
  case DType::F8E4M3:
    return roundEach(kE4M3, value);
  case DType::F8E5M2:
    return roundEach(kE5M2, value);
  case DType::BFP8:
    return roundBlocks(kBfp8, value);
  case DType::BFP4:
    return roundBlocks(kBfp4, value);
  case DType::MXFP8:
    return roundBlocks(kMx8, value);
  case DType::MXFP6:
    return roundBlocks(kMx6, value);
  case DType::MXFP4:
    return roundBlocks(kMx4, value);
  case DType::MXINT8:
    return roundBlocks(kMxInt8, value);
  case DType::I64:
  case DType::I32:
  case DType::I16:
  case DType::I8:
  case DType::I4:
    for (double& element : value.data) element = roundedInteger(dtype, element);
  }
}

void roundToTypes(const Kernel& kernel, TensorValues& values) {
  for (const Tensor& tensor : kernel.asWritten().tensors) {
    const auto found = values.find(tensor.name);
    if (found != values.end()) roundTo(tensor.dtype, found->second);
  }
}

}  // namespace gridloom::kernel
