// SPDX-License-Identifier: GPL-3.0-or-later
#include "editors/code_editor.h"

#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QHelpEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>

#include "editors/editor_completion.h"
#include "editors/language_highlighter.h"
#include "models/quantity_text.h"
#include "models/text_change.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr std::size_t kMostWaves = 200;

class Gutter : public QWidget {
 public:
  explicit Gutter(CodeEditor* editor) : QWidget(editor), m_editor(editor) {}
  QSize sizeHint() const override { return {m_editor->gutterWidth(), 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override { m_editor->paintGutter(event); }

 private:
  CodeEditor* m_editor;
};

QColor colourOf(base::Severity severity, const Tokens& tokens) {
  switch (severity) {
  case base::Severity::Error:
    return tokens.error;
  case base::Severity::Warning:
    return tokens.warning;
  case base::Severity::Note:
    break;
  }
  return tokens.faint;
}

QString messageOf(const base::Diagnostic& diagnostic) {
  QString message = text(diagnostic.message);
  if (!diagnostic.hint.empty()) message += QLatin1Char('\n') + text(diagnostic.hint);
  return message;
}

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

void CodeEditor::setProblems(const base::Diagnostics& problems) {
  const QByteArray utf8 = toPlainText().toUtf8();
  m_waves.clear();
  for (const base::Diagnostic& problem : problems) {
    if (!problem.source || m_waves.size() >= kMostWaves) continue;
    Wave wave;
    wave.begin = positionOfByte(utf8, problem.span.begin);
    wave.end = std::max(positionOfByte(utf8, problem.span.end), wave.begin);
    wave.severity = problem.severity;
    wave.message = messageOf(problem);
    m_waves.push_back(std::move(wave));
  }
  updateSelections();
  m_gutter->update();
}

void CodeEditor::updateSelections() {
  const Tokens& tokens = tokensFor(palette());
  QList<QTextEdit::ExtraSelection> list;
  QTextEdit::ExtraSelection line;
  QColor tint = tokens.raised;
  tint.setAlphaF(0.55F);
  line.format.setBackground(tint);
  line.format.setProperty(QTextFormat::FullWidthSelection, true);
  line.cursor = textCursor();
  line.cursor.clearSelection();
  list << line;
  const int last = document()->characterCount() - 1;
  for (const Wave& wave : m_waves) {
    QTextEdit::ExtraSelection mark;
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(colourOf(wave.severity, tokens));
    mark.cursor = QTextCursor(document());
    // An empty span underlines the character before it.
    const int end = std::min(std::max(wave.end, wave.begin + 1), last);
    mark.cursor.setPosition(std::clamp(std::min(wave.begin, end - 1), 0, last));
    mark.cursor.setPosition(std::max(end, 0), QTextCursor::KeepAnchor);
    list << mark;
  }
  for (QTextCursor at = nextMark({}); !at.isNull(); at = nextMark(at)) {
    QTextEdit::ExtraSelection mark;
    mark.format.setBackground(tokens.selection);
    mark.cursor = at;
    list << mark;
  }
  setExtraSelections(list);
}

/// The next occurrence of the marked word after a cursor, or the first for a null one.
QTextCursor CodeEditor::nextMark(const QTextCursor& after) const {
  if (m_markedWord.isEmpty()) return {};
  const QTextDocument::FindFlags whole =
      QTextDocument::FindWholeWords | QTextDocument::FindCaseSensitively;
  return after.isNull() ? document()->find(m_markedWord, 0, whole)
                        : document()->find(m_markedWord, after, whole);
}

void CodeEditor::markWord(const QString& word) {
  m_markedWord = word;
  updateSelections();
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

void CodeEditor::paintGutter(QPaintEvent* event) {
  const Tokens& tokens = tokensFor(palette());
  QPainter painter(m_gutter);
  painter.fillRect(event->rect(), tokens.panel);
  painter.setFont(font());
  QTextBlock block = firstVisibleBlock();
  double top = blockBoundingGeometry(block).translated(contentOffset()).top();
  while (block.isValid() && top <= event->rect().bottom()) {
    const double height = blockBoundingRect(block).height();
    const bool current = block.blockNumber() == textCursor().blockNumber();
    painter.setPen(current ? tokens.muted : tokens.faint);
    // A line that wraps has its number at its first row.
    const double row = block.layout()->lineAt(0).height();
    painter.drawText(QRectF(0, top, m_gutter->width() - 8, row), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(block.blockNumber() + 1));
    for (const Wave& wave : m_waves) {
      if (wave.begin < block.position() || wave.begin >= block.position() + block.length())
        continue;
      painter.fillRect(QRectF(0, top + 1, 3, height - 2), colourOf(wave.severity, tokens));
    }
    top += height;
    block = block.next();
  }
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

bool CodeEditor::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int at = cursorForPosition(help->pos() - QPoint(gutterWidth(), 0)).position();
    QStringList messages;
    for (const Wave& wave : m_waves) {
      if (at >= wave.begin && at <= std::max(wave.end, wave.begin + 1)) messages << wave.message;
    }
    if (messages.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), messages.join(QStringLiteral("\n\n")), this);
    return true;
  }
  return QPlainTextEdit::event(event);
}

}  // namespace gridloom::widgets
