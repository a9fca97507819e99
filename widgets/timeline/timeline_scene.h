// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "timeline/recording.h"

namespace gridloom::widgets {

/// One row of a timeline.
struct TimelineRow {
  enum class Kind {
    Path,      ///< heading of the path of the followed tile, where not all of it is shown
    Followed,  ///< a core on that path
    Class,     ///< cores with the same duties, stacked by their states
    Core,      ///< one of them
    Transfer,  ///< what one process of the selected core moves as one activity
    Links,     ///< heading of the links
    Link,
    Channel
  };
  Kind kind = Kind::Class;
  QString title, detail;  ///< `detail`: for tooltips and readers
  int index = 0;          ///< of the class, CoreId, link or channel
  int depth = 0;
  bool expands = false, expanded = false;
  QString operand;                                     ///< of a transfer
  report::Activity activity = report::Activity::Load;  ///< of a transfer
  int colour = -1;                                     ///< the operand's
  std::shared_ptr<const StateSteps> steps;             ///< Class, Core
  std::shared_ptr<const std::vector<TileMark>> tiles;
  std::vector<std::pair<double, double>> spans;  ///< Transfer, Followed: from, to, by begin
  std::vector<std::pair<double, double>> holds;  ///< Followed: a buffer holds the tile
  std::span<const float> use;                    ///< Link, Channel: per bin, 0 to 1
  /// How it relates to the row of the same thing in the frozen run A.
  enum class Match { None, Same, Differs, OnlyA, OnlyB };
  Match match = Match::None;
  std::shared_ptr<const TimelineRow> a;  ///< Differs, OnlyA: what it is in A

  /// Stands for the same thing as a row of another scene of the same run.
  bool isLike(const TimelineRow& other) const;
};

/// How long a run is, in cycles.
struct TimelineExtent {
  double cycles = 0, until = 0;  ///< of the run, and recorded
  double binCycles = 0;          ///< of `TimelineRow::use`
};

/// The rows of a run. What they refer to lives as long as `source`.
struct TimelineScene : TimelineExtent {
  std::shared_ptr<const Recording> source;
  std::vector<TimelineRow> rows;
  std::vector<std::shared_ptr<const StateSteps>> whole;  ///< all cores, for the overview
  double hertz = 0;                                      ///< 0 without a clock
  /// With a frozen run A beside it: its length, what its rows refer to, and all its cores.
  std::optional<TimelineExtent> a;
  std::shared_ptr<const Recording> sourceOfA;
  std::vector<std::shared_ptr<const StateSteps>> wholeOfA;

  bool empty() const { return rows.empty(); }
  /// Cycles of the longer run: what the axis covers.
  double range() const { return a ? std::max(a->cycles, cycles) : cycles; }
};

/// What of a recording is shown beside the classes of cores.
struct TimelineChoice {
  std::set<int> openClasses;
  bool allLinks = false;
  int core = -1;             ///< CoreId whose transfers are shown
  std::vector<int> links{};  ///< always among the rows
  QString operand{};         ///< transfers of this operand only; empty: all
};

/// Links shown unless all are: the busiest.
constexpr std::size_t kFewLinks = 4;
/// Rows of one kind: more could neither be read nor be chosen from. Where there are more cores or
/// links, the row above them says so.
constexpr std::size_t kMostRows = 4096;

/// The colour of an operand as the mesh numbers them: inputs, then outputs.
int operandColour(const kernel::TileNest& nest, const QString& operand);

TimelineScene timelineOf(const std::shared_ptr<const Recording>& recording,
                         const TimelineChoice& choice);

}  // namespace gridloom::widgets
