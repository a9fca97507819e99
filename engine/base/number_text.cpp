// SPDX-License-Identifier: Apache-2.0
#include "base/number_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace gridloom::base {

namespace {

struct Scale {
  double factor;
  std::string_view unit;
};

std::string withSeparators(std::string digits) {
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

}  // namespace

std::string grouped(std::int64_t value) {
  const auto magnitude =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  return (value < 0 ? "-" : "") + withSeparators(std::to_string(magnitude));
}

std::string trimmed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string bytesText(double bytes) {
  // A figure keeps the smaller unit up to ten of the larger one: 1,464 KiB is more precise than 1.4
  // MiB.
  constexpr std::array<Scale, 4> scales{
      {{1099511627776.0, " TiB"}, {1073741824.0, " GiB"}, {1048576.0, " MiB"}, {1024.0, " KiB"}}};
  for (const Scale& scale : scales) {
    const double count = bytes / scale.factor;
    if (count < 10 && !(count >= 1 && count == std::floor(count))) continue;
    if (count >= 1000) return grouped(std::llround(count)) + std::string(scale.unit);
    return trimmed(count, 1) + std::string(scale.unit);
  }
  if (bytes >= 1000) return grouped(std::llround(bytes)) + " B";
  return trimmed(bytes, 1) + " B";
}

}  // namespace gridloom::base
