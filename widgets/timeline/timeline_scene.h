// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "timeline/recording.h"

namespace gridloom::widgets {

/// One row of a timeline.
struct TimelineRow {
  enum class Kind {
    Class,     ///< cores with the same duties, stacked by their states
    Core,      ///< one of them
    Transfer,  ///< what one process of the selected core moves in one way
    Links,     ///< heading of the links
    Link,
    Channel
  };
  Kind kind = Kind::Class;
  QString title, detail;  ///< `detail`: for tooltips and readers
  int index = 0;          ///< of the class, CoreId, link or channel
  int depth = 0;
  bool expands = false, expanded = false;
  int colour = -1;                          ///< of a transfer: the operand's
  std::shared_ptr<const StateSteps> steps;  ///< Class, Core
  std::shared_ptr<const std::vector<TileMark>> tiles;
  std::vector<std::pair<double, double>> spans;  ///< Transfer: from, to, by begin
  std::span<const float> use;                    ///< Link, Channel: per bin, 0 to 1
};

/// The rows of a run. What they refer to lives as long as `source`.
struct TimelineScene {
  std::shared_ptr<const Recording> source;
  std::vector<TimelineRow> rows;
  std::vector<std::shared_ptr<const StateSteps>> whole;  ///< all cores, for the overview
  double cycles = 0, until = 0;                          ///< of the run, and recorded
  double hertz = 0;                                      ///< 0 without a clock
  double binCycles = 0;                                  ///< of `TimelineRow::use`

  bool empty() const { return rows.empty(); }
};

/// What of a recording is shown beside the classes of cores.
struct TimelineChoice {
  std::set<int> openClasses;
  bool allLinks = false;
  int core = -1;      ///< CoreId whose transfers are shown
  int link = -1;      ///< always among the rows
  QString operand{};  ///< transfers of this operand only; empty: all
};

/// Links shown unless all are: the busiest.
constexpr std::size_t kFewLinks = 4;
/// Rows of one kind: more could neither be read nor be chosen from.
constexpr std::size_t kMostRows = 4096;

TimelineScene timelineOf(const std::shared_ptr<const Recording>& recording,
                         const TimelineChoice& choice);

}  // namespace gridloom::widgets
