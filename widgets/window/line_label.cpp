// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/line_label.h"

#include <QEvent>
#include <algorithm>
#include <utility>

namespace gridloom::widgets {

LineLabel::LineLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void LineLabel::setLine(const QString& line) {
  m_line = line;
  setToolTip(line);
  elide();
}

void LineLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  elide();
}

void LineLabel::elide() {
  // A text that can be selected begins a little to the right, and would lose its last letter.
  constexpr int kEdge = 2;
  const QString fitting =
      fontMetrics().elidedText(m_line, Qt::ElideRight, contentsRect().width() - kEdge);
  // Setting equal text would undo a selection of it.
  if (fitting != text()) setText(fitting);
}

WrappedLabel::WrappedLabel(QWidget* parent) : QLabel(parent) {
  setWordWrap(true);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void WrappedLabel::setWords(const QString& words) {
  if (words == text()) return;
  setText(words);
  measure();
}

void WrappedLabel::reserve(int width) {
  width = std::max(width, kNarrowest);
  if (std::exchange(m_width, width) != width) measure();
}

void WrappedLabel::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) measure();
}

void WrappedLabel::measure() {
  const int height = std::max(0, heightForWidth(m_width));
  if (std::exchange(m_height, height) != height) updateGeometry();
}

}  // namespace gridloom::widgets
