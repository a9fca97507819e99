// SPDX-License-Identifier: Apache-2.0
#include "importer/linear.h"

namespace gridloom::importer {

namespace {

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

void addTerm(Linear& to, Loop loop, std::int64_t coefficient) {
  const std::int64_t sum = to.terms[loop] += coefficient;
  if (sum == 0) to.terms.erase(loop);
}

}  // namespace

std::int64_t Linear::coefficient(Loop loop) const {
  const auto at = terms.find(loop);
  return at == terms.end() ? 0 : at->second;
}

std::optional<Loop> Linear::asLoop() const {
  if (constant != 0 || terms.size() != 1 || terms.begin()->second != 1) return std::nullopt;
  return terms.begin()->first;
}

Linear operator+(const Linear& a, const Linear& b) {
  Linear sum = a;
  sum.constant += b.constant;
  for (const auto& [loop, coefficient] : b.terms) addTerm(sum, loop, coefficient);
  return sum;
}

Linear operator-(const Linear& a, const Linear& b) { return a + b * -1; }

Linear operator*(const Linear& a, std::int64_t factor) {
  Linear product;
  if (factor == 0) return product;
  product.constant = a.constant * factor;
  for (const auto& [loop, coefficient] : a.terms) product.terms[loop] = coefficient * factor;
  return product;
}

Loop Loops::add(std::int64_t extent) {
  m_loops.push_back({extent, std::nullopt});
  return static_cast<Loop>(m_loops.size()) - 1;
}

Linear Loops::normal(const Linear& form) const {
  Linear result = Linear::of(form.constant);
  for (const auto& [loop, coefficient] : form.terms) {
    const auto& parts = m_loops[static_cast<std::size_t>(loop)].parts;
    if (parts) {
      result = result + normal(*parts) * coefficient;
    } else {
      addTerm(result, loop, coefficient);
    }
  }
  return result;
}

std::pair<std::int64_t, std::int64_t> Loops::range(const Linear& form) const {
  std::int64_t least = form.constant, greatest = form.constant;
  for (const auto& [loop, coefficient] : form.terms) {
    (coefficient < 0 ? least : greatest) += coefficient * (extent(loop) - 1);
  }
  return {least, greatest};
}

std::optional<std::pair<Linear, Linear>> Loops::divide(const Linear& form, std::int64_t divisor) {
  if (divisor <= 0) return std::nullopt;
  for (int tries = 0; tries < 4; ++tries) {
    const Linear now = normal(form);
    Linear quotient, rest;
    for (const auto& [loop, coefficient] : now.terms) {
      const bool whole = coefficient % divisor == 0;
      (whole ? quotient : rest).terms[loop] = whole ? coefficient / divisor : coefficient;
    }
    quotient.constant = floorDiv(now.constant, divisor);
    rest.constant = now.constant - quotient.constant * divisor;
    const auto [least, greatest] = range(rest);
    const std::int64_t low = floorDiv(least, divisor);
    if (low == floorDiv(greatest, divisor)) {
      quotient.constant += low;
      rest.constant -= low * divisor;
      return std::pair{quotient, rest};
    }
    if (!divideOneLoop(rest, divisor)) return std::nullopt;
  }
  return std::nullopt;
}

// A loop whose coefficient divides the divisor runs over several multiples of it: its inner part
// runs up to the next one.
bool Loops::divideOneLoop(const Linear& form, std::int64_t divisor) {
  for (const auto& [loop, coefficient] : form.terms) {
    if (coefficient <= 0 || divisor % coefficient != 0) continue;
    const std::int64_t inner = divisor / coefficient, all = extent(loop);
    if (inner <= 1 || inner >= all || all % inner != 0) continue;
    const Linear parts = Linear::loop(add(all / inner)) * inner + Linear::loop(add(inner));
    m_loops[static_cast<std::size_t>(loop)].parts = parts;
    return true;
  }
  return false;
}

}  // namespace gridloom::importer
