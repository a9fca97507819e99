// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRect>
#include <QString>
#include <array>
#include <cstdint>
#include <vector>

#include "report/run_states.h"
#include "service/workspace.h"

class QPainter;
class QRectF;

namespace gridloom::widgets {

struct MeshScene;
struct Tokens;
struct Viewport;

/// A tile on its way.
struct MovingTile {
  int core = 0;    ///< at which it is loaded, sent, received or stored
  int colour = 0;  ///< of its operand
  QString operand;
  report::Activity activity = report::Activity::Load;
  float done = 0;  ///< share of the time that has passed
};

/// A run at one cycle, for the mesh.
struct MeshMoment {
  static constexpr std::uint8_t kNoProgram = simulate::kStates;
  double cycle = 0;
  std::vector<std::uint8_t> states;  ///< per core: a simulate::State, or kNoProgram
  std::array<std::int64_t, simulate::kStates> totals{};
  std::vector<MovingTile> tiles;
  std::vector<float> links, channels;  ///< use in the interval of the cycle; empty: unknown
};

MeshMoment momentOf(const service::SimulationRun& run, const report::RunStates& states,
                    const report::RunState& state);

/// "load A 46 %, receive B 12 %" of a core; empty without tiles.
QString movesText(const MeshMoment& moment, int core);

/// The tint of a core in a state, and the colour of the bar that says it.
QColor stateTint(const Tokens& tokens, std::uint8_t state);
QColor stateBar(const Tokens& tokens, std::uint8_t state);

/// One pixel per cell, or of the cells that share one the state that waits.
QImage momentImage(const MeshScene& scene, const QRect& cells, int stride, const Tokens& tokens);
/// Tiles in flight: a lettered square per tile, filled as far as it has come; a multicast's moves
/// along its line.
void paintMovingTiles(QPainter& painter, const MeshScene& scene, const Viewport& view,
                      const Tokens& tokens, const QString& chosen);

}  // namespace gridloom::widgets
