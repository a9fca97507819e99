// SPDX-License-Identifier: Apache-2.0
#include "report/numbers.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace gridloom::report {

namespace {

struct Scale {
  double factor;
  std::string_view unit;
};

/// The largest unit in which the number is at least one.
template <std::size_t N>
std::string scaled(double value, const std::array<Scale, N>& scales, int decimals) {
  for (const Scale& scale : scales) {
    if (std::abs(value) >= scale.factor) {
      return trimmed(value / scale.factor, decimals) + std::string(scale.unit);
    }
  }
  return trimmed(value, decimals) + std::string(scales.back().unit);
}

}  // namespace

std::string cyclesText(double cycles) {
  if (!std::isfinite(cycles) || std::abs(cycles) >= 9e18) return fmt::format("{:.4g}", cycles);
  return grouped(std::llround(cycles));
}

std::string countText(double value) {
  constexpr std::array<Scale, 6> scales{
      {{1e15, " P"}, {1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {1.0, " "}}};
  return scaled(value, scales, 1);
}

std::string flopRateText(double flopPerSecond) { return countText(flopPerSecond) + "FLOP/s"; }

std::string secondsText(double seconds) {
  constexpr std::array<Scale, 4> scales{{{1.0, " s"}, {1e-3, " ms"}, {1e-6, " us"}, {1e-9, " ns"}}};
  if (seconds > 0 && seconds < 1e-9) return trimmed(seconds * 1e9, 3) + " ns";
  return seconds == 0 ? "0 s" : scaled(seconds, scales, 2);
}

std::string clockText(double hertz) {
  constexpr std::array<Scale, 4> scales{
      {{1e9, " GHz"}, {1e6, " MHz"}, {1e3, " kHz"}, {1.0, " Hz"}}};
  return scaled(hertz, scales, 3);
}

std::string percentText(double fraction) { return fmt::format("{:.1f}%", fraction * 100); }

std::string changeText(double fraction) {
  const std::string text = fmt::format("{:+.1f}%", fraction * 100);
  return text == "+0.0%" || text == "-0.0%" ? "0.0%" : text;
}

std::string exactText(double value) { return fmt::format("{}", value); }

}  // namespace gridloom::report
