// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace gridloom::base {

/// A number with a unit in its type. Arithmetic stays within one unit; crossing units is spelled
/// out with the functions below.
template <class Tag, class Rep>
struct Quantity {
  Rep value{};

  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep v) : value(v) {}
  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  constexpr Quantity& operator+=(Quantity o) { value += o.value; return *this; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
  friend constexpr Quantity operator*(Quantity a, Rep k) { return Quantity(a.value * k); }
};

using Bytes = Quantity<struct BytesTag, std::int64_t>;
using Cycles = Quantity<struct CyclesTag, double>;
using BytesPerCycle = Quantity<struct BytesPerCycleTag, double>;
using Hertz = Quantity<struct HertzTag, double>;

constexpr Cycles operator/(Bytes bytes, BytesPerCycle rate) {
  return Cycles(static_cast<double>(bytes.value) / rate.value);
}
/// Seconds that a number of cycles takes at a clock.
constexpr double seconds(Cycles cycles, Hertz clock) { return cycles.value / clock.value; }

constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace gridloom::base
