// SPDX-License-Identifier: Apache-2.0
#include "report/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_cells.h"
#include "report/numbers.h"

namespace gridloom::report {

namespace {

Cell noCell() { return {"-", ""}; }

Cell cyclesOrNone(double cycles) { return cycles > 0 ? cyclesCell(cycles) : noCell(); }

/// A prediction and a simulation are not compared: their difference is an error of the model.
Cell changeCell(const SweepFound& found, const SweepFound& now) {
  if ((found.simulated > 0) != (now.simulated > 0)) return noCell();
  const Number ratio = ratioOf(found.cycles(), now.cycles());
  return ratio ? Cell{changeText(*ratio - 1), exactText(*ratio - 1)} : noCell();
}

/// `now`: what was found at the present values; nothing where they are not among the points.
std::vector<Cell> sweepRow(const SweepPoint& point, const SweepFound& now, bool simulates) {
  const SweepFound& found = point.found;
  const bool fits = found.fits();
  std::vector<Cell> row;
  for (const double value : point.values) row.push_back({sweepValueText(value), exactText(value)});
  const auto known = [](bool is, double value) { return is ? Number(value) : Number(); };
  row.push_back(numberCell(known(found.cores > 0, static_cast<double>(found.cores))));
  row.push_back(cyclesOrNone(found.predicted));
  if (simulates) row.push_back(cyclesOrNone(found.simulated));
  row.push_back(changeCell(found, now));
  row.push_back(shareCell(known(fits, found.utilization)));
  row.push_back(fits ? textCell(found.bottleneck) : noCell());
  row.push_back(fits ? textCell(found.mapping) : noCell());
  if (simulates)
    row.push_back(
        textCell(found.notSimulated.empty() ? std::string() : found.notSimulated.front().message));
  row.push_back(textCell(std::string(search::nameOf(found.stopped))));
  row.push_back(textCell(found.failure));
  return row;
}

/// What a reader must know of a mapping beside its figures. "" if nothing.
std::string remarkOf(const SweepFound& found) {
  if (!found.fits()) return {};
  std::string words = found.notSimulated.empty() ? "" : "simulation failed";
  if (found.stopped != search::Stop::None)
    words += fmt::format("{}search stopped: {}", words.empty() ? "" : "; ",
                         search::nameOf(found.stopped));
  return words;
}

std::size_t knownPoints(const SweepRecord& sweep) {
  return static_cast<std::size_t>(std::ranges::count_if(sweep.points, &SweepPoint::known));
}

std::string bestText(const SweepRecord& sweep) {
  const SweepPoint* best = nullptr;
  const bool simulated = allSimulated(sweep);
  const auto cycles = [&](const SweepPoint& point) { return point.found.cycles(simulated); };
  for (const SweepPoint& point : sweep.points) {
    if (point.known && point.found.fits() && (best == nullptr || cycles(point) < cycles(*best)))
      best = &point;
  }
  const std::size_t known = knownPoints(sweep);
  if (known == 0) return "no point is known";
  if (best == nullptr && known < sweep.points.size())
    return known == 1 ? "no mapping at the point that is known"
                      : fmt::format("no mapping at the {} points that are known", known);
  const auto covered = [](const SweepPoint& point) {
    return point.found.stopped == search::Stop::None;
  };
  if (best == nullptr)
    return std::ranges::all_of(sweep.points, covered) ? "no mapping fits at any point"
                                                      : "no mapping was found at any point";
  return fmt::format("{}: {} cycles, {}", sweepTitle(sweep.axes, *best), cyclesText(cycles(*best)),
                     simulated ? "simulated" : "predicted");
}

}  // namespace

bool allSimulated(const SweepRecord& sweep) {
  bool any = false;
  for (const SweepPoint& point : sweep.points) {
    if (!point.known || !point.found.fits()) continue;
    if (point.found.simulated <= 0) return false;
    any = true;
  }
  return any;
}

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
  table.columns.push_back({"predicted", "predicted_cycles"});
  if (sweep.simulated) table.columns.push_back({"simulated", "simulated_cycles"});
  for (const Column& each :
       {Column{"to present", "change_to_present"}, Column{"of peak", "utilization"},
        Column{"bottleneck", "bottleneck", Align::Left},
        Column{"best mapping", "mapping", Align::Left}})
    table.columns.push_back(each);
  if (sweep.simulated) table.columns.push_back({"not simulated", "not_simulated", Align::Left});
  table.columns.push_back({"stopped", "stopped", Align::Left});
  table.columns.push_back({"failure", "failure", Align::Left});
  const auto present = std::ranges::find_if(sweep.points, &SweepPoint::isNow);
  const SweepFound now = present == sweep.points.end() ? SweepFound() : present->found;
  for (const SweepPoint& point : sweep.points) {
    if (point.known) table.rows.push_back(sweepRow(point, now, sweep.simulated));
  }
  return table;
}

Table shortSweepTable(const SweepRecord& sweep) {
  Table table = sweepTable(sweep);
  const auto mapping = static_cast<std::size_t>(
      std::ranges::find(table.columns, "mapping", &Column::name) - table.columns.begin());
  const bool remarks = std::ranges::any_of(sweep.points, [](const SweepPoint& point) {
    return point.known && !remarkOf(point.found).empty();
  });
  table.columns.resize(mapping + 1);
  if (remarks) table.columns.push_back({"remark", "remark", Align::Left});
  auto row = table.rows.begin();
  for (const SweepPoint& point : sweep.points) {
    if (!point.known) continue;
    row->resize(mapping + 1);
    if (!point.found.failure.empty()) row->back() = textCell(point.found.failure);
    if (remarks) row->push_back(textCell(remarkOf(point.found)));
    ++row;
  }
  return table;
}

std::string sweepText(const SweepRecord& sweep) {
  const std::size_t known = knownPoints(sweep), all = sweep.points.size();
  std::vector<Fact> facts{{"sweep", sweepFacts(sweep)}};
  if (known < all) facts.push_back({"points", fmt::format("{} of {}", known, all)});
  facts.push_back({"best", bestText(sweep)});
  return factsText(facts) + "\n" + tableText(shortSweepTable(sweep));
}

}  // namespace gridloom::report
