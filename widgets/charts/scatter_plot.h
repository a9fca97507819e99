// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <QWidget>
#include <vector>

class QPainter;

namespace gridloom::widgets {

struct Tokens;

/// Predicted against simulated cycles of ranked mappings.
struct ScatterData {
  struct Point {
    double predicted = 0;
    double simulated = 0;
    int candidate = 0;
  };
  std::vector<Point> points;
  double bound = 0;          ///< lower bound of all mappings; 0: unknown
  std::size_t expected = 0;  ///< number of points once all are simulated
};

/// Agreement between prediction and simulation.
struct Agreement {
  double meanError = 0;         ///< mean of |predicted / simulated - 1|
  double kendall = 0;           ///< rank correlation tau-a, -1 to 1
  std::int64_t inversions = 0;  ///< pairs that the model orders the other way round
};
Agreement agreementOf(const ScatterData& data);

/// Axes shared by painting and picking.
struct ScatterFrame {
  QRectF plot;
  double low = 0, high = 1;  ///< of both axes, in cycles
  QPointF at(double predicted, double simulated) const;
};
ScatterFrame frameOf(const ScatterData& data, const QRectF& area);

void paintScatter(QPainter& painter, const QRectF& area, const ScatterData& data,
                  const Tokens& tokens, int selected, int hovered);

/// The scatter as a widget: click picks a mapping, the pointer names it.
class ScatterPlot : public QWidget {
  Q_OBJECT
 public:
  explicit ScatterPlot(QWidget* parent = nullptr);
  void setData(ScatterData data);
  const ScatterData& data() const { return m_data; }
  void setSelected(int candidate);
  void setStale(bool stale);
  /// The candidate nearest to a position, -1 when none is near.
  std::vector<int> candidates() const;
  int candidateAt(QPointF position) const;
  QPointF positionOf(int candidate) const;

 Q_SIGNALS:
  void picked(int candidate);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  ScatterData m_data;
  int m_selected = -1;
  int m_hovered = -1;
  bool m_stale = false;
};

}  // namespace gridloom::widgets
