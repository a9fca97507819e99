// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>
#include <cstdint>
#include <vector>

namespace gridloom::widgets {

/// Texts that repeat in many rows: each is stored once, and rows hold its number.
class TextPool {
 public:
  std::uint32_t add(const QString& text);
  const QString& at(std::uint32_t id) const { return m_texts[id]; }
  std::size_t size() const { return m_texts.size(); }
  /// Per text: its position in alphabetic order.
  std::vector<std::uint32_t> positions() const;

 private:
  QHash<QString, std::uint32_t> m_ids;
  std::vector<QString> m_texts;
};

}  // namespace gridloom::widgets
