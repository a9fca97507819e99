// SPDX-License-Identifier: Apache-2.0
#include "cost/extrapolation.h"

#include <algorithm>
#include <cmath>

namespace gridloom::cost {

double LinearExtrapolation::of(double waiting) const {
  for (const Loop& loop : m_loops) waiting += loop.repeats * std::max(0.0, waiting - loop.fewer);
  return waiting;
}

PowerExtrapolation::PowerExtrapolation(double before, double left, double growth)
    : m_before(std::max(before, 1e-9)), m_left(left), m_growth(std::log(growth)) {}

double PowerExtrapolation::of(double waiting) const {
  return waiting * std::pow(m_left, power(waiting));
}

double PowerExtrapolation::power(double waiting) const {
  if (m_growth <= 0) return 0;
  return std::clamp(std::log(std::max(waiting, 1e-9) / m_before) / m_growth, 0.0, kSteepest);
}

}  // namespace gridloom::cost
