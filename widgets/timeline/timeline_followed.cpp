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

TimelineRow rowOf(const report::TilePath& path, hardware::CoreId core, const TimelineScene& scene) {
  TimelineRow row;
  row.kind = TimelineRow::Kind::Followed;
  row.index = static_cast<int>(core.value());
  row.colour = operandColour(*scene.source->run().kernel->nest, text(path.operand));
  QStringList what;
  for (const report::TileStay& stay : path.stays)
    if (stay.core == core) row.holds.emplace_back(stay.from, stay.to);
  for (const report::TileInFlight& move : path.transfers) {
    if (move.core != core) continue;
    row.spans.emplace_back(move.begin, move.end);
    const QString name = text(report::nameOf(move.activity));
    if (!what.contains(name)) what << name;
  }
  std::ranges::sort(row.spans);
  row.title = QStringLiteral("%1 %2: %3")
                  .arg(text(path.operand), placeOf(scene.source->run().hardware->topology, core),
                       what.isEmpty() ? QStringLiteral("held") : what.join(QStringLiteral(", ")));
  row.detail = QStringLiteral("the followed tile of %1").arg(row.title);
  return row;
}

/// The cores of a path, in the order in which they get the tile.
std::vector<hardware::CoreId> coresOf(const report::TilePath& path) {
  std::vector<hardware::CoreId> cores;
  std::set<hardware::CoreId> known;
  for (const report::TileStay& stay : path.stays)
    if (known.insert(stay.core).second) cores.push_back(stay.core);
  return cores;
}

QString countOf(const report::TilePath& path, std::size_t cores) {
  const QString count = countText(static_cast<double>(cores));
  return path.whole ? count : QStringLiteral("more than %1").arg(count);
}

TimelineRow headingOf(const report::TilePath& path, std::size_t shown, std::size_t cores) {
  TimelineRow row;
  row.kind = TimelineRow::Kind::Path;
  row.title = QStringLiteral("%1 of %2 cores shown").arg(shown).arg(countOf(path, cores));
  row.detail = QStringLiteral("%1 cores get this tile of %2: the first %3 are shown, and the "
                              "selected core")
                   .arg(countOf(path, cores), text(path.operand))
                   .arg(shown);
  return row;
}

}  // namespace

void showFollowed(TimelineScene& scene, const report::TilePath& path, int chosen) {
  if (scene.empty()) return;
  std::vector<hardware::CoreId> cores = coresOf(path);
  const std::size_t all = cores.size();
  if (all > kMostPathRows) {
    const auto rest = cores.begin() + kMostPathRows;
    const bool isLate = std::find(rest, cores.end(), hardware::CoreId(chosen)) != cores.end();
    cores.erase(rest, cores.end());
    if (isLate) cores.back() = hardware::CoreId(chosen);
  }
  std::vector<TimelineRow> rows;
  if (cores.size() < all) rows.push_back(headingOf(path, cores.size(), all));
  for (const hardware::CoreId core : cores) rows.push_back(rowOf(path, core, scene));
  scene.rows.insert(scene.rows.begin(), std::make_move_iterator(rows.begin()),
                    std::make_move_iterator(rows.end()));
}

QString pathText(const report::TilePath& path) {
  double end = 0;
  for (const report::TileStay& stay : path.stays) end = std::max(end, stay.to);
  const std::size_t cores = coresOf(path).size();
  return QStringLiteral("Tile of %1: cycles %2 to %3, %4 %5")
      .arg(text(path.operand), countText(std::floor(path.stays.front().from)),
           countText(std::floor(end)), countOf(path, cores),
           cores == 1 ? QStringLiteral("core") : QStringLiteral("cores"));
}

}  // namespace gridloom::widgets
