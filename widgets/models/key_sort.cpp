// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/key_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace gridloom::widgets {

namespace {

/// A row with the upper 32 bits of its key: sign, exponent and 20 bits of the fraction. Most keys
/// differ in them, and sorting moves half as many bytes as with whole keys.
struct Entry {
  std::uint32_t upper = 0;
  int row = 0;
};

constexpr int kDigits = 3;
constexpr int kDigitBits = 11;
constexpr std::size_t kValues = std::size_t{1} << kDigitBits;
using Counts = std::array<std::array<std::uint32_t, kValues>, kDigits>;

std::size_t digitOf(std::uint32_t upper, int digit) {
  return (upper >> (kDigitBits * digit)) & (kValues - 1);
}

/// Bits that, compared as unsigned numbers, have the order of the keys; the reverse with `down`.
std::uint64_t orderedBits(double key, bool down) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(key + 0.0);  // -0 is equal to 0
  const std::uint64_t up = bits & kSign ? ~bits : bits | kSign;
  return down ? ~up : up;
}

void sortByUpper(std::vector<Entry>& entries) {
  Counts counts{};
  for (const Entry& entry : entries)
    for (int digit = 0; digit < kDigits; ++digit)
      ++counts[static_cast<std::size_t>(digit)][digitOf(entry.upper, digit)];
  std::vector<Entry> other(entries.size());
  for (int digit = 0; digit < kDigits; ++digit) {
    auto& places = counts[static_cast<std::size_t>(digit)];
    // This digit is the same in all keys, so it changes no order.
    if (places[digitOf(entries.front().upper, digit)] == entries.size()) continue;
    std::uint32_t before = 0;
    for (std::uint32_t& place : places) before += std::exchange(place, before);
    for (const Entry& entry : entries) other[places[digitOf(entry.upper, digit)]++] = entry;
    entries.swap(other);
  }
}

}  // namespace

void sortByKey(std::vector<int>& rows, const std::vector<double>& keys, bool down) {
  if (rows.size() < 2) return;
  const auto bitsOf = [&](int row) {
    return orderedBits(keys[static_cast<std::size_t>(row)], down);
  };
  std::vector<Entry> entries(rows.size());
  std::ranges::transform(rows, entries.begin(), [&](int row) {
    return Entry{static_cast<std::uint32_t>(bitsOf(row) >> 32), row};
  });
  if (!std::ranges::is_sorted(entries, {}, &Entry::upper)) sortByUpper(entries);
  std::ranges::transform(entries, rows.begin(), &Entry::row);
  // Rows with the same upper half are sorted by the whole key. They are still in the order of the
  // input, which is kept for equal keys.
  for (std::size_t first = 0, last = 0; first < rows.size(); first = last) {
    for (last = first + 1; last < rows.size() && entries[last].upper == entries[first].upper;)
      ++last;
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = rows.begin() + static_cast<std::ptrdiff_t>(last);
    if (last - first > 1 &&
        !std::is_sorted(from, to, [&](int a, int b) { return bitsOf(a) < bitsOf(b); }))
      std::stable_sort(from, to, [&](int a, int b) { return bitsOf(a) < bitsOf(b); });
  }
}

}  // namespace gridloom::widgets
