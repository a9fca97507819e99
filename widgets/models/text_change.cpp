// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/text_change.h"

#include <QTextDocument>
#include <algorithm>

namespace gridloom::widgets {

TextChange changeBetween(const QString& before, const QString& after) {
  const qsizetype shorter = std::min(before.size(), after.size());
  qsizetype begin = 0;
  while (begin < shorter && before[begin] == after[begin]) ++begin;
  qsizetype tail = 0;
  while (tail < shorter - begin &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  return {begin, before.size() - begin - tail, after.size() - begin - tail};
}

QString asEdited(const QString& text) {
  QTextDocument document;
  document.setPlainText(text);
  return document.toPlainText();
}

}  // namespace gridloom::widgets
