// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "charts/run_charts.h"

class QScrollArea;

namespace gridloom::widgets {

/// Shows a chart as it is exported; nothing without one. It is at least as high as its chart.
class ChartView : public QWidget {
  Q_OBJECT
 public:
  explicit ChartView(const QString& name, QWidget* parent = nullptr);
  /// Scrolls this view where it has less room.
  QScrollArea* scrolled();
  void show(std::optional<SizedChart> chart);
  const std::optional<SizedChart>& chart() const { return m_chart; }
  void setStale(bool stale);
  bool isStale() const { return m_stale; }
  /// Where the chart stands.
  QRectF chartArea() const;
  /// What stands there instead of a chart.
  void setEmptyText(const QString& words);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitHeight();
  std::optional<SizedChart> m_chart;
  QString m_empty;
  bool m_stale = false;
};

}  // namespace gridloom::widgets
