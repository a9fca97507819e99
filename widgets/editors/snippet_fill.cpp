// SPDX-License-Identifier: GPL-3.0-or-later
#include "editors/snippet_fill.h"

#include <QRegularExpression>
#include <QTextBlock>
#include <algorithm>

namespace gridloom::widgets {

SnippetFill::SnippetFill(QTextCursor at, const QString& body) {
  static const QRegularExpression place(QStringLiteral("\\$\\{([^}]*)\\}"));
  static const QRegularExpression indent(QStringLiteral("^[ \t]*"));
  const QString spaces = indent.match(at.block().text()).captured();
  QString lines = body;
  lines.replace(QLatin1Char('\n'), QLatin1Char('\n') + spaces);
  struct Range {
    QString name;
    int begin = 0, end = 0;
  };
  std::vector<Range> ranges;
  QString words;
  qsizetype from = 0;
  const int start = at.selectionStart();
  for (auto each = place.globalMatch(lines); each.hasNext();) {
    const QRegularExpressionMatch match = each.next();
    words += lines.mid(from, match.capturedStart() - from);
    const int begin = start + static_cast<int>(words.size());
    words += match.captured(1);
    ranges.push_back({match.captured(1), begin, start + static_cast<int>(words.size())});
    from = match.capturedEnd();
  }
  at.insertText(words + lines.mid(from));
  for (const Range& range : ranges) {
    Place made{range.name, QTextCursor(at.document()), QTextCursor(at.document())};
    made.begin.setPosition(range.begin);
    made.begin.setKeepPositionOnInsert(true);
    made.end.setPosition(range.end);
    m_places.push_back(made);
    if (std::ranges::find(m_names, range.name) == m_names.end()) m_names.push_back(range.name);
  }
}

QTextCursor SnippetFill::Place::selection() const {
  // The anchor of `begin` moves with what is typed: only its position stays.
  QTextCursor cursor(begin.document());
  cursor.setPosition(begin.position());
  cursor.setPosition(end.position(), QTextCursor::KeepAnchor);
  return cursor;
}

const SnippetFill::Place* SnippetFill::current() const {
  if (m_current < 0 || m_current >= static_cast<int>(m_names.size())) return nullptr;
  const QString& name = m_names[static_cast<std::size_t>(m_current)];
  return &*std::ranges::find(m_places, name, &Place::name);
}

QTextCursor SnippetFill::next() {
  copyCurrent();
  ++m_current;
  const Place* place = current();
  return place ? place->selection() : QTextCursor();
}

bool SnippetFill::holds(const QTextCursor& cursor) const {
  const Place* place = current();
  return place && place->begin.position() <= cursor.position() &&
         cursor.position() <= place->end.position();
}

void SnippetFill::copyCurrent() {
  const Place* first = current();
  if (!first) return;
  const QString words = first->selection().selectedText();
  for (const Place& other : m_places) {
    if (&other == first || other.name != first->name) continue;
    QTextCursor there = other.selection();
    if (there.selectedText() != words) there.insertText(words);
  }
}

}  // namespace gridloom::widgets
