// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRect>
#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "report/tile_path.h"
#include "service/workspace.h"

class QPainter;
class QRectF;

namespace gridloom::widgets {

class Recording;
struct MeshScene;
struct Tokens;
struct Viewport;

/// A tile in flight.
struct MovingTile {
  report::TileInFlight move;  ///< `core`: at which it is loaded, sent, received or stored
  int colour = 0;             ///< of its operand
  QString operand;
  bool followed = false;

  int core() const { return static_cast<int>(move.core.value()); }
};

/// Slots of a buffer in use.
struct HeldBuffer {
  int core = 0;
  QString name;
  int used = 0, slots = 0;
  std::int64_t bytes = 0;  ///< of the slots in use
  bool shared = false;     ///< in a shared buffer, not in the core's local memory
};

/// A core on the path of the followed tile.
struct PathCell {
  enum class Phase { Before, There, Consumed };
  int core = 0;
  Phase phase = Phase::Before;
};

/// A run at one cycle, for the mesh.
struct MeshMoment {
  static constexpr std::uint8_t kNoProgram = simulate::kStates;
  double cycle = 0;
  std::vector<std::uint8_t> states;  ///< per core: a simulate::State, or kNoProgram
  std::array<std::int64_t, simulate::kStates> totals{};
  std::vector<MovingTile> tiles;
  std::vector<float> fill;          ///< per core: bytes of slots in use over its local memory
  std::vector<HeldBuffer> buffers;  ///< by core
  std::int64_t capacity = 0;        ///< bytes of a local memory
  bool knowsSlots = true;           ///< false: the recording ends before; `fill` is empty
  bool knowsStates = true;          ///< false: the recording ends before; no core has a state
  std::vector<PathCell> path;       ///< of the followed tile; empty without one
  int pathColour = 0;
  std::vector<float> links, channels;  ///< use in the interval of the cycle; empty: unknown
};

/// `state`: of the recording; `path`: of the followed tile, or null.
MeshMoment momentOf(const Recording& recording, const report::RunState& state,
                    const report::TilePath* path = nullptr);

/// "A 2 of 2, B 1 of 2: 1.1 of 1.4 MiB" of a core; empty where nothing is held.
QString heldText(const MeshMoment& moment, int core);

/// "load A 46%, receive B 12%" of a core; empty without tiles.
QString movesText(const MeshMoment& moment, int core);

/// Frames around the cores on the path of the followed tile: dashed before it comes, wide while it
/// is there, thin once it is consumed.
void paintPath(QPainter& painter, const MeshScene& scene, const Viewport& view,
               const Tokens& tokens);
/// How full the local memory of a core is, as a bar at the right edge of its cell.
void paintFill(QPainter& painter, const MeshMoment& moment, int core, const QRectF& cell,
               const Tokens& tokens);
/// The middle of the square of a tile in flight, in pixels; none where it is not drawn.
std::optional<QPointF> placeOfTile(const MeshScene& scene, const Viewport& view,
                                   const MovingTile& tile);
/// The tile in flight that is drawn at a position, of several the uppermost; null for none.
const MovingTile* movingTileAt(const MeshScene& scene, const Viewport& view, QPointF position);
/// Tiles in flight: a lettered square per tile, filled as far as it has come; a multicast's moves
/// along its line.
void paintMovingTiles(QPainter& painter, const MeshScene& scene, const Viewport& view,
                      const Tokens& tokens, const QString& chosen);

}  // namespace gridloom::widgets
