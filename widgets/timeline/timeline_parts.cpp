// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_parts.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

using Kind = TimelineRow::Kind;

constexpr double kIndent = 14;

bool hasBands(const TimelineRow& row) {
  return row.match != TimelineRow::Match::None && row.match != TimelineRow::Match::Same;
}

bool isHeading(const TimelineRow& row) { return row.kind == Kind::Links || row.kind == Kind::Path; }

double heightOf(const TimelineRow& row) {
  const bool states = row.kind == Kind::Class || row.kind == Kind::Core;
  if (hasBands(row)) return states ? 32 : 26;
  return states ? 20 : isHeading(row) ? 18 : 15;
}

/// A step of 1, 2 or 5 times a power of ten that is at least `least`.
double roundStep(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(std::max(least, 1e-300))));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

void paintDisclosure(QPainter& painter, QPointF at, bool open, const QColor& colour) {
  QPainterPath path;
  if (open) {
    path.moveTo(at + QPointF(-3.5, -2));
    path.lineTo(at + QPointF(0, 2));
    path.lineTo(at + QPointF(3.5, -2));
  } else {
    path.moveTo(at + QPointF(-2, -3.5));
    path.lineTo(at + QPointF(2, 0));
    path.lineTo(at + QPointF(-2, 3.5));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colour, 1.4));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

QString shareText(const TimelineRow& row, double cycle) {
  const StateSteps::Counts counts = row.steps->at(cycle);
  if (row.steps->cores() > 1) {
    return QStringLiteral("%1 of %2").arg(countText(counts[0]), countText(row.steps->cores()));
  }
  const auto now = std::ranges::max_element(counts) - counts.begin();
  return stateTitle(static_cast<simulate::State>(now));
}

}  // namespace

TimelineLayout::TimelineLayout(const TimelineScene& scene, const QRectF& area,
                               const TimelineView& view)
    : begin(view.begin), end(std::max(view.end, view.begin + 1e-9)) {
  labels = std::clamp(area.width() * 0.24, view.values ? 96.0 : 150.0, 220.0);
  margin = view.values ? std::clamp(area.width() * 0.1, 58.0, 84.0) : 20;
  const double width = std::max(20.0, area.width() - labels - margin);
  const double left = area.left() + labels;
  const bool low = area.height() < 130;
  overview = QRectF(left, area.top() + 2, width, low ? 8 : 18);
  axis = QRectF(left, overview.bottom() + 2, width, scene.hertz > 0 ? 29 : 17);
  tracks = QRectF(left, axis.bottom() + 1, width, std::max(0.0, area.bottom() - axis.bottom() - 1));
  double top = 0;
  for (const TimelineRow& row : scene.rows) {
    tops.push_back(top);
    top += std::max(1.0, heightOf(row) * view.rowScale);
  }
  tops.push_back(top);
}

QRectF TimelineLayout::rowBox(std::size_t row, double scroll) const {
  return {tracks.left(), tracks.top() + tops[row] - scroll, tracks.width(),
          tops[row + 1] - tops[row]};
}

int TimelineLayout::rowAt(double y, double scroll) const {
  if (y < tracks.top() || y >= tracks.bottom()) return -1;
  const double wanted = y - tracks.top() + scroll;
  const auto found = std::upper_bound(tops.begin(), tops.end(), wanted);
  return found == tops.end() ? -1 : static_cast<int>(found - tops.begin()) - 1;
}

RowBands bandsOf(const TimelineRow& row, const QRectF& box) {
  if (!hasBands(row)) return {{}, box};
  const double half = box.height() / 2;
  return {box.adjusted(0, 0, 0, -half), box.adjusted(0, half, 0, 0)};
}

void paintBandNames(QPainter& painter, const TimelineRow& row, const QRectF& box,
                    const Tokens& tokens) {
  const RowBands bands = bandsOf(row, box);
  if (bands.ofA.height() < kReadableRow) return;
  const auto paint = [&](const QRectF& band, const char* name, bool isThere) {
    painter.setPen(isThere ? tokens.muted : tokens.faint);
    painter.drawText(QRectF(band.left() - 13, band.top(), 9, band.height()), Qt::AlignCenter,
                     QLatin1String(name));
    if (!isThere)
      painter.drawText(band.adjusted(6, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                       QStringLiteral("not in %1").arg(QLatin1String(name)));
  };
  paint(bands.ofA, "A", row.match != TimelineRow::Match::OnlyB);
  paint(bands.ofB, "B", row.match != TimelineRow::Match::OnlyA);
}

QString valueAt(const TimelineExtent& run, const TimelineRow& row, double cycle) {
  if (cycle < 0) return {};
  switch (row.kind) {
  case Kind::Class:
  case Kind::Core:
    return cycle > run.until || !row.steps ? QString() : shareText(row, cycle);
  case Kind::Link:
  case Kind::Channel: {
    if (row.use.empty() || run.binCycles <= 0 || cycle > run.cycles) return {};
    const auto bin = static_cast<std::size_t>(cycle / run.binCycles);
    return percentText(row.use[std::min(bin, row.use.size() - 1)], 0);
  }
  case Kind::Followed:
    for (const auto& [from, to] : row.holds)
      if (cycle >= from && cycle < to) return QStringLiteral("held");
    return {};
  case Kind::Transfer:
  case Kind::Path:
  case Kind::Links:
    return {};
  }
  return {};
}

void paintRowTitle(QPainter& painter, const TimelineRow& row, const QRectF& box,
                   const TimelineLayout& layout, const Tokens& tokens) {
  const double left = box.left() - layout.labels + 8;
  if (row.expands)
    paintDisclosure(painter, {left + 4, box.center().y()}, row.expanded, tokens.muted);
  const double indent = kIndent * (1 + row.depth * 0.7);
  const QRectF area(left + indent, box.top(), layout.labels - indent - 18, box.height());
  painter.setPen(row.kind == Kind::Class ? tokens.text
                 : row.kind == Kind::Transfer || row.kind == Kind::Followed
                     ? tokens.operand(row.colour)
                     : (isHeading(row) ? tokens.faint : tokens.muted));
  painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft,
                   painter.fontMetrics().elidedText(shownText(row.title.toStdString()),
                                                    Qt::ElideRight,
                                                    static_cast<int>(area.width())));
}

void paintRowValue(QPainter& painter, const TimelineScene& scene, const TimelineRow& row,
                   const QRectF& box, const TimelineLayout& layout, double cursor,
                   const Tokens& tokens) {
  const RowBands bands = bandsOf(row, box);
  const auto paint = [&](const QRectF& band, const QString& value) {
    if (value.isEmpty()) return;
    painter.setPen(tokens.muted);
    const QRectF area(band.right() + 6, band.top(), layout.margin - 12, band.height());
    painter.drawText(
        area, Qt::AlignVCenter | Qt::AlignRight,
        painter.fontMetrics().elidedText(value, Qt::ElideRight, static_cast<int>(area.width())));
  };
  if (row.a && bands.ofA.height() >= kReadableRow)
    paint(bands.ofA, valueAt(*scene.a, *row.a, cursor));
  paint(bands.ofB, valueAt(scene, row, cursor));
}

void paintAxis(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout,
               double cursor, const Tokens& tokens) {
  const QFontMetricsF metrics(painter.font());
  const QRectF& box = layout.axis;
  const double line = box.height() / (scene.hertz > 0 ? 2 : 1);
  const auto caption = [&](const QString& words, int row) {
    painter.setPen(tokens.faint);
    painter.drawText(
        QRectF(box.left() - layout.labels + 8, box.top() + line * row, layout.labels - 16, line),
        Qt::AlignVCenter | Qt::AlignLeft, words);
  };
  caption(QStringLiteral("Cycle"), 0);
  if (scene.hertz > 0) caption(QStringLiteral("Time"), 1);
  const QString widest = countText(std::ceil(layout.end));
  const double room = std::max(metrics.horizontalAdvance(widest), 56.0) + 26;
  const double step = std::max(1.0, roundStep((layout.end - layout.begin) * room / box.width()));
  const double tag = cursor < 0 ? -1e9 : layout.xOf(cursor);
  const double tagReach =
      metrics.horizontalAdvance(countText(std::floor(std::max(cursor, 0.0)))) + 6;
  for (double at = std::ceil(layout.begin / step) * step; at <= layout.end; at += step) {
    const double x = layout.xOf(at);
    painter.fillRect(QRectF(x, box.bottom() - 3, 1, 3), tokens.border);
    painter.fillRect(QRectF(x, layout.tracks.top(), 1, layout.tracks.height()),
                     QColor(tokens.border.red(), tokens.border.green(), tokens.border.blue(), 70));
    const QString words = countText(at);
    const double half = metrics.horizontalAdvance(words) / 2;
    // Ticks under the tag of the cursor are not drawn.
    const bool hidden = std::abs(x - tag) < half + tagReach / 2 + 8;
    const double left = std::max(x - room / 2, box.left() - 8);
    const QRectF place(left, box.top(), room, line);
    painter.setPen(tokens.muted);
    if (!hidden && x + half <= box.right() + layout.margin)
      painter.drawText(
          place, left > x - room / 2 ? Qt::AlignVCenter | Qt::AlignLeft : Qt::AlignCenter, words);
    if (scene.hertz <= 0 || x + half > box.right() + layout.margin) continue;
    painter.setPen(tokens.faint);
    painter.drawText(place.translated(0, line),
                     left > x - room / 2 ? Qt::AlignVCenter | Qt::AlignLeft : Qt::AlignCenter,
                     timeText(at / scene.hertz, step / scene.hertz));
  }
}

void paintCursor(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout,
                 double cursor, const Tokens& tokens) {
  if (cursor < 0) return;
  const double overviewX =
      layout.overview.left() + cursor / std::max(scene.range(), 1.0) * layout.overview.width();
  painter.fillRect(QRectF(overviewX - 0.75, layout.overview.top(), 1.5, layout.overview.height()),
                   tokens.accent);
  if (cursor < layout.begin || cursor > layout.end) return;
  const double x = layout.xOf(cursor);
  painter.fillRect(QRectF(x - 0.75, layout.axis.top() + 10, 1.5,
                          layout.tracks.bottom() - layout.axis.top() - 10),
                   tokens.accent);
  const QString words = countText(std::floor(cursor));
  const double width = painter.fontMetrics().horizontalAdvance(words) + 14;
  const QRectF tag(std::clamp(x - width / 2, layout.tracks.left() - 8,
                              layout.tracks.right() + layout.margin - width),
                   layout.axis.top(), width, 15);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(tokens.accent);
  painter.drawRoundedRect(tag, 4, 4);
  painter.setPen(tokens.panel);
  painter.drawText(tag, Qt::AlignCenter, words);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintWindow(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout,
                 const Tokens& tokens) {
  const QRectF& box = layout.overview;
  painter.setPen(tokens.muted);
  painter.drawText(
      QRectF(box.left() - layout.labels + 8, box.top() - 3, layout.labels - 16, box.height() + 6),
      Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("Whole run"));
  const auto at = [&](double cycle) {
    return box.left() + std::clamp(cycle / std::max(scene.range(), 1.0), 0.0, 1.0) * box.width();
  };
  if (!scene.a && scene.until < scene.cycles && at(scene.cycles) - at(scene.until) > 90 &&
      box.height() > 14) {
    painter.setPen(tokens.faint);
    painter.drawText(
        QRectF(at(scene.until), box.top(), at(scene.cycles) - at(scene.until), box.height()),
        Qt::AlignCenter, QStringLiteral("not recorded"));
  }
  const double left = at(layout.begin), right = std::max(at(layout.end), left + 3);
  if (layout.begin <= 0 && layout.end >= scene.range()) return;
  painter.setPen(QPen(tokens.accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(left, box.top() + 0.5, right - left, box.height() - 1));
}

}  // namespace gridloom::widgets
