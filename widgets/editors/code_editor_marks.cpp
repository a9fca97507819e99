// SPDX-License-Identifier: GPL-3.0-or-later

// What an editor shows over and beside its text: problems, the current line, marked words, numbers.

#include <QHelpEvent>
#include <QPainter>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>

#include "editors/code_editor.h"
#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr std::size_t kMostWaves = 200;

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
