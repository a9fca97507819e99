// SPDX-License-Identifier: Apache-2.0
#include "ranking/model_errors.h"

#include <algorithm>
#include <cmath>

namespace gridloom::ranking {

void ModelErrors::record(const Structure& of, double predicted, double simulated) {
  const double error = std::log(simulated / predicted);
  m_squares += error * error;
  ++m_count;
  Group& family = m_families[of.family];
  if (family.count > 0) {
    m_between -= family.sum * family.mean();
  } else {
    Group& kinds = m_kinds[of.kinds];
    kinds.sum += error;
    ++kinds.count;
  }
  family.sum += error;
  ++family.count;
  m_between += family.sum * family.mean();
}

// Few families say little about another: their mean counts n / (n + 1).
ModelErrors::Outlook ModelErrors::ofNewFamily(const Group& kinds) const {
  const double error = kinds.sum / (kinds.count + 1);
  return {error, std::abs(kinds.mean() - error)};
}

ModelErrors::Outlook ModelErrors::outlook(const Structure& of) const {
  const auto repeats = m_count - static_cast<int>(m_families.size());
  const double within =
      repeats > 0 ? std::sqrt(std::max(0.0, m_squares - m_between) / repeats) : typical();
  if (const auto family = m_families.find(of.family); family != m_families.end())
    return {family->second.mean(), within};
  const auto kinds = m_kinds.find(of.kinds);
  if (kinds == m_kinds.end()) return {0, typical()};
  Outlook outlook = ofNewFamily(kinds->second);
  outlook.deviation = std::max(outlook.deviation, within);
  return outlook;
}

double ModelErrors::typical() const { return m_count == 0 ? 0 : std::sqrt(m_squares / m_count); }

}  // namespace gridloom::ranking
