// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace gridloom::widgets {

/// One line of text, truncated with an ellipsis at the width; the tooltip has the full text.
class LineLabel : public QLabel {
  Q_OBJECT
 public:
  explicit LineLabel(QWidget* parent = nullptr);
  void setLine(const QString& line);
  const QString& line() const { return m_line; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void elide();
  QString m_line;
};

/// Gives a label that wraps the height that its text has at this width: layouts around it ask for
/// too little.
void reserveLines(QLabel* label, int width);

}  // namespace gridloom::widgets
