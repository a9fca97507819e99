// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_painter.h"

namespace gridloom::widgets {

/// Parts of `paintTimeline`.
void paintRowTitle(QPainter& painter, const TimelineRow& row, const QRectF& box,
                   const TimelineLayout& layout, const Tokens& tokens);
/// At the right: what the row does at the cursor.
void paintRowValue(QPainter& painter, const TimelineScene& scene, const TimelineRow& row,
                   const QRectF& box, const TimelineLayout& layout, double cursor,
                   const Tokens& tokens);
QString valueAt(const TimelineExtent& run, const TimelineRow& row, double cycle);
/// The parts of a row's box that show A and B; with `ofA` empty, all of it shows B.
struct RowBands {
  QRectF ofA, ofB;
};
RowBands bandsOf(const TimelineRow& row, const QRectF& box);
/// "A" and "B" before the bands of a row, and what only one run has.
void paintBandNames(QPainter& painter, const TimelineRow& row, const QRectF& box,
                    const Tokens& tokens);
void paintAxis(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout,
               double cursor, const Tokens& tokens);
void paintCursor(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout,
                 double cursor, const Tokens& tokens);
/// The frame of the visible cycles in the overview, and what is not recorded.
void paintWindow(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout,
                 const Tokens& tokens);

/// The least height of a row that has a title.
constexpr double kReadableRow = 12;

}  // namespace gridloom::widgets
