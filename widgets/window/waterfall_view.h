// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "charts/waterfall_chart.h"

namespace gridloom::widgets {

/// A waterfall as a widget: a click or the arrow keys select a step, a second click none.
class WaterfallView : public QWidget {
  Q_OBJECT
 public:
  explicit WaterfallView(QWidget* parent = nullptr);

  void setRows(std::vector<WaterfallRow> rows);
  const std::vector<WaterfallRow>& rows() const { return m_rows; }
  void setSelected(const QString& key);
  void setStale(bool stale);
  QRectF rowBox(std::size_t row) const;
  QSize sizeHint() const override;

 Q_SIGNALS:
  void picked(const QString& key);  ///< empty for none

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int rowAt(QPointF position) const;
  void walk(int step);

  std::vector<WaterfallRow> m_rows;
  WaterfallStyle m_style;
  bool m_stale = false;
};

}  // namespace gridloom::widgets
