// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scatter_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kBand = 0.10;              // the shaded band: within 10 % of the simulation
constexpr std::size_t kPlainPoints = 4000;  // with more points, each is a single pixel of an image

/// Steps of 1, 2 or 5 times a power of ten, about `wanted` of them.
double niceStep(double range, int wanted) {
  const double rough = range / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

QString tickText(double cycles) {
  if (cycles >= 1e6) return QStringLiteral("%1 M").arg(cycles / 1e6, 0, 'g', 4);
  if (cycles >= 1e3) return QStringLiteral("%1 k").arg(cycles / 1e3, 0, 'g', 4);
  return QString::number(cycles, 'g', 4);
}

void paintAxes(QPainter& painter, const ScatterFrame& frame, const Tokens& tokens) {
  const QRectF& plot = frame.plot;
  const auto ticks = [&](double pixels, double room, const auto& draw) {
    const int wanted = std::clamp(static_cast<int>(pixels / room), 1, 8);
    const double step = niceStep(frame.high - frame.low, wanted);
    for (double tick = std::ceil(frame.low / step) * step; tick <= frame.high; tick += step)
      draw(frame.at(tick, tick), tickText(tick));
  };
  const double height = painter.fontMetrics().height();
  ticks(plot.width(), 80, [&](QPointF at, const QString& words) {
    painter.setPen(QPen(tokens.border, 1));
    painter.drawLine(QPointF(at.x(), plot.top()), QPointF(at.x(), plot.bottom()));
    painter.setPen(tokens.muted);
    painter.drawText(QRectF(at.x() - 50, plot.bottom() + 4, 100, height), Qt::AlignHCenter, words);
  });
  ticks(plot.height(), 2 * height, [&](QPointF at, const QString& words) {
    painter.setPen(QPen(tokens.border, 1));
    painter.drawLine(QPointF(plot.left(), at.y()), QPointF(plot.right(), at.y()));
    painter.setPen(tokens.muted);
    painter.drawText(QRectF(plot.left() - 64, at.y() - height / 2, 58, height), Qt::AlignRight,
                     words);
  });
  painter.setPen(tokens.muted);
  painter.drawText(QRectF(plot.left(), plot.bottom() + 4 + height, plot.width(), height + 2),
                   Qt::AlignCenter, QStringLiteral("Predicted cycles"));
  const QString upright = QStringLiteral("Simulated cycles");
  if (painter.fontMetrics().horizontalAdvance(upright) > plot.height()) return;
  painter.save();
  painter.translate(plot.left() - 66, plot.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-100, -height / 2, 200, height), Qt::AlignCenter, upright);
  painter.restore();
}

void paintReference(QPainter& painter, const ScatterFrame& frame, const ScatterData& data,
                    const Tokens& tokens) {
  painter.save();
  painter.setClipRect(frame.plot);
  QColor band = tokens.accent;
  band.setAlphaF(0.08F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(band);
  const double end = frame.high * 2;
  painter.drawPolygon(QPolygonF{frame.at(0, 0), frame.at(end * (1 + kBand), end),
                                frame.at(end * (1 - kBand), end)});
  painter.setPen(QPen(tokens.faint, 1, Qt::DashLine));
  painter.drawLine(frame.at(frame.low, frame.low), frame.at(frame.high, frame.high));
  if (data.bound > frame.low) {
    painter.setPen(QPen(tokens.warning, 1, Qt::DotLine));
    painter.drawLine(frame.at(frame.low, data.bound), frame.at(frame.high, data.bound));
    painter.setPen(tokens.warning);
    painter.drawText(frame.at(frame.low, data.bound) + QPointF(6, -4),
                     QStringLiteral("no mapping can beat this"));
  }
  painter.restore();
}

void paintMany(QPainter& painter, const ScatterFrame& frame, const ScatterData& data,
               const QColor& colour) {
  QImage image(frame.plot.size().toSize(), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  const QRgb ink = colour.rgba();
  for (const auto& point : data.points) {
    const QPoint at = (frame.at(point.predicted, point.simulated) - frame.plot.topLeft()).toPoint();
    for (const QPoint& near : {QPoint(0, 0), QPoint(1, 0), QPoint(0, 1), QPoint(1, 1)}) {
      if (image.rect().contains(at + near)) image.setPixel(at + near, ink);
    }
  }
  painter.drawImage(frame.plot.topLeft(), image);
}

void paintPoints(QPainter& painter, const ScatterFrame& frame, const ScatterData& data,
                 const Tokens& tokens, int selected, int hovered) {
  if (data.points.size() > kPlainPoints) paintMany(painter, frame, data, tokens.accent);
  for (const auto& point : data.points) {
    const bool marked = point.candidate == selected || point.candidate == hovered;
    if (data.points.size() > kPlainPoints && !marked) continue;
    QColor fill = tokens.accent;
    if (!marked) fill.setAlphaF(0.62F);
    painter.setPen(marked ? QPen(tokens.text, 1.6) : QPen(tokens.panel, 1));
    painter.setBrush(fill);
    const double radius = marked ? 6.5 : 4.5;
    painter.drawEllipse(frame.at(point.predicted, point.simulated), radius, radius);
  }
}

QString captionOf(const ScatterData& data) {
  const Agreement agreement = agreementOf(data);
  QString caption = QStringLiteral("Mean error %1").arg(percentText(agreement.meanError));
  if (data.points.size() > 1) {
    caption += QStringLiteral("  ·  Kendall τ %1  ·  %2 inverted pairs")
                   .arg(agreement.kendall, 0, 'f', 2)
                   .arg(agreement.inversions);
  }
  if (data.points.size() < data.expected) {
    caption += QStringLiteral("  ·  %1 of %2 simulated").arg(data.points.size()).arg(data.expected);
  }
  return caption;
}

}  // namespace

QPointF ScatterFrame::at(double predicted, double simulated) const {
  const double range = high - low;
  return {plot.left() + (predicted - low) / range * plot.width(),
          plot.bottom() - (simulated - low) / range * plot.height()};
}

ScatterFrame frameOf(const ScatterData& data, const QRectF& area) {
  ScatterFrame frame;
  frame.plot = area.adjusted(82, 34, -20, -46);
  double low = INFINITY;
  double high = 0;
  for (const auto& point : data.points) {
    low = std::min({low, point.predicted, point.simulated});
    high = std::max({high, point.predicted, point.simulated});
  }
  const double margin = std::max((high - low) * 0.08, high * 0.01);
  frame.low = std::max(0.0, low - margin);
  frame.high = high + margin;
  if (!(frame.high > frame.low)) frame.high = frame.low + 1;
  return frame;
}

void paintScatter(QPainter& painter, const QRectF& area, const ScatterData& data,
                  const Tokens& tokens, int selected, int hovered) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(area, tokens.panel);
  if (data.points.empty()) {
    painter.setPen(tokens.faint);
    const QString words =
        data.expected > 0
            ? QStringLiteral(
                  "Predicted against simulated cycles appear here as mappings are simulated.")
            : QStringLiteral("No mapping to compare yet.");
    painter.drawText(area.adjusted(30, 10, -30, -10), Qt::AlignCenter | Qt::TextWordWrap, words);
    painter.restore();
    return;
  }
  const ScatterFrame frame = frameOf(data, area);
  painter.setPen(tokens.muted);
  const QRectF caption(area.left() + 16, area.top() + 6, area.width() - 24, 22);
  painter.drawText(caption, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(captionOf(data), Qt::ElideRight,
                                                    static_cast<int>(caption.width())));
  paintAxes(painter, frame, tokens);
  paintReference(painter, frame, data, tokens);
  paintPoints(painter, frame, data, tokens, selected, hovered);
  painter.restore();
}

ScatterPlot::ScatterPlot(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setMinimumSize(220, 90);
  setAccessibleName(QStringLiteral("Predicted against simulated cycles"));
}

void ScatterPlot::setData(ScatterData data) {
  m_data = std::move(data);
  m_hovered = -1;
  update();
}

void ScatterPlot::setSelected(int candidate) {
  m_selected = candidate;
  update();
}

void ScatterPlot::setStale(bool stale) {
  m_stale = stale;
  update();
}

std::vector<int> ScatterPlot::candidates() const {
  std::vector<int> all;
  for (const auto& point : m_data.points) all.push_back(point.candidate);
  return all;
}

int ScatterPlot::candidateAt(QPointF position) const {
  if (m_data.points.empty()) return -1;
  const ScatterFrame frame = frameOf(m_data, QRectF(rect()));
  double nearest = 10;  // pixels
  int found = -1;
  for (const auto& point : m_data.points) {
    const QPointF gap = frame.at(point.predicted, point.simulated) - position;
    const double distance = std::hypot(gap.x(), gap.y());
    if (distance >= nearest) continue;
    nearest = distance;
    found = point.candidate;
  }
  return found;
}

QPointF ScatterPlot::positionOf(int candidate) const {
  const ScatterFrame frame = frameOf(m_data, QRectF(rect()));
  for (const auto& point : m_data.points) {
    if (point.candidate == candidate) return frame.at(point.predicted, point.simulated);
  }
  return {};
}

void ScatterPlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (m_stale) painter.setOpacity(kStaleInk);
  paintScatter(painter, QRectF(rect()), m_data, tokensFor(palette()), m_selected, m_hovered);
}

void ScatterPlot::mouseMoveEvent(QMouseEvent* event) {
  const int hovered = candidateAt(event->position());
  if (hovered == m_hovered) return;
  m_hovered = hovered;
  update();
  for (const auto& point : m_data.points) {
    if (point.candidate != hovered) continue;
    QToolTip::showText(
        event->globalPosition().toPoint(),
        QStringLiteral("Mapping %1\npredicted %2 cycles\nsimulated %3 cycles\nerror %4")
            .arg(hovered + 1)
            .arg(cyclesText(point.predicted), cyclesText(point.simulated),
                 signedPercentText(point.predicted / point.simulated - 1)),
        this);
    return;
  }
  QToolTip::hideText();
}

void ScatterPlot::mousePressEvent(QMouseEvent* event) {
  const int candidate = candidateAt(event->position());
  if (candidate >= 0) Q_EMIT picked(candidate);
}

void ScatterPlot::leaveEvent(QEvent*) {
  m_hovered = -1;
  update();
}

}  // namespace gridloom::widgets
