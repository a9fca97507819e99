// SPDX-License-Identifier: GPL-3.0-or-later

// What a mesh says in words.

#include <QStringList>
#include <algorithm>

#include "canvas/mesh_moment.h"
#include "canvas/mesh_scene.h"
#include "models/quantity_text.h"
#include "timeline/timeline_painter.h"

namespace gridloom::widgets {

namespace {

struct HeatText {
  const char* title;
  const char* brief;  ///< beside its scale
  const char* meaning;
};

constexpr HeatText kHeatTexts[kHeats] = {
    {"No heat", "", "Cores without colour"},
    {"Work", "Work", "Tile iterations of a core over those of the busiest core"},
    {"States", "Compute",
     "What the core does over the run: its colour is the state that takes most of its cycles, the "
     "bar at its left edge the share of each, the number that of computing"},
    {"Computing", "Compute", "Share of the simulated cycles in which the core computes"},
    {"Waiting: load", "Wait load",
     "Share of the simulated cycles spent on set-up and latency of loads"},
    {"Waiting: links", "Wait links",
     "Share of the simulated cycles in which input tiles wait for network links"},
    {"Waiting: DRAM", "Wait DRAM",
     "Share of the simulated cycles in which input tiles wait for DRAM channels"},
    {"Waiting: handshake", "Wait sync",
     "Share of the simulated cycles in which senders wait for receivers"},
    {"Waiting: store", "Wait store",
     "Share of the simulated cycles in which no output buffer is free"},
    {"Idle", "Idle",
     "Share of the simulated cycles before the launch, after the last work, or without work"},
    {"Lost to the step", "Lost",
     "Share of the simulated cycles that the core loses to the step selected in "
     "\"Where the peak went\""},
    {"Outputs moved", "Moved", "Share of the core's outputs that another core computes in A"},
    {"State at the cursor", "",
     "What the core does at the cycle of the timeline's cursor; links and channels show their use "
     "around it"}};

}  // namespace

QString titleOf(Heat heat) {
  return QString::fromUtf8(kHeatTexts[static_cast<std::size_t>(heat)].title);
}
QString briefTitleOf(Heat heat) {
  return QString::fromUtf8(kHeatTexts[static_cast<std::size_t>(heat)].brief);
}
QString meaningOf(Heat heat) {
  return QString::fromUtf8(kHeatTexts[static_cast<std::size_t>(heat)].meaning);
}

QString MeshScene::coordinatesText(int core) const {
  QStringList parts;
  for (std::size_t d = 0; d < dimNames.size(); ++d) {
    parts << QString::number(described[static_cast<std::size_t>(core) * dimNames.size() + d]);
  }
  return QStringLiteral("(%1)").arg(parts.join(QStringLiteral(", ")));
}

const MeshScene::Aside* MeshScene::asideAt(int cell) const {
  const auto found = std::ranges::lower_bound(asides, cell, {}, &Aside::cell);
  return found != asides.end() && found->cell == cell ? &*found : nullptr;
}

QString MeshScene::describe(const Aside& aside) const {
  QStringList at;
  for (const std::int64_t each : aside.coordinates) at << QString::number(each);
  return QStringLiteral("Core (%1): %2")
      .arg(at.join(QStringLiteral(", ")),
           aside.disabled ? QStringLiteral("disabled")
                          : QStringLiteral("idle, as its line has a disabled core"));
}

QString MeshScene::tilesText(int core) const {
  QStringList parts;
  for (const Placed& split : placed) {
    parts << QStringLiteral("%1%2").arg(split.loop).arg(split.way[static_cast<std::size_t>(core)]);
  }
  return parts.join(QLatin1Char(' '));
}

namespace {

/// What a core does and holds at the selected cycle; empty without one.
QStringList momentLines(const MeshMoment* moment, int core) {
  const auto at = static_cast<std::size_t>(core);
  if (!moment || at >= moment->states.size()) return {};
  if (!moment->knowsStates)
    return {QStringLiteral("at cycle %1: not recorded").arg(countText(moment->cycle))};
  if (moment->states[at] == MeshMoment::kNoProgram) return {};
  const auto state = static_cast<simulate::State>(moment->states[at]);
  const QString moves = movesText(*moment, core), held = heldText(*moment, core);
  QStringList lines{
      QStringLiteral("at cycle %1: %2").arg(countText(moment->cycle), stateTitle(state)) +
      (moves.isEmpty() ? QString() : QStringLiteral("; ") + moves)};
  if (!moment->knowsSlots) lines << QStringLiteral("buffers in use: not recorded");
  if (!held.isEmpty()) lines << QStringLiteral("buffers in use: %1").arg(held);
  return lines;
}

}  // namespace

/// "of the run: compute 98.4%, wait link 0.8%".
QString MeshScene::statesText(std::size_t core) const {
  QStringList parts;
  for (std::size_t s = 0; s < simulate::kStates; ++s) {
    const double share = static_cast<double>(static_cast<float>(stateShares[core][s]) / kWholeRun);
    if (stateShares[core][s] > 0)
      parts << QStringLiteral("%1 %2").arg(stateTitle(static_cast<simulate::State>(s)),
                                           percentText(share, 0));
  }
  return QStringLiteral("of the run: %1").arg(parts.join(QStringLiteral(", ")));
}

QString MeshScene::describe(int core) const {
  const auto at = static_cast<std::size_t>(core);
  QStringList lines{QStringLiteral("Core %1").arg(coordinatesText(core))};
  if (!placed.empty() && !active[at]) lines << QStringLiteral("no work in this mapping");
  if (placed.empty() || !active[at]) return lines.join(QLatin1Char('\n'));
  lines += momentLines(moment.get(), core);
  for (const Placed& split : placed) {
    QStringList tiles;
    std::int64_t tile = split.way[at];
    for (; tile < split.tiles && tiles.size() < 6; tile += split.unroll)
      tiles << QString::number(tile);
    if (tile < split.tiles) tiles << QStringLiteral("…");
    lines << QStringLiteral("tiles of %1: %2 of %3, %4 elements each")
                 .arg(split.loop, tiles.join(QStringLiteral(", ")))
                 .arg(split.tiles)
                 .arg(split.tileSize);
  }
  for (const Flow& flow : flows) {
    const bool touches = !flow.touches.empty() && flow.touches[at];
    const QString own =
        flow.output ? (touches ? QStringLiteral("writes to DRAM") : QStringLiteral("sends on"))
                    : (touches ? QStringLiteral("loads from DRAM") : QStringLiteral("receives"));
    lines << QStringLiteral("%1: %2 (%3)")
                 .arg(flow.operand, flow.isAllReduce ? QStringLiteral("meets the others") : own,
                      flow.movement);
  }
  if (at < stateShares.size()) {
    lines << statesText(at);
  } else if (at < heatOfCore.size()) {
    lines << QStringLiteral("%1: %2").arg(titleOf(heat),
                                          percentText(static_cast<double>(heatOfCore[at])));
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace gridloom::widgets
