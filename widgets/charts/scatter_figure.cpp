// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scatter_figure.h"

#include <QImage>
#include <QPaintDevice>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "charts/chart_parts.h"
#include "charts/scatter_axes.h"
#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr std::size_t kPlainPoints = 2000;  // more points are squares of an image
constexpr double kPale = 0.25;              // opacity of points that are not brushed

/// Squares of two pixels in an image of the plot. Drawn directly, 2 * 10^5 circles take seconds.
void paintSquares(QPainter& painter, const ScatterFrame& frame, const ScatterData& data,
                  const Tokens& tokens, const ScatterLook& look) {
  const double ratio = painter.device() ? painter.device()->devicePixelRatioF() : 1;
  const int side = std::max(2, static_cast<int>(std::lround(2 * ratio)));
  QImage image((frame.plot.size() * ratio).toSize().expandedTo(QSize(0, 0)) + QSize(side, side),
               QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::transparent);
  std::vector<char> chosen(look.brushed.empty() ? 0 : look.brushed.back() + std::size_t{1});
  for (const int id : look.brushed) chosen[static_cast<std::size_t>(id)] = 1;
  const auto isChosen = [&](int id) {
    return static_cast<std::size_t>(id) < chosen.size() && chosen[static_cast<std::size_t>(id)];
  };
  const auto pass = [&](bool brushed, QRgb ink) {
    for (const auto& point : data.points) {
      if (!look.brushed.empty() && isChosen(point.id) != brushed) continue;
      const QPointF at = (frame.held(point) - frame.plot.topLeft()) * ratio;
      const int x = std::clamp(static_cast<int>(at.x()), 0, image.width() - side);
      const int y = std::clamp(static_cast<int>(at.y()), 0, image.height() - side);
      for (int row = y; row < y + side; ++row)
        std::fill_n(reinterpret_cast<QRgb*>(image.scanLine(row)) + x, side, ink);
    }
  };
  QColor pale = tokens.compute;
  pale.setAlphaF(static_cast<float>(kPale));
  if (!look.brushed.empty()) pass(false, qPremultiply(pale.rgba()));
  pass(true, (look.brushed.empty() ? tokens.compute : tokens.accent).rgba());
  painter.drawImage(frame.plot.topLeft(), image);
}

void paintPoint(QPainter& painter, QPointF at, int series, double radius, const QColor& colour,
                const QPen& edge) {
  const bool hollow = series > 0;
  painter.setPen(hollow ? QPen(colour, 1.8) : edge);
  painter.setBrush(hollow ? QBrush(Qt::NoBrush) : QBrush(colour));
  painter.drawEllipse(at, radius, radius);
}

QColor colourOf(const Tokens& tokens, int series) {
  return series > 0 ? tokens.muted : tokens.compute;
}

void paintCircles(QPainter& painter, const ScatterFrame& frame, const ScatterData& data,
                  const Tokens& tokens, const ScatterLook& look) {
  for (const auto& point : data.points) {
    const bool brushed = look.isBrushed(point.id);
    QColor fill = brushed ? tokens.accent : colourOf(tokens, point.series);
    const bool pale = !brushed && !look.brushed.empty();
    fill.setAlphaF(pale ? static_cast<float>(kPale) : brushed || point.series > 0 ? 1.F : 0.7F);
    paintPoint(painter, frame.held(point), point.series, 4.5, fill, QPen(tokens.panel, 1));
  }
}

QString captionOf(const ScatterData& data, const ScatterFrame& frame, const ScatterLook& look) {
  QString caption = data.caption.isEmpty() ? agreementCaption(data) : data.caption;
  if (!look.brushed.empty())
    caption = QStringLiteral("%1 selected  ·  ").arg(look.brushed.size()) + caption;
  if (!look.axes) return caption;
  const auto outside =
      std::ranges::count_if(data.points, [&](const auto& point) { return !frame.holds(point); });
  caption += QStringLiteral("  ·  axes locked");
  return outside > 0 ? caption + QStringLiteral(", %1 points beyond them").arg(outside) : caption;
}

/// Names of the series, at the right of the caption. Returns the width that they take.
double paintSeries(QPainter& painter, const QRectF& line, const ScatterData& data,
                   const Tokens& tokens) {
  double right = line.right();
  for (int i = static_cast<int>(data.series.size()) - 1; i >= 0; --i) {
    const double width = painter.fontMetrics().horizontalAdvance(data.series[i]);
    painter.setPen(tokens.muted);
    painter.drawText(QRectF(right - width, line.top(), width + 1, line.height()),
                     Qt::AlignVCenter | Qt::AlignLeft, data.series[i]);
    paintPoint(painter, QPointF(right - width - 9, line.center().y()), i, 4, colourOf(tokens, i),
               Qt::NoPen);
    right -= width + 28;
  }
  return line.right() - right;
}

void paintCaption(QPainter& painter, const QRectF& area, const ScatterData& data,
                  const ScatterFrame& frame, const Tokens& tokens, const ScatterLook& look) {
  QRectF line(area.left() + 16, area.top() + 6, area.width() - 32, 22);
  line.setRight(line.right() - paintSeries(painter, line, data, tokens));
  painter.setPen(tokens.muted);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(captionOf(data, frame, look), Qt::ElideRight,
                                                    static_cast<int>(line.width())));
}

void paintNothing(QPainter& painter, const QRectF& area, const ScatterData& data,
                  const Tokens& tokens) {
  painter.setPen(tokens.faint);
  QString words = data.empty;
  if (words.isEmpty() && data.expected > 0)
    words =
        QStringLiteral("Predicted against simulated cycles appear here as mappings are simulated.");
  if (words.isEmpty()) words = QStringLiteral("No mapping to compare yet.");
  painter.drawText(area.adjusted(30, 10, -30, -10), Qt::AlignCenter | Qt::TextWordWrap, words);
}

}  // namespace

bool ScatterLook::isBrushed(int id) const { return std::ranges::binary_search(brushed, id); }

QString agreementCaption(const ScatterData& data) {
  const Agreement agreement = agreementOf(data);
  QString caption = QStringLiteral("Mean error %1").arg(percentText(agreement.meanError));
  if (data.points.size() > 1) {
    caption += QStringLiteral("  ·  Kendall τ %1  ·  %2 inverted pairs")
                   .arg(agreement.kendall, 0, 'f', 2)
                   .arg(countText(static_cast<double>(agreement.inversions)));
  }
  const auto simulated = data.points.size();
  if (simulated < data.expected) {
    caption += QStringLiteral("  ·  %1 of %2 simulated").arg(simulated).arg(data.expected);
  }
  return caption;
}

void paintScatterGround(QPainter& painter, const QRectF& area, const ScatterData& data,
                        const Tokens& tokens, const ScatterLook& look) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(area, tokens.panel);
  if (data.points.empty()) {
    paintNothing(painter, area, data, tokens);
  } else {
    const ScatterFrame frame = frameOf(data, area, look);
    if (look.captioned) paintCaption(painter, area, data, frame, tokens, look);
    paintScatterAxes(painter, frame, data, tokens);
    paintScatterReference(painter, frame, data, tokens);
    const bool many = data.points.size() > kPlainPoints;
    (many ? paintSquares : paintCircles)(painter, frame, data, tokens, look);
  }
  painter.restore();
}

void paintScatterMarks(QPainter& painter, const QRectF& area, const ScatterData& data,
                       const Tokens& tokens, const ScatterLook& look) {
  if (data.points.empty() || (look.selected < 0 && look.hovered < 0)) return;
  const ScatterFrame frame = frameOf(data, area, look);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& point : data.points) {
    if (point.id != look.selected && point.id != look.hovered) continue;
    const bool selected = point.id == look.selected;
    paintPoint(painter, frame.held(point), point.series, 6.5,
               selected ? tokens.accent : colourOf(tokens, point.series), QPen(tokens.text, 1.6));
  }
  painter.restore();
}

void paintScatter(QPainter& painter, const QRectF& area, const ScatterData& data,
                  const Tokens& tokens, const ScatterLook& look) {
  paintScatterGround(painter, area, data, tokens, look);
  paintScatterMarks(painter, area, data, tokens, look);
}

double scatterFigureHeight(double width) { return std::clamp(width * 0.8, 240.0, 560.0); }

void paintScatterFigure(QPainter& painter, const QRectF& area, const ScatterData& data,
                        const Tokens& tokens, ScatterLook look, const QString& facts) {
  painter.save();
  painter.fillRect(area, tokens.panel);
  look.captioned = false;
  const QString title = QStringLiteral("%1 against %2").arg(data.yTitle, data.xTitle.toLower());
  const QString caption = captionOf(data, frameOf(data, area, look), look);
  const QRectF rest =
      paintHead(painter, area.adjusted(10, 10, -10, -6),
                {title, facts.isEmpty() ? caption : facts + QLatin1Char('\n') + caption}, tokens);
  painter.setFont(chartFont(painter.font(), kLabelPixels));
  paintScatter(painter, rest, data, tokens, look);
  painter.restore();
}

}  // namespace gridloom::widgets
