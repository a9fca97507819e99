// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/column_strip.h"

#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace gridloom::widgets {

namespace {

constexpr float kLeastHeight = 0.004F;  // thinner layers cannot be seen

bool isScreen(const QPainter& painter) {
  return painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster;
}

}  // namespace

void ColumnStrip::Column::add(float height, QRgb colour) {
  if (height < kLeastHeight || count == kMostLayers) return;
  layers[count++] = {height, colour};
}

bool operator==(const ColumnStrip::Column& a, const ColumnStrip::Column& b) {
  return a.count == b.count &&
         std::equal(a.layers.begin(), a.layers.begin() + a.count, b.layers.begin(),
                    [](const ColumnStrip::Layer& x, const ColumnStrip::Layer& y) {
                      return x.height == y.height && x.colour == y.colour;
                    });
}

std::size_t columnsOf(const QPainter& painter, double width) {
  const double ratio = isScreen(painter) ? painter.device()->devicePixelRatioF() : 1.0;
  return static_cast<std::size_t>(std::max(1.0, std::ceil(width * ratio)));
}

void ColumnStrip::paint(QPainter& painter, const QRectF& area) const {
  if (m_columns.empty() || area.isEmpty()) return;
  if (isScreen(painter))
    paintImage(painter, area);
  else
    paintRects(painter, area);
}

void ColumnStrip::paintImage(QPainter& painter, const QRectF& area) const {
  const double ratio = painter.device()->devicePixelRatioF();
  const int width = static_cast<int>(m_columns.size());
  const int height = std::max(1, static_cast<int>(std::lround(area.height() * ratio)));
  QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  std::vector<QRgb*> lines(static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y)
    lines[static_cast<std::size_t>(y)] = reinterpret_cast<QRgb*>(image.scanLine(y));
  for (std::size_t x = 0; x < m_columns.size(); ++x) {
    float top = 1;
    int y = height;
    for (std::size_t l = 0; l < m_columns[x].count; ++l) {
      const Layer& layer = m_columns[x].layers[l];
      top -= layer.height;
      const QRgb colour = qPremultiply(layer.colour);
      // What is there at all has a pixel.
      const int end = std::clamp(static_cast<int>(std::lround(top * static_cast<float>(height))), 0,
                                 std::max(y - 1, 0));
      while (y > end) lines[static_cast<std::size_t>(--y)][x] = colour;
    }
  }
  painter.drawImage(area, image);
}

void ColumnStrip::paintRects(QPainter& painter, const QRectF& area) const {
  const double step = area.width() / static_cast<double>(m_columns.size());
  for (std::size_t x = 0; x < m_columns.size();) {
    std::size_t end = x + 1;
    while (end < m_columns.size() && m_columns[end] == m_columns[x]) ++end;
    double bottom = area.bottom();
    for (std::size_t l = 0; l < m_columns[x].count; ++l) {
      const Layer& layer = m_columns[x].layers[l];
      const double height = std::min(1.0F, layer.height) * area.height();
      painter.fillRect(QRectF(area.left() + step * static_cast<double>(x), bottom - height,
                              step * static_cast<double>(end - x), height),
                       QColor::fromRgba(layer.colour));
      bottom -= height;
    }
    x = end;
  }
}

}  // namespace gridloom::widgets
