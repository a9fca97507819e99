// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>

#include "timeline/timeline_scene.h"

class QColor;
class QPainter;

namespace gridloom::widgets {

struct ChartHead;
struct Tokens;

/// What of a timeline is visible, in pixels and cycles.
struct TimelineView {
  double begin = 0, end = 1;  ///< cycles
  double cursor = -1;         ///< cycle, -1 for none
  double scroll = 0;          ///< pixels above the first visible row
  double rowScale = 1;        ///< below 1: rows are lower, down to one pixel
  int selected = -1;          ///< row
  bool values = true;  ///< room at the right for the values at the cursor, else for longer titles
  bool stale = false;
};

/// Where the parts of a timeline are in an area.
struct TimelineLayout {
  TimelineLayout(const TimelineScene& scene, const QRectF& area, const TimelineView& view);

  QRectF overview;           ///< the whole run
  QRectF axis;               ///< cycles, and time below where a clock is known
  QRectF tracks;             ///< the rows, without their titles
  double labels = 0;         ///< width of the titles
  double margin = 0;         ///< width of the values at the cursor
  std::vector<double> tops;  ///< of the rows from the first one on, and the end of the last
  double begin = 0, end = 1;

  double xOf(double cycle) const {
    return tracks.left() + (cycle - begin) / (end - begin) * tracks.width();
  }
  double cycleAt(double x) const {
    return begin + (x - tracks.left()) / tracks.width() * (end - begin);
  }
  QRectF rowBox(std::size_t row, double scroll) const;
  /// The row at a height, -1 for none.
  int rowAt(double y, double scroll) const;
  double rowsHeight() const { return tops.empty() ? 0 : tops.back(); }
};

/// Draws the visible part of a timeline. Rows are merged per pixel: what a core did in the time of
/// a pixel is a stack, and of a link the largest use shows. Rows below two pixels are scan lines of
/// the state that waits most.
void paintTimeline(QPainter& painter, const QRectF& area, const TimelineScene& scene,
                   const TimelineView& view, const Tokens& tokens);

/// The same with a heading and a legend, for export; its height for a width.
void paintTimelineFigure(QPainter& painter, const QRectF& area, const TimelineScene& scene,
                         TimelineView view, const Tokens& tokens, const ChartHead& head);
double timelineFigureHeight(const TimelineScene& scene, const TimelineView& view,
                            const ChartHead& head, double width);

/// Colour and title of a state, in timelines and on the mesh.
QColor stateColour(const Tokens& tokens, simulate::State state);
QString stateTitle(simulate::State state);
/// "38.15 µs", with the digits that `step` seconds need.
QString timeText(double seconds, double step);

}  // namespace gridloom::widgets
