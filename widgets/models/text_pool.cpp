// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/text_pool.h"

#include <algorithm>
#include <numeric>

namespace gridloom::widgets {

std::uint32_t TextPool::add(const QString& text) {
  const auto found = m_ids.constFind(text);
  if (found != m_ids.cend()) return *found;
  const auto id = static_cast<std::uint32_t>(m_texts.size());
  m_ids.insert(text, id);
  m_texts.push_back(text);
  return id;
}

std::vector<std::uint32_t> TextPool::positions() const {
  std::vector<std::uint32_t> sorted(m_texts.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::ranges::sort(sorted, {}, [&](std::uint32_t id) -> const QString& { return m_texts[id]; });
  std::vector<std::uint32_t> positions(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    positions[sorted[i]] = static_cast<std::uint32_t>(i);
  return positions;
}

}  // namespace gridloom::widgets
