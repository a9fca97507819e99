// SPDX-License-Identifier: Apache-2.0
#include "option_values.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace gridloom::cli {

base::Result<double> secondsOf(const std::string& text) {
  if (text.empty()) return 0.0;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool read = error == std::errc() && end == text.data() + text.size();
  if (read && std::isfinite(value) && value > 0) return value;
  return base::plainError("--time-limit " + text + ": expected a number of seconds above 0",
                          "write 10 or 0.5");
}

base::Result<double> shareOf(const std::string& option, const std::string& text) {
  if (text.empty()) return 0.0;
  std::string_view digits = text;
  const bool percent = digits.ends_with('%');
  if (percent) digits.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool read = error == std::errc() && end == digits.data() + digits.size();
  if (!read || !std::isfinite(value) || value < 0) {
    return base::plainError(option + " " + text + ": expected a share of at least 0",
                            "write 2% or 0.02");
  }
  return percent ? value / 100 : value;
}

base::Result<service::TraceWindow> traceWindowOf(const std::string& text) {
  service::TraceWindow window;
  if (text.empty()) return window;
  const auto read = [](std::string_view digits, double& value) {
    if (digits.empty()) return true;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() && value >= 0;
  };
  const std::string_view whole = text;
  const std::size_t colon = whole.find(':');
  const bool known = colon != std::string_view::npos &&
                     read(whole.substr(0, colon), window.begin) &&
                     read(whole.substr(colon + 1), window.end);
  if (known && window.begin < window.end) return window;
  return base::plainError("--trace-window " + text +
                              ": expected two cycles, the first before the second",
                          "write 100000:200000, or :50000 for the beginning");
}

}  // namespace gridloom::cli
