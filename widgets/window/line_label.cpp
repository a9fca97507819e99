// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/line_label.h"

#include <algorithm>

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

void reserveLines(QLabel* label, int width) {
  constexpr int kNarrowest = 200;  // before the first layout, widgets are narrower than ever after
  // A label never asks for less than its least height, which is that of another text or width.
  label->setMinimumHeight(0);
  label->setMinimumHeight(std::max(0, label->heightForWidth(std::max(width, kNarrowest))));
}

}  // namespace gridloom::widgets
