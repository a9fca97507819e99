// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gridloom::base {

/// A number with a unit in its type. Arithmetic stays within one unit; the functions below convert
/// between units explicitly.
template <class Tag, class Rep> struct Quantity {
  Rep value{};

  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep v) : value(v) {}
  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  constexpr Quantity& operator+=(Quantity o) {
    value += o.value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(a.value + b.value);
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(a.value - b.value);
  }
  friend constexpr Quantity operator*(Quantity a, Rep k) { return Quantity(a.value * k); }
};

using Bytes = Quantity<struct BytesTag, std::int64_t>;
using Cycles = Quantity<struct CyclesTag, double>;
using BytesPerCycle = Quantity<struct BytesPerCycleTag, double>;
using Hertz = Quantity<struct HertzTag, double>;

constexpr Cycles operator/(Bytes bytes, BytesPerCycle rate) {
  return Cycles(static_cast<double>(bytes.value) / rate.value);
}
/// Seconds that a number of cycles takes at a clock frequency.
constexpr double seconds(Cycles cycles, Hertz clock) { return cycles.value / clock.value; }

/// Sums and products that saturate instead of wrapping: a size that large fits nowhere.
constexpr std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}
constexpr std::int64_t saturatingMul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max()
                                                : product;
}

/// Rounds down where ceilDiv and `/` round up or towards zero. `b` is not 0.
constexpr std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

/// The place in a table of something counted in 32 bits, which is not negative.
constexpr std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace gridloom::base
