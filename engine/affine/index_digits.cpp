// SPDX-License-Identifier: Apache-2.0
#include "affine/index_digits.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace gridloom::affine {

namespace {

// Chooses, one after the other, indices whose open dimensions are digits, and closes these.
class Digits {
 public:
  Digits(std::span<const LinearExpr> indices, std::span<const std::int64_t> extents)
      : m_indices(indices), m_extents(extents), m_open(extents.size(), false) {
    for (const LinearExpr& index : indices) {
      for (std::size_t d = 0; d < extents.size(); ++d) {
        // One iteration needs no telling apart.
        if (index.dependsOn(d) && extents[d] > 1) m_open[d] = true;
      }
    }
  }

  // The next index and its open dimensions, the largest factor first. Without any: nothing is left,
  // or what is left cannot be told apart.
  bool next(std::size_t& at, std::vector<std::size_t>& digits) {
    for (at = 0; at < m_indices.size(); ++at) {
      digits.clear();
      for (std::size_t d = 0; d < m_open.size(); ++d) {
        if (m_open[d] && m_indices[at].dependsOn(d)) digits.push_back(d);
      }
      if (digits.empty() || !areDigits(m_indices[at], digits)) continue;
      for (const std::size_t d : digits) m_open[d] = false;
      return true;
    }
    return false;
  }

  bool isDone() const { return std::ranges::find(m_open, true) == m_open.end(); }

 private:
  bool areDigits(const LinearExpr& index, std::vector<std::size_t>& digits) const {
    const auto size = [&](std::size_t d) { return std::abs(index.coefficient(d)); };
    std::ranges::sort(digits, std::ranges::greater{}, size);
    std::int64_t reach = 1;
    for (auto d = digits.rbegin(); d != digits.rend(); ++d) {
      if (size(*d) < reach) return false;
      std::int64_t span = 0;
      if (__builtin_mul_overflow(size(*d), m_extents[*d] - 1, &span) ||
          __builtin_add_overflow(reach, span, &reach)) {
        return false;
      }
    }
    return true;
  }

  std::span<const LinearExpr> m_indices;
  std::span<const std::int64_t> m_extents;
  std::vector<bool> m_open;
};

}  // namespace

bool isInjective(std::span<const LinearExpr> indices, std::span<const std::int64_t> extents) {
  Digits digits(indices, extents);
  std::size_t at = 0;
  std::vector<std::size_t> found;
  while (digits.next(at, found)) {
  }
  return digits.isDone();
}

bool pointAt(std::span<const LinearExpr> indices, std::span<const std::int64_t> values,
             std::span<const std::int64_t> extents, std::vector<std::int64_t>& point) {
  point.assign(extents.size(), 0);
  Digits digits(indices, extents);
  std::size_t at = 0;
  std::vector<std::size_t> found;
  while (digits.next(at, found)) {
    std::int64_t rest = values[at] - indices[at].evaluate(point);
    // A negative factor counts down from the last iteration.
    for (const std::size_t d : found) {
      rest -= std::min<std::int64_t>(indices[at].coefficient(d), 0) * (extents[d] - 1);
    }
    if (rest < 0) return false;
    for (const std::size_t d : found) {
      const std::int64_t factor = indices[at].coefficient(d);
      const std::int64_t digit = std::min(rest / std::abs(factor), extents[d] - 1);
      rest -= digit * std::abs(factor);
      point[d] = factor > 0 ? digit : extents[d] - 1 - digit;
    }
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i].evaluate(point) != values[i]) return false;
  }
  return true;
}

}  // namespace gridloom::affine
