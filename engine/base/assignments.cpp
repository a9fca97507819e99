// SPDX-License-Identifier: Apache-2.0
#include "base/assignments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gridloom::base {

std::optional<double> numberIn(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Result<std::vector<Assignment>> assignmentsIn(std::string_view text) {
  std::vector<Assignment> out;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t sign = word.find_first_of("=*");
    Assignment change{std::string(word.substr(0, sign)), sign < word.size() && word[sign] == '*'};
    const auto value = numberIn(word.substr(std::min(sign, word.size() - 1) + 1));
    if (!value || std::abs(*value) > 1e15) {
      return plainError(fmt::format("expected `NAME=NUMBER`, got `{}`", word),
                        "several are separated by blanks: `M=1024 N=1024`");
    }
    change.value = *value;
    out.push_back(std::move(change));
  }
  return out;
}

Result<std::vector<std::pair<std::string, std::int64_t>>> sizesIn(std::string_view text) {
  auto changes = assignmentsIn(text);
  if (!changes) return changes.takeDiagnostics();
  std::vector<std::pair<std::string, std::int64_t>> out;
  for (const Assignment& change : *changes) {
    if (change.factor || change.value != std::round(change.value)) {
      return plainError(
          fmt::format("`{}` has to be a whole number, not {}", change.name, change.value));
    }
    out.emplace_back(change.name, std::llround(change.value));
  }
  return out;
}

}  // namespace gridloom::base
