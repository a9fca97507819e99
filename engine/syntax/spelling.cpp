// SPDX-License-Identifier: Apache-2.0
#include "syntax/spelling.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "kernel/dtype.h"

namespace gridloom::syntax {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::size_t commonBeginning(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

constexpr std::size_t kLongestWord = 64;

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  // A single letter is like no other.
  std::size_t bestDistance = std::min(word.size(), std::max<std::size_t>(1, word.size() / 3) + 1);
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const std::size_t distance = editDistance(word, candidate);
    // Among equally near candidates, prefers one with the same beginning.
    const bool alike = !best.empty() && distance == bestDistance &&
                       commonBeginning(word, candidate) > commonBeginning(word, best);
    if (distance < bestDistance || alike) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

std::string spellingHint(std::string_view word, std::span<const std::string_view> candidates) {
  if (candidates.empty()) return {};
  const std::string_view near = nearest(word, candidates);
  if (!near.empty()) return "did you mean `" + std::string(near) + "`?";
  std::string hint = "known are: ";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i != 0) hint += ", ";
    hint.append("`").append(candidates[i]).append("`");
  }
  return hint;
}

std::string dtypeHint(std::string_view word) {
  static constexpr auto kElsewhere = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"double", "f64"},    {"float64", "f64"}, {"fp64", "f64"},
       {"float", "f32"},     {"float32", "f32"}, {"fp32", "f32"},
       {"half", "f16"},      {"float16", "f16"}, {"fp16", "f16"},
       {"bfloat16", "bf16"}, {"e4m3", "f8e4m3"}, {"e5m2", "f8e5m2"},
       {"fp8", "f8e4m3"},    {"f8", "f8e4m3"},   {"float8_e4m3", "f8e4m3"},
       {"fp4", "mxfp4"},     {"long", "i64"},    {"int64", "i64"},
       {"int32", "i32"},     {"int", "i32"},     {"short", "i16"},
       {"int16", "i16"},     {"int8", "i8"},     {"uint8", "i8"},
       {"u8", "i8"},         {"int4", "i4"},     {"uint4", "i4"},
       {"u4", "i4"}});
  const auto* const known =
      std::ranges::find(kElsewhere, word, &decltype(kElsewhere)::value_type::first);
  if (known != kElsewhere.end()) return "did you mean `" + std::string(known->second) + "`?";
  return spellingHint(word, kernel::dtypeNames());
}

}  // namespace gridloom::syntax
