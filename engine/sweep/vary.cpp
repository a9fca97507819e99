// SPDX-License-Identifier: Apache-2.0
#include "sweep/vary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "report/numbers.h"
#include "syntax/spelling.h"

namespace gridloom::sweep {

namespace {

constexpr const char* kForms =
    "write --vary cols=4,8,16, or =4..16 (five values), =4..16:4 (steps), =4..64x2 (ratios)";

constexpr const char* kWholeHint = "take whole numbers of at most 2^53";

/// A number above 0.
std::optional<double> numberIn(std::string_view words) {
  double value = 0;
  const char* end = words.data() + words.size();
  const auto [read, error] = std::from_chars(words.data(), end, value);
  if (error != std::errc() || read != end || !std::isfinite(value) || value <= 0) return {};
  return value;
}

base::Diagnostic varyError(std::string_view words, std::string_view what, std::string hint) {
  return base::plainError(fmt::format("--vary {}: {}", words, what), std::move(hint));
}

/// What is wrong with a value of a parameter; "" if nothing is.
std::string wrongIn(double value, const SweepParameter& parameter) {
  constexpr double kMostWhole = 9007199254740992;  // 2^53: a double has every whole number so far
  if (!parameter.whole) return {};
  if (value != std::floor(value))
    return fmt::format("`{}` is a whole number, got {}", parameter.name, report::exactText(value));
  if (value > kMostWhole)
    return fmt::format("`{}` is at most {}, got {}", parameter.name, report::exactText(kMostWhole),
                       report::exactText(value));
  return {};
}

/// A range as written: its ends, and what leads from a value to the next one.
struct Range {
  double from = 0, to = 0;
  double step = 0, factor = 0;  ///< at most one of them is not 0
};

/// `words`: the whole option, `rest`: what stands behind its `=`.
base::Result<Range> rangeIn(std::string_view words, std::string_view rest,
                            const SweepParameter& parameter) {
  const std::size_t dots = rest.find("..");
  const std::string_view last = rest.substr(dots + 2);
  const std::size_t sign = last.find_first_of(":x");
  const auto from = numberIn(rest.substr(0, dots)), to = numberIn(last.substr(0, sign));
  if (!from || !to || *from > *to)
    return varyError(words, "expected values above 0, the first not above the last", kForms);
  for (const double end : {*from, *to}) {
    if (std::string wrong = wrongIn(end, parameter); !wrong.empty())
      return varyError(words, wrong, kWholeHint);
  }
  Range range{*from, *to};
  if (sign == last.npos) return range;
  const std::string_view written = last.substr(sign + 1);
  const auto by = numberIn(written);
  const bool isRatio = last[sign] == 'x';
  if (!by || (isRatio && *by <= 1))
    return varyError(words,
                     isRatio ? fmt::format("the ratio `{}` is not a number above 1", written)
                             : fmt::format("the step `{}` is not a number above 0", written),
                     kForms);
  (isRatio ? range.factor : range.step) = *by;
  return range;
}

/// Without the noise of computing with binary fractions: the end, the present value or a whole
/// number where it is meant, else as many digits as are surely right.
double settled(double value, double end, double now) {
  for (const double meant : {std::round(value), end, now}) {
    if (std::abs(value - meant) <= 1e-9 * value) return meant;
  }
  const std::string digits = fmt::format("{:.12g}", value);
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::vector<double> valuesOf(const Range& range, const SweepParameter& parameter) {
  if (range.step == 0 && range.factor == 0)
    return sweepValues(parameter, range.from, range.to, kUsualValues);
  std::vector<double> values;
  // A last step that misses the end by rounding alone reaches it.
  const double end = range.to * (1 + 1e-9);
  for (std::size_t i = 0; values.size() <= kMostValues; ++i) {
    const auto n = static_cast<double>(i);
    const double value =
        range.step > 0 ? range.from + n * range.step : range.from * std::pow(range.factor, n);
    if (value > end) break;
    values.push_back(settled(value, range.to, parameter.now));
  }
  return values;
}

std::optional<std::vector<double>> listIn(std::string_view words) {
  std::vector<double> values;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t comma = std::min(words.find(',', at), words.size());
    const auto value = numberIn(words.substr(at, comma - at));
    if (!value) return {};
    values.push_back(*value);
    at = comma + 1;
  }
  return values;
}

base::Diagnostics wrongValues(std::string_view words, const SweepAxis& axis) {
  if (axis.values.size() > kMostValues)
    return {varyError(words, fmt::format("more than {} values", kMostValues), "take larger steps")};
  for (const double value : axis.values) {
    if (std::string wrong = wrongIn(value, axis.parameter); !wrong.empty())
      return {varyError(words, wrong, kWholeHint)};
  }
  return {};
}

}  // namespace

base::Result<SweepAxis> axisOf(std::string_view words, std::span<const SweepParameter> parameters) {
  const std::size_t equal = words.find('=');
  if (equal == words.npos || equal == 0)
    return varyError(words, "expected a number of the hardware or the kernel, and its values",
                     kForms);
  const std::string_view name = words.substr(0, equal), rest = words.substr(equal + 1);
  const auto found = std::ranges::find(parameters, name, &SweepParameter::name);
  if (found == parameters.end()) {
    std::vector<std::string_view> names;
    for (const SweepParameter& each : parameters) names.push_back(each.name);
    return varyError(words, fmt::format("the inputs have no number `{}`", name),
                     syntax::spellingHint(name, names));
  }
  SweepAxis axis{*found, {}};
  if (rest.find("..") != rest.npos) {
    const auto range = rangeIn(words, rest, *found);
    if (!range) return base::Diagnostics(range.diagnostics());
    axis.values = valuesOf(*range, *found);
  } else if (auto list = listIn(rest)) {
    axis.values = *std::move(list);
  } else {
    return varyError(words, "expected values above 0", kForms);
  }
  std::ranges::sort(axis.values);
  const auto twins = std::ranges::unique(axis.values);
  axis.values.erase(twins.begin(), twins.end());
  if (auto errors = wrongValues(words, axis); !errors.empty()) return errors;
  return axis;
}

std::string varyText(const SweepAxis& axis) {
  std::string words = axis.parameter.name;
  for (std::size_t i = 0; i < axis.values.size(); ++i)
    words += (i == 0 ? "=" : ",") + report::exactText(axis.values[i]);
  return words;
}

}  // namespace gridloom::sweep
