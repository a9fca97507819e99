// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace gridloom::values {

/// Stands for an element that is not computed yet: a NaN with bits of its own, since kernels may
/// compute NaN, too.
constexpr std::uint64_t kNotComputedBits = 0x7FF8'6D69'7373'696EULL;
constexpr double kNotComputed = std::bit_cast<double>(kNotComputedBits);
constexpr bool isComputed(double value) {
  return std::bit_cast<std::uint64_t>(value) != kNotComputedBits;
}

}  // namespace gridloom::values
