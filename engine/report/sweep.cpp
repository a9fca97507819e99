// SPDX-License-Identifier: Apache-2.0
#include "report/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_cells.h"
#include "report/numbers.h"

namespace gridloom::report {

namespace {

/// The cycles at the present point; none where the present values are not among the points, or
/// where it has no mapping.
Number cyclesNow(const std::vector<SweepPoint>& points) {
  const auto now = std::ranges::find_if(points, &SweepPoint::isNow);
  return now == points.end() || now->found.cycles <= 0 ? Number{} : now->found.cycles;
}

Cell changeCell(Number cycles, Number now) {
  const Number ratio = ratioOf(cycles, now);
  return ratio ? Cell{changeText(*ratio - 1), exactText(*ratio - 1)} : Cell{"-", ""};
}

std::vector<Cell> sweepRow(const SweepPoint& point, Number now) {
  const SweepFound& found = point.found;
  const bool fits = found.cycles > 0;
  std::vector<Cell> row;
  for (const double value : point.values) row.push_back({sweepValueText(value), exactText(value)});
  const auto known = [](bool is, double value) { return is ? Number(value) : Number(); };
  row.push_back(numberCell(known(found.cores > 0, static_cast<double>(found.cores))));
  row.push_back(fits ? cyclesCell(found.cycles) : numberCell({}));
  row.push_back(changeCell(known(fits, found.cycles), now));
  row.push_back(shareCell(known(fits, found.utilization)));
  row.push_back(textCell(fits ? found.bottleneck : "-"));
  row.push_back(textCell(fits ? found.mapping : found.failure));
  return row;
}

std::string bestText(const SweepRecord& sweep) {
  const SweepPoint* best = nullptr;
  for (const SweepPoint& point : sweep.points) {
    if (point.known && point.found.cycles > 0 &&
        (best == nullptr || point.found.cycles < best->found.cycles))
      best = &point;
  }
  if (best == nullptr) return "no mapping fits at any point";
  return fmt::format("{}: {} cycles, {}", sweepTitle(sweep.axes, *best),
                     cyclesText(best->found.cycles),
                     best->found.simulated ? "simulated" : "predicted");
}

}  // namespace

std::vector<SweepPoint> sweepPoints(const std::vector<SweepAxis>& axes) {
  std::vector<SweepPoint> points{{{}, true, false, {}}};
  for (const SweepAxis& axis : axes) {
    std::vector<SweepPoint> more;
    for (const SweepPoint& point : points) {
      for (const double value : axis.values) {
        more.push_back(point);
        more.back().values.push_back(value);
        more.back().isNow = point.isNow && value == axis.parameter.now;
      }
    }
    points = std::move(more);
  }
  return points;
}

std::string sweepValueText(double value) {
  if (value == std::floor(value)) return cyclesText(value);
  return std::abs(value) >= 1000 ? trimmed(value, 1) : fmt::format("{:.4g}", value);
}

std::string sweepAxisTitle(const SweepParameter& parameter) {
  return parameter.unit.empty() ? parameter.title
                                : fmt::format("{}, {}", parameter.title, parameter.unit);
}

std::string sweepTitle(const std::vector<SweepAxis>& axes, const SweepPoint& point) {
  std::string words;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const SweepParameter& parameter = axes[i].parameter;
    words += fmt::format("{}{} = {}{}{}", i == 0 ? "" : ", ", parameter.title,
                         sweepValueText(point.values[i]), parameter.unit.empty() ? "" : " ",
                         parameter.unit);
  }
  return words;
}

std::string sweepFacts(const SweepRecord& sweep) {
  std::string words = sweep.kernel;
  for (const NamedSize& size : sweep.parameters)
    words += fmt::format(", {} {}", size.name, size.size);
  if (!sweep.dtype.empty()) words += ", " + sweep.dtype;
  words += " on " + sweep.hardware;
  return sweep.mode.empty() ? words : words + ", " + sweep.mode;
}

Table sweepTable(const SweepRecord& sweep) {
  Table table;
  for (const SweepAxis& axis : sweep.axes)
    table.columns.push_back({sweepAxisTitle(axis.parameter), axis.parameter.name});
  table.columns.push_back({"cores", "cores"});
  table.columns.push_back(sweep.simulated ? Column{"simulated", "simulated_cycles"}
                                          : Column{"predicted", "predicted_cycles"});
  for (const Column& each :
       {Column{"to present", "change_to_present"}, Column{"of peak", "utilization"},
        Column{"bottleneck", "bottleneck", Align::Left},
        Column{"best mapping", "mapping", Align::Left}})
    table.columns.push_back(each);
  const Number now = cyclesNow(sweep.points);
  for (const SweepPoint& point : sweep.points) {
    if (point.known) table.rows.push_back(sweepRow(point, now));
  }
  return table;
}

std::string sweepText(const SweepRecord& sweep) {
  const auto known = std::ranges::count_if(sweep.points, &SweepPoint::known);
  const auto all = static_cast<std::ptrdiff_t>(sweep.points.size());
  std::vector<Fact> facts{{"sweep", sweepFacts(sweep)}};
  if (known < all) facts.push_back({"points", fmt::format("{} of {}", known, all)});
  facts.push_back({"best", bestText(sweep)});
  return factsText(facts) + "\n" + tableText(sweepTable(sweep));
}

}  // namespace gridloom::report
