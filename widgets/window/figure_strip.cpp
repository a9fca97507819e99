// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/figure_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>

#include "window/flow_layout.h"

namespace gridloom::widgets {

namespace {

constexpr int kUsualGap = 24, kLeastGap = 10;  // pixels between figures
constexpr int kToNote = 6;

}  // namespace

FigureStrip::FigureStrip(const std::vector<Figure>& figures, QWidget* parent) : QWidget(parent) {
  auto* rows = new FlowLayout({kUsualGap, kLeastGap, 4}, this);
  rows->setContentsMargins(14, 8, 14, 6);
  for (const Figure& figure : figures) {
    auto* column = new QWidget;
    auto* lines = new QVBoxLayout(column);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(1);
    auto* name = new QLabel(figure.name);
    name->setProperty("role", QStringLiteral("muted"));
    auto* value = new QLabel(QStringLiteral("–"));
    value->setProperty("role", QStringLiteral("figure"));
    value->setAccessibleName(figure.name);
    column->setToolTip(figure.meaning);
    m_noteTexts.push_back({{}, {}, figure.meaning, figure.name, column});
    auto* note = new QLabel;
    note->setProperty("role", QStringLiteral("muted"));
    note->hide();
    auto* line = new QHBoxLayout;
    line->setSpacing(kToNote);
    line->addWidget(value);
    line->addWidget(note, 1);
    lines->addWidget(name);
    lines->addLayout(line);
    auto* change = new QLabel;
    change->setProperty("role", QStringLiteral("muted"));
    change->hide();
    lines->addWidget(change);
    m_changes.push_back(change);
    rows->addWidget(column);
    m_names.push_back(name);
    m_values.push_back(value);
    m_notes.push_back(note);
  }
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

// A label that gets other words asks for a layout, which brings us here again: only words that stay
// are written. Layouts around the strip use its least size only, and figures of another length may
// need a row more or less.
bool FigureStrip::event(QEvent* event) {
  const bool known = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize) {
    fit();
    setMinimumHeight(layout()->heightForWidth(width()));
  }
  return known;
}

void FigureStrip::fit() {
  fitChanges();
  fitNotes();
}

int FigureStrip::widthOf(std::size_t figure, const QString& note, const QString& change) const {
  const int value = m_values[figure]->sizeHint().width();
  const int words = m_notes[figure]->fontMetrics().horizontalAdvance(note);
  const int line = note.isEmpty() ? value : value + kToNote + words;
  return std::max({widthOf(*m_names[figure], m_noteTexts[figure].name), line,
                   widthOf(*m_changes[figure], change)});
}

/// Of a label with other words than it has now.
int FigureStrip::widthOf(const QLabel& label, const QString& words) {
  const QFontMetrics metrics = label.fontMetrics();
  return label.isHidden() ? 0
                          : label.sizeHint().width() - metrics.horizontalAdvance(label.text()) +
                                metrics.horizontalAdvance(words);
}

QString FigureStrip::changeOf(std::size_t figure, bool brief) const {
  if (figure >= m_texts.size()) return {};
  const Change& change = m_texts[figure];
  return brief && !change.brief.isEmpty() ? change.brief : change.whole;
}

/// What a row of all figures without their notes leaves; negative where they need a second one.
int FigureStrip::room(bool brief) const {
  const QMargins around = layout()->contentsMargins();
  int room = width() - around.left() - around.right() + kLeastGap;
  for (std::size_t i = 0; i < m_values.size(); ++i)
    room -= widthOf(i, {}, changeOf(i, brief)) + kLeastGap;
  return room;
}

/// The changes are more than the notes: they have their whole form wherever one row holds it.
void FigureStrip::fitChanges() {
  m_brief = m_compact || room(false) < 0;
  showChanges(m_brief);
}

/// As many notes as fit into one row: those of the last figure first, as it has no other evidence,
/// brief ones before whole ones. Where not even its brief one fits, its caption takes it.
void FigureStrip::fitNotes() {
  int left = room(m_brief);
  const auto widthWith = [this](std::size_t figure, const QString& note) {
    return widthOf(figure, note, changeOf(figure, m_brief));
  };
  std::vector<QString> shown(m_values.size());
  for (const auto form : {&Note::brief, &Note::whole}) {
    for (std::size_t n = 0; n < shown.size(); ++n) {
      const std::size_t i = n == 0 ? shown.size() - 1 : n - 1;
      const int more = widthWith(i, m_noteTexts[i].*form) - widthWith(i, shown[i]);
      if (more > left) continue;
      left -= more;
      shown[i] = m_noteTexts[i].*form;
    }
  }
  const Note& last = m_noteTexts.back();
  QString caption = last.name;
  if (shown.back().isEmpty() && !last.brief.isEmpty()) {
    const QString noted = last.name + QLatin1Char(' ') + last.brief;
    const int more =
        m_names.back()->fontMetrics().horizontalAdvance(noted) - widthWith(shown.size() - 1, {});
    if (more <= left) caption = noted;
  }
  m_names.back()->setText(caption);
  // What is drawn next has room for the new words.
  if (showNotes(shown)) layout()->activate();
}

/// Whether any note has changed.
bool FigureStrip::showNotes(const std::vector<QString>& notes) {
  bool changed = false;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    if (m_notes[i]->text() == notes[i] && m_notes[i]->isHidden() == notes[i].isEmpty()) continue;
    m_notes[i]->setText(notes[i]);
    m_notes[i]->setVisible(!notes[i].isEmpty());
    m_noteTexts[i].column->layout()->activate();
    changed = true;
  }
  return changed;
}

void FigureStrip::setValue(std::size_t figure, const QString& value) {
  m_values[figure]->setText(value);
}

// Labels that are shown anew are laid out at once. All have a line or none, so that the figures of
// a row stand on one line.
void FigureStrip::setChanges(std::vector<Change> changes) {
  m_texts = std::move(changes);
  const bool none = std::ranges::all_of(m_texts, &QString::isEmpty, &Change::whole);
  for (QLabel* each : m_changes) each->setHidden(none);
  fit();
}

void FigureStrip::showChanges(bool brief) {
  for (std::size_t i = 0; i < m_texts.size(); ++i) {
    m_changes[i]->setText(changeOf(i, brief));
    m_changes[i]->setToolTip(m_texts[i].whole);
  }
}

void FigureStrip::setCompact(bool compact) {
  if (m_compact == compact) return;
  m_compact = compact;
  for (QLabel* value : m_values) {
    value->setProperty("role",
                       compact ? QStringLiteral("compactFigure") : QStringLiteral("figure"));
    value->style()->unpolish(value);
    value->style()->polish(value);
  }
  fit();
}

void FigureStrip::setNote(std::size_t figure, const QString& note, const QString& brief) {
  Note& texts = m_noteTexts[figure];
  if (texts.whole == note) return;
  texts.whole = note;
  texts.brief = brief.isEmpty() ? note : brief;
  texts.column->setToolTip(note.isEmpty() ? texts.meaning
                                          : note + QStringLiteral("\n") + texts.meaning);
  fit();
}

QString FigureStrip::note(std::size_t figure) const { return m_noteTexts[figure].whole; }

QString FigureStrip::shownNote(std::size_t figure) const { return m_notes[figure]->text(); }

QString FigureStrip::caption(std::size_t figure) const { return m_names[figure]->text(); }

QString FigureStrip::change(std::size_t figure) const { return m_changes[figure]->text(); }

QString FigureStrip::value(std::size_t figure) const { return m_values[figure]->text(); }

}  // namespace gridloom::widgets
