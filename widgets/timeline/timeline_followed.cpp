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

std::size_t coresOf(const report::TileWay& way) {
  std::set<hardware::CoreId> cores;
  for (const report::TileStay& stay : way.stays) cores.insert(stay.core);
  return cores.size();
}

}  // namespace

void showFollowed(TimelineScene& scene, const report::TileWay& way) {
  if (scene.empty()) return;
  std::vector<TimelineRow> rows;
  std::set<hardware::CoreId> known;
  for (const report::TileStay& stay : way.stays) {
    if (rows.size() < kMostWayRows && known.insert(stay.core).second)
      rows.push_back(rowOf(way, stay.core, scene));
  }
  scene.rows.insert(scene.rows.begin(), std::make_move_iterator(rows.begin()),
                    std::make_move_iterator(rows.end()));
}

QString wayText(const report::TileWay& way) {
  double end = 0;
  for (const report::TileStay& stay : way.stays) end = std::max(end, stay.to);
  const std::size_t cores = coresOf(way);
  return QStringLiteral("Tile of %1: cycles %2 to %3, %4 %5%6")
      .arg(text(way.operand), countText(std::floor(way.stays.front().from)),
           countText(std::floor(end)), countText(static_cast<double>(cores)),
           cores == 1 ? QStringLiteral("core") : QStringLiteral("cores"),
           way.whole ? QString() : QStringLiteral(" and more"));
}

}  // namespace gridloom::widgets
