// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTextCursor>
#include <vector>

namespace gridloom::widgets {

/// A template that was inserted, while its places are filled one after the other. Places of the
/// same name are filled together: what the first one gets, the others get when it is left.
class SnippetFill {
 public:
  /// Inserts `body` (language::Snippet) instead of the selection of the cursor; further lines are
  /// indented as the first.
  SnippetFill(QTextCursor at, const QString& body);

  /// The first place of the next name, selected; a null cursor after the last.
  QTextCursor next();
  /// Whether a cursor is in or at the place that is filled.
  bool holds(const QTextCursor& cursor) const;

 private:
  /// Two cursors: of what is typed at a place, the begin stays before and the end behind it.
  struct Place {
    QString name;
    QTextCursor begin, end;
    QTextCursor selection() const;
  };
  const Place* current() const;
  void copyCurrent();

  std::vector<Place> m_places;
  std::vector<QString> m_names;  ///< in the order in which they are filled
  int m_current = -1;
};

}  // namespace gridloom::widgets
