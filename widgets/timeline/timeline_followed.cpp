// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_followed.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <set>

#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

QString placeOf(const hardware::Topology& hw, hardware::CoreId core) {
  std::vector<std::int64_t> at(hw.dims().size());
  hw.coordinatesOf(core, at);
  QStringList parts;
  for (const std::int64_t each : at) parts << QString::number(each);
  return QStringLiteral("(%1)").arg(parts.join(QLatin1Char(',')));
}

TimelineRow rowOf(const report::TileWay& way, hardware::CoreId core, const TimelineScene& scene) {
  TimelineRow row;
  row.kind = TimelineRow::Kind::Followed;
  row.index = static_cast<int>(core.value());
  row.colour = operandColour(*scene.source->run().kernel->nest, text(way.operand));
  QStringList what;
  for (const report::TileStay& stay : way.stays)
    if (stay.core == core) row.holds.emplace_back(stay.from, stay.to);
  for (const report::TileInFlight& move : way.moves) {
    if (move.core != core) continue;
    row.spans.emplace_back(move.begin, move.end);
    const QString name = text(report::nameOf(move.activity));
    if (!what.contains(name)) what << name;
  }
  std::ranges::sort(row.spans);
  row.title = QStringLiteral("%1 %2: %3")
                  .arg(text(way.operand), placeOf(scene.source->run().hardware->topology, core),
                       what.isEmpty() ? QStringLiteral("held") : what.join(QStringLiteral(", ")));
  row.detail = QStringLiteral("the followed tile of %1").arg(row.title);
  return row;
}

/// The cores of a way, in the order in which they get the tile.
std::vector<hardware::CoreId> coresOf(const report::TileWay& way) {
  std::vector<hardware::CoreId> cores;
  std::set<hardware::CoreId> known;
  for (const report::TileStay& stay : way.stays)
    if (known.insert(stay.core).second) cores.push_back(stay.core);
  return cores;
}

QString countOf(const report::TileWay& way, std::size_t cores) {
  const QString count = countText(static_cast<double>(cores));
  return way.whole ? count : QStringLiteral("more than %1").arg(count);
}

TimelineRow headingOf(const report::TileWay& way, std::size_t shown, std::size_t cores) {
  TimelineRow row;
  row.kind = TimelineRow::Kind::Way;
  row.title = QStringLiteral("%1 of %2 cores shown").arg(shown).arg(countOf(way, cores));
  row.detail = QStringLiteral("%1 cores get this tile of %2: the first %3 are shown, and the "
                              "selected core")
                   .arg(countOf(way, cores), text(way.operand))
                   .arg(shown);
  return row;
}

}  // namespace

void showFollowed(TimelineScene& scene, const report::TileWay& way, int chosen) {
  if (scene.empty()) return;
  std::vector<hardware::CoreId> cores = coresOf(way);
  const std::size_t all = cores.size();
  if (all > kMostWayRows) {
    const auto rest = cores.begin() + kMostWayRows;
    const bool isLate = std::find(rest, cores.end(), hardware::CoreId(chosen)) != cores.end();
    cores.erase(rest, cores.end());
    if (isLate) cores.back() = hardware::CoreId(chosen);
  }
  std::vector<TimelineRow> rows;
  if (cores.size() < all) rows.push_back(headingOf(way, cores.size(), all));
  for (const hardware::CoreId core : cores) rows.push_back(rowOf(way, core, scene));
  scene.rows.insert(scene.rows.begin(), std::make_move_iterator(rows.begin()),
                    std::make_move_iterator(rows.end()));
}

QString wayText(const report::TileWay& way) {
  double end = 0;
  for (const report::TileStay& stay : way.stays) end = std::max(end, stay.to);
  const std::size_t cores = coresOf(way).size();
  return QStringLiteral("Tile of %1: cycles %2 to %3, %4 %5")
      .arg(text(way.operand), countText(std::floor(way.stays.front().from)),
           countText(std::floor(end)), countOf(way, cores),
           cores == 1 ? QStringLiteral("core") : QStringLiteral("cores"));
}

}  // namespace gridloom::widgets
