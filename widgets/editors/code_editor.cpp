// SPDX-License-Identifier: GPL-3.0-or-later
#include "editors/code_editor.h"

#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QMenu>
#include <QMimeData>
#include <QTextBlock>
#include <algorithm>

#include "editors/editor_completion.h"
#include "editors/language_highlighter.h"
#include "models/text_change.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

class Gutter : public QWidget {
 public:
  explicit Gutter(CodeEditor* editor) : QWidget(editor), m_editor(editor) {}
  QSize sizeHint() const override { return {m_editor->gutterWidth(), 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override { m_editor->paintGutter(event); }

 private:
  CodeEditor* m_editor;
};

}  // namespace

CodeEditor::CodeEditor(Language language, QWidget* parent)
    : QPlainTextEdit(parent),
      m_gutter(new Gutter(this)),
      m_highlighter(new LanguageHighlighter(language, document())),
      m_completion(new EditorCompletion(language, this)) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(9);
  setFont(font);
  setUndoRedoEnabled(false);
  setTabChangesFocus(false);
  setTabStopDistance(2 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
  connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeEditor::updateMargins);
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &CodeEditor::updateSelections);
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
    if (dy != 0)
      m_gutter->scroll(0, dy);
    else
      m_gutter->update(0, rect.y(), m_gutter->width(), rect.height());
  });
  m_highlighter->setTokens(tokensFor(palette()));
  updateMargins();
  updateSelections();
}

int CodeEditor::positionOfByte(const QByteArray& utf8, std::uint32_t offset) const {
  const auto bytes = std::min<qsizetype>(offset, utf8.size());
  return static_cast<int>(QString::fromUtf8(utf8.constData(), bytes).size());
}

void CodeEditor::goTo(std::uint32_t byteOffset) {
  QTextCursor cursor(document());
  cursor.setPosition(std::min(positionOfByte(toPlainText().toUtf8(), byteOffset),
                              document()->characterCount() - 1));
  setTextCursor(cursor);
  centerCursor();
  setFocus();
}

void CodeEditor::replaceText(const QString& text) {
  const QString before = toPlainText();
  if (text == before) return;
  const TextChange change = changeBetween(before, text);
  m_waves.clear();
  QTextCursor cursor(document());
  cursor.setPosition(static_cast<int>(change.begin));
  cursor.setPosition(static_cast<int>(change.begin + change.removed), QTextCursor::KeepAnchor);
  cursor.insertText(text.mid(change.begin, change.inserted));
  if (2 * change.inserted > text.size()) cursor.setPosition(0);
  setTextCursor(cursor);
  ensureCursorVisible();
}

// An X server may offer a clipboard without contents, which would crash Qt's own editor.
bool CodeEditor::canInsertFromMimeData(const QMimeData* source) const {
  return source && source->hasText();
}

void CodeEditor::insertFromMimeData(const QMimeData* source) {
  if (!canInsertFromMimeData(source)) return;
  textCursor().insertText(source->text());
  ensureCursorVisible();
}

/// The usual menu, with the window's undo and redo instead of the text's own.
void CodeEditor::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = createStandardContextMenu(event->pos());
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const char* name : {"edit-undo", "edit-redo"}) {
    if (auto* own = menu->findChild<QAction*>(QLatin1String(name))) menu->removeAction(own);
  }
  menu->insertActions(menu->actions().value(0), actions());
  menu->popup(event->globalPos());
}

int CodeEditor::gutterWidth() const {
  const auto digits = std::max<qsizetype>(2, QString::number(blockCount()).size());
  return 16 + static_cast<int>(digits) * fontMetrics().horizontalAdvance(QLatin1Char('9'));
}

void CodeEditor::updateMargins() { setViewportMargins(gutterWidth(), 0, 0, 0); }

void CodeEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  const QRect inside = contentsRect();
  m_gutter->setGeometry(inside.left(), inside.top(), gutterWidth(), inside.height());
}

void CodeEditor::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
    m_highlighter->setTokens(tokensFor(palette()));
    updateSelections();
  }
  if (event->type() == QEvent::FontChange) updateMargins();
}

void CodeEditor::keyPressEvent(QKeyEvent* event) {
  if (isReadOnly()) return QPlainTextEdit::keyPressEvent(event);
  if (m_completion->takesKey(event)) return;
  m_leaves = event->key() == Qt::Key_Escape;
  if (event->key() == Qt::Key_Slash && event->modifiers() == Qt::ControlModifier) {
    toggleComment();
  } else if (event->key() == Qt::Key_Tab && event->modifiers() == Qt::NoModifier &&
             !textCursor().hasSelection()) {
    insertPlainText(QStringLiteral("  "));
  } else {
    QPlainTextEdit::keyPressEvent(event);
  }
  m_completion->afterKey(*event);
}

/// Tab writes spaces here; Shift+Tab leaves the text, and so does Tab after Escape.
bool CodeEditor::focusNextPrevChild(bool next) {
  return next && !m_leaves && !isReadOnly() ? QPlainTextEdit::focusNextPrevChild(next)
                                            : QWidget::focusNextPrevChild(next);
}

void CodeEditor::mousePressEvent(QMouseEvent* event) {
  m_leaves = false;
  QPlainTextEdit::mousePressEvent(event);
}

void CodeEditor::focusOutEvent(QFocusEvent* event) {
  QPlainTextEdit::focusOutEvent(event);
  m_leaves = false;
  if (event->reason() != Qt::PopupFocusReason) m_completion->hide();
}

void CodeEditor::toggleComment() {
  QTextCursor cursor = textCursor();
  QTextBlock block = document()->findBlock(cursor.selectionStart());
  const QTextBlock last = document()->findBlock(cursor.selectionEnd());
  const bool commented = block.text().trimmed().startsWith(QLatin1String("//"));
  cursor.beginEditBlock();
  for (; block.isValid() && block.blockNumber() <= last.blockNumber(); block = block.next()) {
    QTextCursor edit(block);
    if (!commented) {
      edit.insertText(QStringLiteral("// "));
      continue;
    }
    const qsizetype at = block.text().indexOf(QLatin1String("//"));
    if (at < 0) continue;
    edit.setPosition(block.position() + static_cast<int>(at));
    edit.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor,
                      block.text().mid(at).startsWith(QLatin1String("// ")) ? 3 : 2);
    edit.removeSelectedText();
  }
  cursor.endEditBlock();
}

}  // namespace gridloom::widgets
