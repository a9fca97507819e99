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

/// A text that wraps, as high as it is at the width that was last reserved for it. Layouts around a
/// QLabel ask for too little, and lay its text out again each time that they ask.
class WrappedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit WrappedLabel(QWidget* parent = nullptr);
  /// Lays out the text where it is another one.
  void setWords(const QString& text);
  void reserve(int width);
  int reserved() const { return m_height; }  ///< pixels

  bool hasHeightForWidth() const override { return false; }
  QSize sizeHint() const override { return {0, m_height}; }
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void measure();
  static constexpr int kNarrowest = 200;  // before the first layout, widgets are narrower
  int m_width = kNarrowest, m_height = 0;
};

}  // namespace gridloom::widgets
