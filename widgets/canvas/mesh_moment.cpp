// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_moment.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "canvas/mesh_lines.h"
#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "models/quantity_text.h"
#include "theme/tokens.h"
#include "timeline/recording.h"

namespace gridloom::widgets {

namespace {

constexpr double kTilePitch = 30;  // smaller cells have no room for tiles

std::vector<float> atBin(const std::vector<float>& use, std::size_t bins, std::size_t bin) {
  std::vector<float> now;
  for (std::size_t n = 0; bins > 0 && (n + 1) * bins <= use.size(); ++n)
    now.push_back(use[n * bins + bin]);
  return now;
}

/// Where a multicast's tile is on its line; the core's own cell for any other.
QPointF placeOf(const MeshScene& scene, const Flow& flow, const MovingTile& tile,
                const Flow::Line* line) {
  const int cell = scene.cellOfCore[tile.move.core.index()];
  if (!line) return QPointF(scene.positionOf(cell));
  const QPointF from(scene.positionOf(flow.output ? line->to : line->from));
  const QPointF to(scene.positionOf(flow.output ? line->from : line->to));
  const QPointF step = to - from;
  const double lane = laneOf(flow);
  const QPointF beside =
      std::abs(step.x()) >= std::abs(step.y()) ? QPointF(0, lane) : QPointF(lane, 0);
  return from + step * tile.move.done + beside;
}

const Flow::Line* lineFrom(const Flow& flow, int cell) {
  const auto found = std::ranges::find_if(flow.lines, [&](const Flow::Line& line) {
    return cell == (flow.output ? line.to : line.from);
  });
  return found == flow.lines.end() ? nullptr : &*found;
}

/// Side of the square of a tile, in pixels.
double sideOf(const Viewport& view) { return std::clamp(view.pitch * 0.16, 7.0, 15.0); }

/// Where the square of a tile is drawn, in pixels.
struct TilePlace {
  QPointF middle;
  bool onLine = false;  ///< on the line of its multicast; otherwise in its core's cell
};

TilePlace squareOf(const MeshScene& scene, const Viewport& view, const MovingTile& tile) {
  const auto flow = std::ranges::find(scene.flows, tile.operand, &Flow::operand);
  const bool sends = tile.move.activity == report::Activity::Send && flow != scene.flows.end();
  const int cell = scene.cellOfCore[tile.move.core.index()];
  const Flow::Line* line = sends ? lineFrom(*flow, cell) : nullptr;
  if (line) return {view.centreOf(placeOf(scene, *flow, tile, line)), true};
  // In the cell, a slot per operand.
  const double slot = -kCellHalf + 0.12 + 0.19 * (tile.colour % 4);
  const bool stores = tile.move.activity == report::Activity::Store;
  const QPointF at(slot, stores ? kCellHalf - 0.1 : -kCellHalf + 0.1);
  return {view.centreOf(QPointF(scene.positionOf(cell)) + at), false};
}

/// A received tile is in flight from the sender, where it is drawn.
bool isDrawn(const MeshScene& scene, const MovingTile& tile) {
  const auto flow = std::ranges::find(scene.flows, tile.operand, &Flow::operand);
  const bool drawnAtSender = tile.move.activity == report::Activity::Receive &&
                             flow != scene.flows.end() && !flow->lines.empty();
  return !drawnAtSender && tile.core() < scene.coreCount();
}

class TilePainter {
 public:
  TilePainter(QPainter& painter, const MeshScene& scene, const Viewport& view, const Tokens& tokens,
              const QString& chosen)
      : m_painter(painter),
        m_scene(scene),
        m_view(view),
        m_tokens(tokens),
        m_chosen(chosen),
        m_side(sideOf(view)) {}

  void paint(const MovingTile& tile) {
    const TilePlace place = squareOf(m_scene, m_view, tile);
    paintSquare(tile, place.middle, !place.onLine);
  }

 private:
  void paintSquare(const MovingTile& tile, QPointF middle, bool fills) {
    const QRectF box(middle - QPointF(m_side, m_side) / 2, QSizeF(m_side, m_side));
    if (!QRectF(QPointF(), m_view.size).adjusted(-m_side, -m_side, m_side, m_side).contains(middle))
      return;
    QColor colour = m_tokens.operand(tile.colour);
    const bool fades = m_scene.moment->path.empty()
                           ? !m_chosen.isEmpty() && m_chosen != tile.operand
                           : !tile.followed;
    QColor ground = m_tokens.panel;
    for (QColor* each : {&colour, &ground})
      if (fades) each->setAlphaF(0.14F);
    m_painter.setPen(QPen(fills ? colour : ground, 1));
    m_painter.setBrush(fills ? ground : colour);
    m_painter.drawRoundedRect(box, 2, 2);
    if (fills) {
      QRectF level = box.adjusted(1, 1, -1, -1);
      level.setTop(level.bottom() - level.height() * tile.move.done);
      QColor fill = colour;
      fill.setAlphaF(0.35F * fill.alphaF());
      m_painter.fillRect(level, fill);
    }
    if (m_side < 9) return;
    QFont font = m_painter.font();
    font.setPixelSize(static_cast<int>(m_side * 0.72));
    font.setBold(true);
    m_painter.setFont(font);
    m_painter.setPen(fills ? colour : ground);
    m_painter.drawText(box, Qt::AlignCenter, tile.operand.left(1));
  }

  QPainter& m_painter;
  const MeshScene& m_scene;
  const Viewport& m_view;
  const Tokens& m_tokens;
  const QString& m_chosen;
  double m_side;
};

void addStates(const Recording& recording, const report::RunState& state, MeshMoment& moment) {
  moment.totals = state.totals;
  for (const report::ActiveCore& core : recording.states().cores()) {
    const bool computes = core.compute < core.first + core.processes;
    moment.states[core.core.index()] = static_cast<std::uint8_t>(
        computes ? state.processes[core.compute].state : simulate::State::Idle);
  }
}

void addBuffers(const service::SimulationRun& run, const report::RunState& state,
                MeshMoment& moment) {
  if (run.simulated.trace.slotEvents.empty()) return;
  const std::int64_t capacity = std::max<std::int64_t>(1, run.hardware->topology.local().bytes);
  moment.fill.assign(run.schedule.programOfCore.size(), 0);
  std::vector<QString> names;
  for (const schedule::Buffer& buffer : run.schedule.buffers) names.push_back(text(buffer.name));
  moment.buffers.reserve(state.buffers.size());
  for (const report::BufferFill& fill : state.buffers) {
    const schedule::Buffer& buffer = run.schedule.buffers[fill.buffer.index()];
    const std::int64_t bytes = fill.slots * buffer.bytes;
    const bool shared = schedule::isInSharedBuffer(buffer.use);
    moment.buffers.push_back({static_cast<int>(fill.core.value()), names[fill.buffer.index()],
                              fill.slots, buffer.slots, bytes, shared});
    if (!shared)
      moment.fill[fill.core.index()] +=
          static_cast<float>(static_cast<double>(bytes) / static_cast<double>(capacity));
  }
  moment.capacity = capacity;
}

/// Operands of tiles in flight. Tiles of the same process and activity are of the same one, and a
/// wafer has a hundred thousand of them.
class OperandNames {
 public:
  struct Name {
    QString text;
    int colour = 0;
  };
  explicit OperandNames(const service::SimulationRun& run) : m_run(run) {
    const auto number = [&](const auto& operands) {
      for (const auto& operand : operands)
        m_colours.try_emplace(operand.name, static_cast<int>(m_colours.size()));
    };
    number(run.kernel->nest->inputs);
    number(run.kernel->nest->outputs);
  }
  int colourOf(const std::string& operand) const {
    const auto colour = m_colours.find(operand);
    return colour == m_colours.end() ? 0 : colour->second;
  }
  const Name& of(const report::TileInFlight& tile) const {
    const std::tuple key(m_run.schedule.programOfCore[tile.core.index()].index(), tile.process,
                         tile.activity);
    const auto known = m_names.find(key);
    if (known != m_names.end()) return known->second;
    const std::string& operand = report::operandOf(tile, m_run.schedule, *m_run.kernel->nest);
    return m_names.emplace(key, Name{text(operand), colourOf(operand)}).first->second;
  }

 private:
  const service::SimulationRun& m_run;
  std::map<std::string, int> m_colours;
  mutable std::map<std::tuple<std::size_t, std::int16_t, report::Activity>, Name> m_names;
};

/// A core that holds the tile several times, as in a shared buffer and its own, is there while any
/// of them lasts.
void addPath(const report::TilePath& path, double cycle, MeshMoment& moment) {
  std::map<int, PathCell::Phase> phases;
  for (const report::TileStay& stay : path.stays) {
    const auto phase = cycle < stay.from ? PathCell::Phase::Before
                       : cycle < stay.to ? PathCell::Phase::There
                                         : PathCell::Phase::Consumed;
    PathCell::Phase& now =
        phases.try_emplace(static_cast<int>(stay.core.value()), phase).first->second;
    if (phase == PathCell::Phase::There || now == PathCell::Phase::Consumed) now = phase;
  }
  for (const auto& [core, phase] : phases) moment.path.push_back({core, phase});
}

}  // namespace

MeshMoment momentOf(const Recording& recording, const report::RunState& state,
                    const report::TilePath* path) {
  const service::SimulationRun& run = recording.run();
  MeshMoment moment;
  moment.cycle = state.cycle;
  moment.knowsStates = !recording.isTruncated() || state.cycle < recording.until();
  moment.knowsSlots = state.cycle < recording.slotsUntil();
  moment.states.assign(run.schedule.programOfCore.size(), MeshMoment::kNoProgram);
  if (moment.knowsStates) addStates(recording, state, moment);
  const OperandNames names(run);
  moment.tiles.reserve(state.tiles.size());
  for (const report::TileInFlight& tile : state.tiles) {
    const OperandNames::Name& operand = names.of(tile);
    moment.tiles.push_back(
        {tile, operand.colour, operand.text, path != nullptr && path->contains(tile)});
  }
  if (moment.knowsSlots) addBuffers(run, state, moment);
  if (path != nullptr) {
    moment.pathColour = names.colourOf(path->operand);
    addPath(*path, state.cycle, moment);
  }
  const simulate::UseOverTime& use = run.simulated.overTime;
  if (use.bins == 0 || use.binCycles <= 0) return moment;
  const std::size_t bin =
      std::min(static_cast<std::size_t>(state.cycle / use.binCycles), use.bins - 1);
  moment.links = atBin(use.links, use.bins, bin);
  moment.channels = atBin(use.channels, use.bins, bin);
  return moment;
}

QString movesText(const MeshMoment& moment, int core) {
  QStringList parts;
  for (const MovingTile& tile : moment.tiles) {
    if (tile.core() != core) continue;
    parts << QStringLiteral("%1 %2 %3")
                 .arg(text(report::nameOf(tile.move.activity)), tile.operand,
                      percentText(tile.move.done, 0));
  }
  return parts.join(QStringLiteral(", "));
}

void paintMovingTiles(QPainter& painter, const MeshScene& scene, const Viewport& view,
                      const Tokens& tokens, const QString& chosen) {
  if (!scene.moment || view.pitch < kTilePitch) return;
  painter.setRenderHint(QPainter::Antialiasing);
  TilePainter tiles(painter, scene, view, tokens, chosen);
  for (const MovingTile& tile : scene.moment->tiles)
    if (isDrawn(scene, tile)) tiles.paint(tile);
}

std::optional<QPointF> placeOfTile(const MeshScene& scene, const Viewport& view,
                                   const MovingTile& tile) {
  if (view.pitch < kTilePitch || !isDrawn(scene, tile)) return std::nullopt;
  return squareOf(scene, view, tile).middle;
}

const MovingTile* movingTileAt(const MeshScene& scene, const Viewport& view, QPointF position) {
  if (!scene.moment) return nullptr;
  const double reach = sideOf(view) / 2 + 1;
  const auto isAt = [&](const MovingTile& tile) {
    const auto middle = placeOfTile(scene, view, tile);
    return middle && std::abs(middle->x() - position.x()) <= reach &&
           std::abs(middle->y() - position.y()) <= reach;
  };
  // They are painted in their order, so that later ones hide earlier ones.
  const auto& tiles = scene.moment->tiles;
  const auto found = std::find_if(tiles.rbegin(), tiles.rend(), isAt);
  return found == tiles.rend() ? nullptr : &*found;
}

}  // namespace gridloom::widgets
