// SPDX-License-Identifier: GPL-3.0-or-later
#include "editors/editor_completion.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTextBlock>
#include <algorithm>

#include "editors/language_highlighter.h"
#include "models/quantity_text.h"
#include "language/language.h"

namespace gridloom::widgets {

namespace {

constexpr qsizetype kLeastLetters = 2;  // before the list opens by itself
constexpr int kShownWords = 8;
constexpr int kBody = Qt::UserRole + 1;  ///< of a template: its text

bool isWordLetter(QChar letter) { return letter.isLetterOrNumber() || letter == QLatin1Char('_'); }

QString fileNameOf(Language language) {
  switch (language) {
  case Language::Hardware:
    return QStringLiteral("editor.hw");
  case Language::Kernel:
    return QStringLiteral("editor.rec");
  case Language::Directives:
    break;
  }
  return QStringLiteral("editor.sched");
}

}  // namespace

EditorCompletion::EditorCompletion(Language language, QPlainTextEdit* editor)
    : QObject(editor),
      m_editor(editor),
      m_fileName(fileNameOf(language)),
      m_completer(new QCompleter(this)),
      m_words(new QStandardItemModel(this)),
      m_hint(new QLabel(editor->viewport())) {
  m_completer->setModel(m_words);
  m_completer->setWidget(editor);
  m_completer->setCompletionMode(QCompleter::PopupCompletion);
  m_completer->setCaseSensitivity(Qt::CaseSensitive);
  m_completer->setMaxVisibleItems(kShownWords);
  m_completer->popup()->setAccessibleName(QStringLiteral("Completions"));
  connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
          &EditorCompletion::insert);
  m_hint->setObjectName(QStringLiteral("hint"));
  m_hint->setAccessibleName(QStringLiteral("What is expected here"));
  m_hint->setAutoFillBackground(true);
  m_hint->setBackgroundRole(QPalette::ToolTipBase);
  m_hint->setTextFormat(Qt::PlainText);
  m_hint->setContentsMargins(6, 2, 6, 2);
  m_hint->hide();
}

bool EditorCompletion::isOpen() const { return m_completer->popup()->isVisible(); }

void EditorCompletion::hide() {
  m_completer->popup()->hide();
  m_hint->hide();
}

bool EditorCompletion::takesKey(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) {
    complete();
    return true;
  }
  if (event->key() == Qt::Key_Escape && (isOpen() || m_hint->isVisible() || m_fill)) {
    m_fill.reset();
    hide();
    return true;
  }
  if (m_fill && event->key() == Qt::Key_Tab) {
    if (m_fill->holds(m_editor->textCursor())) {
      fillNext();
      return true;
    }
    m_fill.reset();
  }
  if (!isOpen()) return false;
  const QModelIndex chosen = m_completer->popup()->currentIndex();
  switch (event->key()) {
  case Qt::Key_Tab:
    insert((chosen.isValid() ? chosen : m_completer->completionModel()->index(0, 0))
               .data()
               .toString());
    m_completer->popup()->hide();
    return true;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    // The list inserts what was chosen in it; nothing was, so the line ends.
    m_completer->popup()->hide();
    if (chosen.isValid()) insert(chosen.data().toString());
    return chosen.isValid();
  default:
    return false;
  }
}

void EditorCompletion::afterKey(const QKeyEvent& event) {
  const QString typed = event.text();
  const bool word = !typed.isEmpty() && isWordLetter(typed.back());
  const bool erases = event.key() == Qt::Key_Backspace && isOpen();
  if ((word || erases) && wordBefore().size() >= kLeastLetters)
    complete();
  else
    m_completer->popup()->hide();
  showHint();
}

QString EditorCompletion::wordBefore() const {
  const QTextCursor cursor = m_editor->textCursor();
  const QString line = cursor.block().text().left(cursor.positionInBlock());
  qsizetype begin = line.size();
  while (begin > 0 && isWordLetter(line[begin - 1])) --begin;
  return line.mid(begin);
}

std::uint32_t EditorCompletion::cursorByte() const {
  const QString before = m_editor->toPlainText().left(m_editor->textCursor().position());
  return static_cast<std::uint32_t>(before.toUtf8().size());
}

/// False when nothing but the word itself is known. A comment has no words of the language.
bool EditorCompletion::fill(const QString& word) {
  m_words->clear();
  const QTextCursor cursor = m_editor->textCursor();
  if (cursor.block().text().left(cursor.positionInBlock()).contains(QLatin1String("//")))
    return false;
  const auto source =
      base::makeSource(m_fileName.toStdString(), m_editor->toPlainText().toStdString());
  auto found = language::completionsAt(source, cursorByte());
  bool more = false;
  const auto add = [&](const QString& name, std::string_view help, const QString& body) {
    if (!name.startsWith(word)) return;
    auto* item = new QStandardItem(name);
    item->setData(body, kBody);
    item->setToolTip(text(std::string(help)));
    m_words->appendRow(item);
    more = more || name != word;
  };
  // Names of the text itself first: they are what is meant most often.
  const auto isName = [](const language::Completion& each) {
    return each.kind == language::Completion::Kind::Name;
  };
  const auto others = std::ranges::stable_partition(found, isName).begin();
  for (auto each = found.begin(); each != others; ++each) add(text(each->text), each->help, {});
  if (!word.isEmpty()) {
    for (const language::Snippet& each : language::snippetsAt(*source, cursorByte()))
      add(text(std::string(each.title)), each.help, text(std::string(each.body)));
  }
  for (auto each = others; each != found.end(); ++each) add(text(each->text), each->help, {});
  return more;
}

void EditorCompletion::complete() {
  const QString word = wordBefore();
  if (m_editor->isReadOnly() || !fill(word)) {
    m_completer->popup()->hide();
    return;
  }
  m_completer->setCompletionPrefix(word);
  QRect place = m_editor->cursorRect();
  place.translate(m_editor->viewport()->pos());
  QAbstractItemView* list = m_completer->popup();
  place.setWidth(list->sizeHintForColumn(0) + list->verticalScrollBar()->sizeHint().width() + 24);
  m_completer->complete(place);
  list->setCurrentIndex({});
}

void EditorCompletion::insert(const QString& word) {
  if (word.isEmpty()) return;
  for (const QStandardItem* item : m_words->findItems(word)) {
    const QString body = item->data(kBody).toString();
    if (!body.isEmpty()) return insertTemplate(body);
  }
  m_editor->textCursor().insertText(word.mid(wordBefore().size()));
  showHint();
}

/// In place of the word that brought it up.
void EditorCompletion::insertTemplate(const QString& body) {
  QTextCursor cursor = m_editor->textCursor();
  cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor,
                      static_cast<int>(wordBefore().size()));
  m_fill.emplace(cursor, body);
  fillNext();
  showHint();
}

/// Selects the next place; after the last one, the cursor goes behind its line.
void EditorCompletion::fillNext() {
  m_completer->popup()->hide();
  QTextCursor place = m_fill->next();
  if (place.isNull()) {
    m_fill.reset();
    place = m_editor->textCursor();
    place.movePosition(QTextCursor::EndOfLine);
  }
  m_editor->setTextCursor(place);
}

QString EditorCompletion::hint() const {
  const auto source =
      base::makeSource(m_fileName.toStdString(), m_editor->toPlainText().toStdString());
  return text(language::signatureAt(source, cursorByte())).remove(QLatin1Char('`'));
}

void EditorCompletion::showHint() {
  const QString words = hint();
  if (words.isEmpty() || !m_editor->hasFocus()) return m_hint->hide();
  const int room = m_editor->viewport()->width() - 8;
  m_hint->setText(m_hint->fontMetrics().elidedText(words, Qt::ElideRight, room - 12));
  m_hint->adjustSize();
  const QRect cursor = m_editor->cursorRect();
  const int below = cursor.bottom() + 4;
  const bool fits = below + m_hint->height() <= m_editor->viewport()->height();
  m_hint->move(std::clamp(cursor.left() - 12, 4, std::max(4, room - m_hint->width() + 4)),
               fits ? below : cursor.top() - m_hint->height() - 4);
  m_hint->show();
}

}  // namespace gridloom::widgets
