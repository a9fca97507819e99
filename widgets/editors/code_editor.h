// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <vector>

#include "base/diagnostic.h"

namespace gridloom::widgets {

class EditorCompletion;
class LanguageHighlighter;
enum class Language;

/// A text editor with line numbers, syntax colours, and a wavy underline for every problem; its
/// message is the tooltip. It has no undo of its own: the project's undo also covers its other
/// parts.
class CodeEditor : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit CodeEditor(Language language, QWidget* parent = nullptr);

  /// Diagnostics whose spans are bytes of the current text.
  void setProblems(const base::Diagnostics& problems);
  /// Underlines as [begin, end) positions of the document.
  struct Wave {
    int begin = 0, end = 0;
    base::Severity severity = base::Severity::Error;
    QString message;
  };
  const std::vector<Wave>& waves() const { return m_waves; }
  /// Marks every occurrence of a word; none for an empty one.
  void markWord(const QString& word);
  /// Puts the cursor at a byte of the text and shows it.
  void goTo(std::uint32_t byteOffset);
  /// Replaces the whole text. The cursor goes to where it changed, or to the start of a text that
  /// is mostly new.
  void replaceText(const QString& text);

  EditorCompletion* completion() const { return m_completion; }

  int gutterWidth() const;
  void paintGutter(QPaintEvent* event);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void mousePressEvent(QMouseEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool canInsertFromMimeData(const QMimeData* source) const override;
  void insertFromMimeData(const QMimeData* source) override;
  bool event(QEvent* event) override;

 private:
  void updateMargins();
  void updateSelections();
  QTextCursor nextMark(const QTextCursor& after) const;
  void toggleComment();
  int positionOfByte(const QByteArray& utf8, std::uint32_t offset) const;

  QWidget* m_gutter;
  LanguageHighlighter* m_highlighter;
  EditorCompletion* m_completion;
  std::vector<Wave> m_waves;
  QString m_markedWord;
  bool m_leaves = false;  ///< Escape was the last key
};

}  // namespace gridloom::widgets
