// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gridloom::network {

/// Simulated time in whole ticks. Sums of ticks are exact, so behaviour does not depend on absolute
/// time.
using Ticks = std::int64_t;

/// 2^6 * 3^2 * 5^2 * 7: the cycles per byte of most bandwidths are whole numbers of ticks. An int64
/// holds 9e13 cycles.
constexpr Ticks kTicksPerCycle = 100800;
/// Later than the end of every run and longer than any wait. A few of them still add up in 64 bits.
constexpr Ticks kEndOfTime = Ticks{1} << 60;

inline Ticks ticksOf(double cycles) {
  const double ticks = cycles * static_cast<double>(kTicksPerCycle);
  if (!(ticks < static_cast<double>(kEndOfTime))) return kEndOfTime;
  return ticks > 0 ? static_cast<Ticks>(ticks + 0.5) : 0;
}

inline double inCycles(Ticks ticks) {
  return static_cast<double>(ticks) / static_cast<double>(kTicksPerCycle);
}

}  // namespace gridloom::network
