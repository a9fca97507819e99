// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <cmath>

#include "models/quantity_text.h"
#include "theme/tokens.h"
#include "timeline/timeline_painter.h"

namespace gridloom::widgets {

namespace {

constexpr double kTitle = 26, kLegend = 22, kHead = 52;

}  // namespace

QColor stateColour(const Tokens& tokens, simulate::State state) {
  switch (state) {
  case simulate::State::Compute:
    return tokens.compute;
  case simulate::State::WaitLoad:
    return tokens.load;
  case simulate::State::WaitLink:
    return tokens.network;
  case simulate::State::WaitDram:
    return tokens.memory;
  case simulate::State::WaitSync:
    return tokens.sync;
  case simulate::State::WaitStore:
    return tokens.store;
  case simulate::State::Idle:
    break;
  }
  return tokens.idle;
}

QString stateTitle(simulate::State state) {
  switch (state) {
  case simulate::State::Compute:
    return QStringLiteral("compute");
  case simulate::State::WaitLoad:
    return QStringLiteral("wait load");
  case simulate::State::WaitLink:
    return QStringLiteral("wait link");
  case simulate::State::WaitDram:
    return QStringLiteral("wait DRAM");
  case simulate::State::WaitSync:
    return QStringLiteral("wait sync");
  case simulate::State::WaitStore:
    return QStringLiteral("wait store");
  case simulate::State::Idle:
    break;
  }
  return QStringLiteral("idle");
}

QString timeText(double seconds, double step) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}};
  Unit unit = kUnits[3];
  for (const Unit& each : kUnits) {
    if (std::max(std::abs(seconds), step) >= each.size) {
      unit = each;
      break;
    }
  }
  const double digits = -std::floor(std::log10(std::max(step / unit.size, 1e-12)) + 1e-9);
  return QStringLiteral("%1 %2")
      .arg(seconds / unit.size, 0, 'f', static_cast<int>(std::clamp(digits, 0.0, 6.0)))
      .arg(QString::fromUtf8(unit.name));
}

double timelineFigureHeight(const TimelineScene& scene, const TimelineView& view) {
  return kTitle + kHead + TimelineLayout(scene, QRectF(0, 0, 800, 400), view).rowsHeight() +
         kLegend + 8;
}

void paintTimelineFigure(QPainter& painter, const QRectF& area, const TimelineScene& scene,
                         TimelineView view, const Tokens& tokens, const QString& title) {
  painter.fillRect(area, tokens.panel);
  view.stale = false;
  view.scroll = 0;
  view.selected = -1;
  QFont font = painter.font();
  font.setPixelSize(13);
  font.setBold(true);
  painter.save();
  painter.setFont(font);
  painter.setPen(tokens.text);
  painter.drawText(QRectF(area.left() + 8, area.top(), area.width() - 16, kTitle),
                   Qt::AlignVCenter | Qt::AlignLeft, title);
  painter.restore();
  paintTimeline(painter, area.adjusted(0, kTitle, 0, -kLegend), scene, view, tokens);
  font.setPixelSize(11);
  font.setBold(false);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  double x = area.left() + 8;
  for (std::size_t s = 0; s < simulate::kStates; ++s) {
    const auto state = static_cast<simulate::State>(s);
    const QRectF row(x, area.bottom() - kLegend, area.width(), kLegend);
    painter.fillRect(QRectF(x, row.center().y() - 4, 10, 8), stateColour(tokens, state));
    painter.setPen(tokens.muted);
    const QString words = stateTitle(state);
    painter.drawText(row.adjusted(14, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, words);
    x += 14 + metrics.horizontalAdvance(words) + 16;
  }
  if (!scene.a) return;
  painter.setPen(tokens.muted);
  painter.drawText(QRectF(x, area.bottom() - kLegend, area.right() - x - 8, kLegend),
                   Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("A above B"));
}

}  // namespace gridloom::widgets
