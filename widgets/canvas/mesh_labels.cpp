// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_labels.h"

#include <QColor>
#include <QPainter>
#include <QStaticText>
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

/// On one line, laid out once for its width and for the drawing. False where it does not fit.
bool paintLine(QPainter& painter, const QString& text, const QRectF& room) {
  QStaticText line(text);
  line.setTextFormat(Qt::PlainText);
  line.prepare(painter.transform(), painter.font());
  const QSizeF size = line.size();
  if (size.width() > room.width()) return false;
  painter.drawStaticText(room.center() - QPointF(size.width(), size.height()) / 2, line);
  return true;
}

}  // namespace

CellLabels::CellLabels(const QFont& font, double pitch, double across)
    : m_pitch(pitch),
      m_font(sized(font, pixelsFor(pitch, across))),
      m_small(sized(font, std::max(kLeastFont, pixelsFor(pitch, across) - 2))),
      m_metrics(m_font) {}

double CellLabels::widthOf(const QString& text) const {
  double width = 0;
  for (const QChar each : text) {
    if (each.unicode() >= m_advances.size()) return m_metrics.horizontalAdvance(text);
    double& advance = m_advances[each.unicode()];
    if (advance == 0) advance = m_metrics.horizontalAdvance(each);
    width += advance;
  }
  return width;
}

/// On one line, or more closely.
void CellLabels::paintName(QPainter& painter, const MeshScene& scene, int core,
                           const QRectF& room) const {
  if (scene.placed.empty()) {
    QString name = scene.coordinatesText(core);
    if (widthOf(name) > room.width()) name = name.remove(QLatin1Char(' ')).mid(1).chopped(1);
    if (widthOf(name) <= room.width()) paintLine(painter, name, room);
    return;
  }
  QString tiles = scene.tilesText(core);
  if (widthOf(tiles) <= room.width() && paintLine(painter, tiles, room)) return;
  if (m_pitch < kTwoLinePitch) return;
  tiles.replace(QLatin1Char(' '), QLatin1Char('\n'));
  if (fits(tiles, m_metrics, room.size())) painter.drawText(room, Qt::AlignCenter, tiles);
}

void CellLabels::paint(QPainter& painter, const MeshScene& scene, int core, const QRectF& box,
                       const QColor& ink) const {
  const auto at = static_cast<std::size_t>(core);
  if (!scene.active[at]) return;
  painter.setFont(m_font);
  painter.setPen(ink);
  const bool heated =
      scene.heat != Heat::None && at < scene.heatOfCore.size() && m_pitch >= kHeatPitch;
  // Between the bars of state and fill, which small cells do not have.
  const bool bars = showsStates(scene) && m_pitch >= kTextPitch;
  // Of two runs, what moved says more than the tiles, where only one of both has room.
  if (!heated && scene.heat == Heat::Moved && at < scene.heatOfCore.size()) {
    paintLine(painter, percentText(static_cast<double>(scene.heatOfCore[at]), 0), box);
    return;
  }
  if (!heated)
    return paintName(painter, scene, core,
                     bars ? box.adjusted(6, 0, scene.moment ? -7 : -2, 0) : box);
  const double middle = box.center().y() + m_pitch * 0.03;
  const double line = m_pitch * 0.24;
  painter.drawText(QRectF(box.left(), middle - line, box.width(), line),
                   Qt::AlignHCenter | Qt::AlignBottom,
                   scene.placed.empty() ? scene.coordinatesText(core) : scene.tilesText(core));
  QColor soft = ink;
  soft.setAlphaF(0.78F);
  painter.setPen(soft);
  painter.setFont(m_small);
  painter.drawText(
      QRectF(box.left(), middle, box.width(), line), Qt::AlignHCenter | Qt::AlignTop,
      percentText(static_cast<double>(scene.heatOfCore[at]), scene.heatMost < 0.1F ? 1 : 0));
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
