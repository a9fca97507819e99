// SPDX-License-Identifier: Apache-2.0
#include "sweep/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "language/language.h"
#include "report/numbers.h"

namespace gridloom::sweep {

namespace {

std::string replaced(std::string words, char from, char to) {
  std::ranges::replace(words, from, to);
  return words;
}

std::string lower(std::string words) {
  for (char& each : words) each = static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  return words;
}

SweepParameter parameterOf(const language::HardwareField& field) {
  SweepParameter out{field.component, field.component, field.unit,      field.number,
                     field.whole,     false,           field.component, field.attribute};
  // Rates and clocks are written as whole numbers by chance.
  if (field.unit.find('/') != std::string::npos || field.unit.ends_with("Hz")) out.whole = false;
  if (field.attribute.empty()) return out;
  out.name += "." + replaced(field.attribute, ' ', '.');
  out.title += ": " + lower(replaced(field.attribute, '_', ' '));
  return out;
}

/// Four digits, which a text with fewer digits is written with.
double rounded(double value) {
  const std::string digits = fmt::format("{:.4g}", value);
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// Puts the present value in place of the nearest of those between the ends.
void putPresent(std::vector<double>& values, double now) {
  if (!(now > values.front() && now < values.back())) return;
  if (values.size() == 2) {
    values.insert(values.begin() + 1, now);
    return;
  }
  const auto distance = [&](double value) { return std::abs(value - now); };
  *std::min_element(values.begin() + 1, values.end() - 1,
                    [&](double a, double b) { return distance(a) < distance(b); }) = now;
}

}  // namespace

std::vector<SweepParameter> sweepParameters(const base::SourceRef& hardware,
                                            const service::KernelValues& kernelValues) {
  std::vector<SweepParameter> all;
  for (const auto& [name, value] : kernelValues)
    all.push_back({name, name, {}, static_cast<double>(value), true, true, name, {}});
  for (const auto& field : language::hardwareFields(hardware)) {
    // What takes its value from a parameter varies with that.
    if (!field.parameter.empty() && field.op != "param") continue;
    SweepParameter parameter = parameterOf(field);
    const bool taken = std::ranges::any_of(
        kernelValues, [&](const auto& each) { return each.first == parameter.name; });
    if (taken) {
      parameter.name = "hardware." + parameter.name;
      parameter.title += " of the hardware";
    }
    all.push_back(std::move(parameter));
  }
  return all;
}

service::InputTexts withValue(service::InputTexts texts, const SweepParameter& parameter,
                              double value) {
  if (parameter.ofKernel) {
    texts.parameters[parameter.component] = std::llround(value);
    return texts;
  }
  for (const auto& field : language::hardwareFields(texts.hardware)) {
    if (field.component != parameter.component || field.attribute != parameter.attribute) continue;
    if (field.number == value) break;
    std::string words = report::exactText(value);
    if (!field.unit.empty()) words += " " + field.unit;
    std::string text(texts.hardware->text());
    text.replace(field.value.begin, field.value.end - field.value.begin, words);
    texts.hardware = base::makeSource(texts.hardware->name(), std::move(text));
    break;
  }
  return texts;
}

service::InputTexts textsAt(service::InputTexts texts, const std::vector<SweepAxis>& axes,
                            const SweepPoint& point) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    texts = withValue(std::move(texts), axes[i].parameter, point.values[i]);
  return texts;
}

std::vector<double> sweepValues(const SweepParameter& parameter, double from, double to,
                                int count) {
  if (parameter.whole) {
    from = std::ceil(from);
    to = std::max(std::floor(to), from);
  }
  std::vector<double> values;
  const bool ratios = from > 0 && to >= 2 * from;
  for (int i = 0; i < count; ++i) {
    const double part = count > 1 ? static_cast<double>(i) / (count - 1) : 0;
    const double value = ratios ? from * std::pow(to / from, part) : from + (to - from) * part;
    values.push_back(parameter.whole || value >= 1000 ? std::round(value) : rounded(value));
  }
  if (count > 0) values.front() = from;
  if (count > 1) values.back() = to;
  if (count > 1) putPresent(values, parameter.now);
  const auto twins = std::ranges::unique(values);
  values.erase(twins.begin(), twins.end());
  return values;
}

}  // namespace gridloom::sweep
