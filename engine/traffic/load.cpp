// SPDX-License-Identifier: Apache-2.0
#include "traffic/load.h"

#include <algorithm>

namespace gridloom::traffic {

double Load::peak() const {
  double most = 0;
  for (const Part& part : m_parts) {
    if (!part.empty()) most = std::max(most, *std::ranges::max_element(part));
  }
  return most;
}

void Load::scale(double factor) {
  for (Part& part : m_parts) {
    for (double& cycles : part) cycles *= factor;
  }
}

void Load::add(const Load& other) {
  for (std::size_t p = 0; p < m_parts.size(); ++p) {
    const Part& added = other.m_parts[p];
    if (m_parts[p].empty()) {
      m_parts[p] = added;
      continue;
    }
    for (std::size_t i = 0; i < added.size(); ++i) m_parts[p][i] += added[i];
  }
}

}  // namespace gridloom::traffic
