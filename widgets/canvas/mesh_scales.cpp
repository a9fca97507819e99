// SPDX-License-Identifier: GPL-3.0-or-later

// The scales of the colours on the mesh.

#include <QLinearGradient>
#include <QPainter>
#include <algorithm>
#include <functional>

#include "canvas/mesh_lines.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "models/quantity_text.h"
#include "theme/colour_ramp.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kLeastBar = 28;
constexpr double kBeside = 8;  // pixels between words and the bar

struct Scale {
  QString title, low, high;
  std::function<QColor(double)> colour;  ///< of a part of the way from low to high
};

void paintScale(QPainter& painter, const QRectF& area, const Scale& scale, const Tokens& tokens) {
  painter.save();
  const QFontMetricsF metrics(painter.font());
  painter.setPen(tokens.muted);
  double x = area.left();
  const auto word = [&](const QString& words) {
    const double width = metrics.horizontalAdvance(words);
    painter.drawText(QRectF(x, area.top(), width + 2, area.height()),
                     Qt::AlignVCenter | Qt::AlignLeft, words);
    x += width + kBeside;
  };
  const double ends =
      metrics.horizontalAdvance(scale.low) + metrics.horizontalAdvance(scale.high) + 2 * kBeside;
  const double title = metrics.horizontalAdvance(scale.title) + kBeside;
  const bool titled = !scale.title.isEmpty() && title + ends + kLeastBar + 2 <= area.width();
  if (titled) word(scale.title);
  word(scale.low);
  const double width =
      std::max(kLeastBar, area.right() - x - metrics.horizontalAdvance(scale.high) - kBeside - 2);
  QLinearGradient gradient(x, 0, x + width, 0);
  for (int i = 0; i <= 10; ++i) gradient.setColorAt(i / 10.0, scale.colour(i / 10.0));
  painter.fillRect(QRectF(x, area.center().y() - 4, width, 8), gradient);
  x += width + kBeside;
  word(scale.high);
  painter.restore();
}

QString pointsText(double change) {
  return QStringLiteral("%1%2")
      .arg(QLatin1String(change > 0 ? "+" : ""))
      .arg(100 * change, 0, 'f', 1)
      .replace(QLatin1Char('-'), QStringLiteral("−"));
}

}  // namespace

void paintHeatScale(QPainter& painter, const QRectF& area, const MeshScene& scene,
                    const Tokens& tokens, const QString& title) {
  if (scene.heat == Heat::None || scene.heatOfCore.empty()) return;
  const QString high =
      percentText(static_cast<double>(scene.heatMost), scene.heatMost < 0.1F ? 1 : 0);
  paintScale(painter, area,
             {title, QStringLiteral("0%"), high,
              [&](double part) { return heatColour(scene.heat, tokens, part); }},
             tokens);
}

/// What moved is grey, as links beside it have the colours of a difference.
QColor heatColour(Heat heat, const Tokens& tokens, double part) {
  if (heat != Heat::Moved) return QColor::fromRgb(ColourRamp::of(tokens.dark).at(part));
  return mixed(tokens.panel, tokens.muted, 0.04 + 0.40 * std::clamp(part, 0.0, 1.0));
}

bool hasLinkScale(const MeshScene& scene) {
  return scene.compares ? scene.mostChange > 0 : scene.moment != nullptr || scene.mostLink > 0;
}

void paintLinkScale(QPainter& painter, const QRectF& area, const MeshScene& scene,
                    const Tokens& tokens) {
  if (!hasLinkScale(scene)) return;
  const QString title = QStringLiteral("Links");
  if (scene.compares) {
    const double most = scene.mostChange;
    return paintScale(
        painter, area,
        {title, pointsText(-most), pointsText(most) + QStringLiteral(" pp"),
         [&](double part) { return changeColour(scene, most * (2 * part - 1), tokens); }},
        tokens);
  }
  const LinkRange range = linkRange(scene);
  paintScale(painter, area,
             {title, percentText(range.least), percentText(range.most),
              [&](double part) { return linkColour(tokens, part); }},
             tokens);
}

}  // namespace gridloom::widgets
