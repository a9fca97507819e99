// SPDX-License-Identifier: Apache-2.0
#include "cost/extrapolation.h"

#include <algorithm>
#include <cmath>

namespace gridloom::cost {

double LinearExtrapolation::of(double waiting) const {
  for (const Loop& loop : m_loops) waiting += loop.repeats * std::max(0.0, waiting - loop.fewer);
  return waiting;
}

double LinearExtrapolation::needed(double wanted) const {
  for (auto loop = m_loops.rbegin(); loop != m_loops.rend(); ++loop) {
    if (wanted > loop->fewer) wanted = (wanted + loop->repeats * loop->fewer) / (1 + loop->repeats);
  }
  return wanted;
}

PowerExtrapolation::PowerExtrapolation(double before, double left, double growth)
    : m_before(std::max(before, 1e-9)), m_left(left), m_growth(std::log(growth)) {}

double PowerExtrapolation::of(double waiting) const {
  return waiting * std::pow(m_left, power(waiting));
}

double PowerExtrapolation::needed(double wanted) const {
  if (wanted <= m_before || m_growth <= 0) return wanted;
  const double slope = std::log(m_left) / m_growth;
  const double between = std::pow(wanted * std::pow(m_before, slope), 1 / (1 + slope));
  if (power(between) < kSteepest) return between;
  return wanted / std::pow(m_left, kSteepest);
}

double PowerExtrapolation::power(double waiting) const {
  if (m_growth <= 0) return 0;
  return std::clamp(std::log(std::max(waiting, 1e-9) / m_before) / m_growth, 0.0, kSteepest);
}

}  // namespace gridloom::cost
