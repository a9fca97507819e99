// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_labels.h"

#include <QColor>
#include <QPainter>
#include <QString>
#include <algorithm>

#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "canvas/mesh_states.h"
#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

constexpr double kHeatPitch = 52;     // smaller cells have no room for a figure
constexpr double kTwoLinePitch = 44;  // nor those for two lines between their marks

QFont sized(QFont font, int pixels) {
  font.setPixelSize(pixels);
  return font;
}

/// Wide cells have room for a larger name on one line.
int pixelsFor(double pitch, double across) {
  constexpr double kBars = 13, kNameWidth = 3.6, kMostOnWide = 12;
  const double wide = std::min(kMostOnWide, (2 * kCellHalf * across - kBars) / kNameWidth);
  const double least = across > 1.2 * pitch ? wide : 0;
  return std::clamp(static_cast<int>(std::max(pitch * 0.16, least)), kLeastFont, 15);
}

/// Whether a text of one or more lines fits. Digits and capitals have nothing below their line.
bool fits(const QString& text, const QFontMetricsF& metrics, const QSizeF& room) {
  const auto lines = static_cast<double>(text.count(QLatin1Char('\n')) + 1);
  const double below = metrics.descent() + metrics.leading();
  return lines * metrics.lineSpacing() - below <= room.height() &&
         metrics.size(0, text).width() <= room.width();
}

/// (x, y): the middle of the baseline.
void paintCentred(QPainter& painter, const LineFont& font, const QString& text, double x,
                  double y) {
  font.paint(painter, text, QPointF(x - font.widthOf(text) / 2, y));
}

void paintInMiddle(QPainter& painter, const LineFont& font, const QString& text,
                   const QRectF& room) {
  paintCentred(painter, font, text, room.center().x(), room.center().y() + font.belowMiddle());
}

}  // namespace

CellLabels::CellLabels(const QFont& font, double pitch, double across)
    : m_pitch(pitch),
      m_large(sized(font, pixelsFor(pitch, across))),
      m_small(sized(font, std::max(kLeastFont, pixelsFor(pitch, across) - 2))) {}

/// On one line, or more closely.
void CellLabels::paintName(QPainter& painter, const MeshScene& scene, int core,
                           const QRectF& room) const {
  const auto fitsOnLine = [&](const QString& text) {
    return m_large.widthOf(text) <= room.width();
  };
  if (scene.placed.empty()) {
    QString name = scene.coordinatesText(core);
    if (!fitsOnLine(name)) name = name.remove(QLatin1Char(' ')).mid(1).chopped(1);
    if (fitsOnLine(name)) paintInMiddle(painter, m_large, name, room);
    return;
  }
  QString tiles = scene.tilesText(core);
  if (fitsOnLine(tiles)) return paintInMiddle(painter, m_large, tiles, room);
  if (m_pitch < kTwoLinePitch) return;
  tiles.replace(QLatin1Char(' '), QLatin1Char('\n'));
  if (!fits(tiles, m_large.metrics(), room.size())) return;
  painter.setFont(m_large.font());
  painter.drawText(room, Qt::AlignCenter, tiles);
}

void CellLabels::paint(QPainter& painter, const MeshScene& scene, int core, const QRectF& box,
                       const QColor& ink) const {
  const auto at = static_cast<std::size_t>(core);
  if (!scene.active[at]) return;
  painter.setPen(ink);
  const bool heated =
      scene.heat != Heat::None && at < scene.heatOfCore.size() && m_pitch >= kHeatPitch;
  // Between the bars of state and fill, which small cells do not have.
  const bool bars = showsStates(scene) && m_pitch >= kTextPitch;
  // Of two runs, what moved says more than the tiles, where only one of both has room.
  if (!heated && scene.heat == Heat::Moved && at < scene.heatOfCore.size()) {
    const QString moved = percentText(static_cast<double>(scene.heatOfCore[at]), 0);
    if (m_large.widthOf(moved) <= box.width()) paintInMiddle(painter, m_large, moved, box);
    return;
  }
  if (!heated)
    return paintName(painter, scene, core,
                     bars ? box.adjusted(6, 0, scene.moment ? -7 : -2, 0) : box);
  const double middle = box.center().y() + m_pitch * 0.03;
  paintCentred(painter, m_large,
               scene.placed.empty() ? scene.coordinatesText(core) : scene.tilesText(core),
               box.center().x(), middle - m_large.metrics().descent());
  QColor soft = ink;
  soft.setAlphaF(0.78F);
  painter.setPen(soft);
  paintCentred(
      painter, m_small,
      percentText(static_cast<double>(scene.heatOfCore[at]), scene.heatMost < 0.1F ? 1 : 0),
      box.center().x(), middle + m_small.metrics().ascent());
}

void paintChannelName(QPainter& painter, const QString& label, const QString& use,
                      const QRectF& box) {
  const QFontMetricsF metrics(painter.font());
  const QString name = QStringLiteral("D%1").arg(label);
  for (const QString& text : {QStringLiteral("DRAM %1\n%2").arg(label, use).trimmed(),
                              QStringLiteral("DRAM\n%1\n%2").arg(label, use).trimmed(),
                              QStringLiteral("%1\n%2").arg(name, use).trimmed(), name}) {
    if (!fits(text, metrics, box.size())) continue;
    painter.drawText(box, Qt::AlignCenter, text);
    return;
  }
}

}  // namespace gridloom::widgets
