// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "editors/snippet_fill.h"

class QCompleter;
class QKeyEvent;
class QLabel;
class QPlainTextEdit;
class QStandardItemModel;

namespace gridloom::widgets {

enum class Language;

/// Completes words of a language in an editor: after two letters, or with Ctrl+Space. Tab takes the
/// first word, Return one that the arrow keys chose, Escape none. Within the parentheses of a
/// function, or behind an attribute, a line below says what it takes. At the beginning of a line,
/// templates are offered, too; Tab then goes from place to place, and Escape ends it.
class EditorCompletion : public QObject {
  Q_OBJECT
 public:
  EditorCompletion(Language language, QPlainTextEdit* editor);

  /// Before the editor handles a key: whether it must not.
  bool takesKey(QKeyEvent* event);
  /// After the editor has handled a key.
  void afterKey(const QKeyEvent& event);
  /// The words that may follow at the cursor, shown in a list.
  void complete();
  bool isOpen() const;
  /// What the cursor is within, in one line; empty for nothing.
  QString hint() const;
  void hide();

 private:
  QString wordBefore() const;
  std::uint32_t cursorByte() const;
  bool fill(const QString& word);
  void insert(const QString& word);
  void insertTemplate(const QString& body);
  void fillNext();
  void showHint();

  QPlainTextEdit* m_editor;
  QString m_fileName;  ///< names the language to the service
  QCompleter* m_completer;
  QStandardItemModel* m_words;
  QLabel* m_hint;
  std::optional<SnippetFill> m_fill;  ///< the template that is filled
};

}  // namespace gridloom::widgets
