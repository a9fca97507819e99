// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_states.h"

#include <QPainter>
#include <algorithm>
#include <array>

#include "canvas/mesh_moment.h"
#include "canvas/mesh_scene.h"
#include "models/quantity_text.h"
#include "theme/tokens.h"
#include "timeline/timeline_painter.h"

namespace gridloom::widgets {

namespace {

constexpr double kSwatch = 8, kAfterKey = 11;
constexpr float kSeen = 0.0005F;  // half of what is printed

/// Waits hide compute, which hides idleness: one core that waits stays visible at any zoom.
int loudnessOf(std::uint8_t state) {
  if (state == MeshMoment::kNoProgram) return 0;
  const auto of = static_cast<simulate::State>(state);
  return of == simulate::State::Idle ? 1 : of == simulate::State::Compute ? 2 : 3;
}

float shareOf(const MeshScene::StateShares& shares, std::size_t state) {
  return static_cast<float>(shares[state]) / MeshScene::kWholeRun;
}

/// Of a core over the run: how much of the colour of its state is seen from afar.
float depthOf(const MeshScene& scene, int core, std::uint8_t state) {
  if (scene.moment || state >= simulate::kStates) return 1;
  return 0.15F + 0.85F * shareOf(scene.stateShares[static_cast<std::size_t>(core)], state);
}

}  // namespace

QColor stateBar(const Tokens& tokens, std::uint8_t state) {
  return state == MeshMoment::kNoProgram ? tokens.cellIdle
                                         : stateColour(tokens, static_cast<simulate::State>(state));
}

QColor stateTint(const Tokens& tokens, std::uint8_t state) {
  return mixed(tokens.panel, stateBar(tokens, state), tokens.dark ? 0.28 : 0.16);
}

QColor stateFill(const Tokens& tokens, std::uint8_t state) {
  return mixed(tokens.panel, stateBar(tokens, state), 0.62);
}

QColor stateEdge(const Tokens& tokens, std::uint8_t state) {
  return mixed(tokens.panel, stateBar(tokens, state), 0.55);
}

bool showsStates(const MeshScene& scene) { return scene.moment || !scene.stateShares.empty(); }

std::uint8_t shownState(const MeshScene& scene, int core) {
  const auto at = static_cast<std::size_t>(core);
  if (scene.moment)
    return at < scene.moment->states.size() ? scene.moment->states[at] : MeshMoment::kNoProgram;
  if (at >= scene.stateShares.size() || !scene.active[at]) return MeshMoment::kNoProgram;
  const MeshScene::StateShares& shares = scene.stateShares[at];
  return static_cast<std::uint8_t>(std::ranges::max_element(shares) - shares.begin());
}

void paintStateBar(QPainter& painter, const MeshScene& scene, int core, const QRectF& bar,
                   const Tokens& tokens) {
  if (scene.moment) return painter.fillRect(bar, stateBar(tokens, shownState(scene, core)));
  double bottom = bar.bottom();
  const MeshScene::StateShares& shares = scene.stateShares[static_cast<std::size_t>(core)];
  for (std::uint8_t state = 0; state < simulate::kStates; ++state) {
    const double height = bar.height() * static_cast<double>(shareOf(shares, state));
    painter.fillRect(QRectF(bar.left(), bottom - height, bar.width(), height),
                     stateBar(tokens, state));
    bottom -= height;
  }
}

QImage stateImage(const MeshScene& scene, const QRect& cells, int stride, const Tokens& tokens) {
  const int width = (cells.width() + stride - 1) / stride;
  const int height = (cells.height() + stride - 1) / stride;
  QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
  std::array<QColor, simulate::kStates + 1> colours{};
  for (std::uint8_t s = 0; s <= MeshMoment::kNoProgram; ++s) colours[s] = stateBar(tokens, s);
  for (int y = 0; y < height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < width; ++x) {
      int loudest = -1;
      std::uint8_t state = MeshMoment::kNoProgram;
      const QRect pixel = QRect(cells.left() + x * stride, cells.top() + y * stride, stride, stride)
                              .intersected(cells);
      for (int row = pixel.top(); row <= pixel.bottom(); ++row) {
        for (int column = pixel.left(); column <= pixel.right(); ++column) {
          const int core = scene.coreOfCell[static_cast<std::size_t>(row * scene.columns + column)];
          if (core < 0) continue;
          const std::uint8_t own = shownState(scene, core);
          if (loudest >= 0 && loudnessOf(own) <= loudnessOf(state)) continue;
          loudest = core;
          state = own;
        }
      }
      line[x] = loudest < 0 ? tokens.window.rgb()
                            : mixed(tokens.panel, colours[state],
                                    static_cast<double>(depthOf(scene, loudest, state)))
                                  .rgb();
    }
  }
  return image;
}

std::vector<StateKey> stateKeys(const MeshScene& scene) {
  std::vector<StateKey> keys;
  for (std::uint8_t s = 0; s < simulate::kStates && showsStates(scene); ++s) {
    const QString title = stateTitle(static_cast<simulate::State>(s));
    if (scene.moment) {
      const std::int64_t cores = scene.moment->totals[s];
      if (cores > 0 || s == 0)
        keys.push_back(
            {s, QStringLiteral("%1 %2").arg(title, countText(static_cast<double>(cores)))});
    } else if (scene.stateMeans[s] >= kSeen) {
      keys.push_back({s, QStringLiteral("%1 %2").arg(
                             title, percentText(static_cast<double>(scene.stateMeans[s])))});
    }
  }
  return keys;
}

double widthOfKeys(const QPainter& painter, const std::vector<StateKey>& keys) {
  double width = 0;
  for (const StateKey& key : keys)
    width += kSwatch + 4 + painter.fontMetrics().horizontalAdvance(key.words) + kAfterKey;
  return width;
}

void paintStateKeys(QPainter& painter, const QRectF& area, const std::vector<StateKey>& keys,
                    const Tokens& tokens) {
  double x = area.left();
  for (const StateKey& key : keys) {
    painter.fillRect(QRectF(x, area.center().y() - kSwatch / 2, kSwatch, kSwatch),
                     stateBar(tokens, key.state));
    x += kSwatch + 4;
    painter.setPen(tokens.muted);
    painter.drawText(QRectF(x, area.top(), area.right() - x, area.height()),
                     Qt::AlignVCenter | Qt::AlignLeft, key.words);
    x += painter.fontMetrics().horizontalAdvance(key.words) + kAfterKey;
  }
}

}  // namespace gridloom::widgets
