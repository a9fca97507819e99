// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <cmath>

#include "charts/chart_parts.h"
#include "models/quantity_text.h"
#include "theme/tokens.h"
#include "timeline/timeline_painter.h"

namespace gridloom::widgets {

namespace {

constexpr double kAxisRoom = 52, kKeysGap = 8;

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

namespace {

std::vector<ChartKey> stateKeysOf(const TimelineScene& scene, const Tokens& tokens) {
  std::vector<ChartKey> keys;
  for (std::size_t s = 0; s < simulate::kStates; ++s) {
    const auto state = static_cast<simulate::State>(s);
    keys.push_back({stateColour(tokens, state), stateTitle(state)});
  }
  if (scene.a) keys.push_back({Qt::transparent, QStringLiteral("A above B")});
  return keys;
}

}  // namespace

double timelineFigureHeight(const TimelineScene& scene, const TimelineView& view,
                            const ChartHead& head, double width) {
  const QFont font;
  const double inner = width - 2 * kChartEdge;
  return 2 * kChartEdge + headHeight(font, inner, head) + kAxisRoom +
         TimelineLayout(scene, QRectF(0, 0, width, 400), view).rowsHeight() + kKeysGap +
         keysHeight(font, inner, stateKeysOf(scene, lightTokens()));
}

void paintTimelineFigure(QPainter& painter, const QRectF& area, const TimelineScene& scene,
                         TimelineView view, const Tokens& tokens, const ChartHead& head) {
  painter.save();
  painter.fillRect(area, tokens.panel);
  view.stale = false;
  view.scroll = 0;
  view.selected = -1;
  view.values = view.cursor >= 0;
  const QRectF rest = paintHead(
      painter, area.adjusted(kChartEdge, kChartEdge, -kChartEdge, -kChartEdge), head, tokens);
  const auto keys = stateKeysOf(scene, tokens);
  const double foot = keysHeight(painter.font(), rest.width(), keys);
  painter.save();
  painter.setFont(chartFont(painter.font(), kLabelPixels));
  paintTimeline(painter, rest.adjusted(0, 0, 0, -foot - kKeysGap), scene, view, tokens);
  painter.restore();
  paintKeys(painter, QRectF(rest.left(), rest.bottom() - foot, rest.width(), foot), keys, tokens);
  painter.restore();
}

}  // namespace gridloom::widgets
