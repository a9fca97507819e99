// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sweep_problem.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "models/hardware_text.h"
#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

SweepParameter parameterOf(const language::HardwareField& field) {
  SweepParameter out{titleOf(field), text(field.unit), field.number,   field.whole,
                     false,          field.component,  field.attribute};
  // Rates and clocks are written as whole numbers by chance.
  if (out.unit.contains(QLatin1Char('/')) || out.unit.endsWith(QLatin1String("Hz")))
    out.whole = false;
  if (!field.attribute.empty())
    out.title = text(field.component) + QStringLiteral(": ") + out.title.toLower();
  return out;
}

QString valueText(double value) {
  return value == std::floor(value) ? countText(value) : QString::number(value, 'g', 4);
}

/// With all of its digits: the text of a machine is what is computed.
QString exactText(double value) {
  return value == std::floor(value) ? QString::number(value, 'f', 0)
                                    : QString::number(value, 'g', 10);
}

/// The value of the present point; none where the present values are not among the points, or where
/// it has no mapping.
double cyclesNow(const std::vector<SweepPoint>& points) {
  const auto now = std::ranges::find_if(points, &SweepPoint::isNow);
  return now == points.end() ? 0 : now->found.cycles;
}

report::Cell shownCell(const QString& shown, double exact, bool known = true) {
  if (!known) return {"–", ""};
  return {shown.toStdString(), QString::number(exact, 'g', 17).toStdString()};
}

}  // namespace

std::vector<SweepParameter>
sweepParameters(const Project& project,
                const std::vector<std::pair<std::string, std::int64_t>>& kernelValues) {
  std::vector<SweepParameter> all;
  for (const auto& [name, value] : kernelValues)
    all.push_back({text(name), {}, static_cast<double>(value), true, true, name, {}});
  for (const auto& field : language::hardwareFields(hardwareSource(project.hardwareText))) {
    // What takes its value from a parameter varies with that.
    if (field.parameter.empty() || field.op == "param") all.push_back(parameterOf(field));
  }
  return all;
}

Project withValue(Project project, const SweepParameter& parameter, double value) {
  if (parameter.ofKernel) {
    project.parameters[text(parameter.component)] = std::llround(value);
    return project;
  }
  for (const auto& field : language::hardwareFields(hardwareSource(project.hardwareText))) {
    if (field.component != parameter.component || field.attribute != parameter.attribute) continue;
    if (field.number != value)
      project.hardwareText =
          withPart(project.hardwareText, field.value, numberText(exactText(value), field));
    break;
  }
  return project;
}

std::vector<double> sweepValues(const SweepParameter& parameter, double from, double to,
                                int count) {
  if (parameter.whole) {
    from = std::ceil(from);
    to = std::max(std::floor(to), from);
  }
  std::vector<double> values;
  const bool ratios = from > 0 && to >= 2 * from;
  for (int i = 0; i < count; ++i) {
    const double part = count > 1 ? static_cast<double>(i) / (count - 1) : 0;
    const double value = ratios ? from * std::pow(to / from, part) : from + (to - from) * part;
    const bool round = parameter.whole || value >= 1000;
    values.push_back(round ? std::round(value) : QString::number(value, 'g', 4).toDouble());
  }
  if (count > 0) values.front() = from;
  if (count > 1) values.back() = to;
  const double now = parameter.now;
  if (now > from && now < to && count > 1) {
    const auto distance = [&](double value) { return std::abs(value - now); };
    if (count > 2) {
      *std::min_element(values.begin() + 1, values.end() - 1,
                        [&](double a, double b) { return distance(a) < distance(b); }) = now;
    } else {
      values.insert(values.begin() + 1, now);
    }
  }
  const auto twins = std::ranges::unique(values);
  values.erase(twins.begin(), twins.end());
  return values;
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

QString sweepTitle(const std::vector<SweepAxis>& axes, const SweepPoint& point) {
  QStringList parts;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    parts << QStringLiteral("%1 = %2 %3")
                 .arg(axes[i].parameter.title, valueText(point.values[i]), axes[i].parameter.unit)
                 .trimmed();
  }
  return parts.join(QStringLiteral(", "));
}

report::Table sweepTable(const std::vector<SweepAxis>& axes,
                         const std::vector<SweepPoint>& points) {
  using report::Align;
  report::Table table;
  for (const SweepAxis& axis : axes) {
    const QString unit = axis.parameter.unit;
    const QString title = unit.isEmpty() ? axis.parameter.title
                                         : QStringLiteral("%1, %2").arg(axis.parameter.title, unit);
    table.columns.push_back({title.toStdString(), title.toStdString()});
  }
  const bool simulated = std::ranges::any_of(
      points, [](const SweepPoint& point) { return point.known && point.found.simulated; });
  table.columns.push_back({"cores", "cores"});
  table.columns.push_back(simulated ? report::Column{"simulated", "simulated_cycles"}
                                    : report::Column{"predicted", "predicted_cycles"});
  for (const report::Column& each :
       {report::Column{"to present", "change_to_present"}, report::Column{"of peak", "utilization"},
        report::Column{"bottleneck", "bottleneck", Align::Left},
        report::Column{"best mapping", "mapping", Align::Left}})
    table.columns.push_back(each);
  const double now = cyclesNow(points);
  for (const SweepPoint& point : points) {
    if (!point.known) continue;
    const SweepFound& found = point.found;
    auto& row = table.rows.emplace_back();
    for (const double value : point.values) row.push_back(shownCell(valueText(value), value));
    const bool fits = found.cycles > 0;
    const double change = now > 0 ? found.cycles / now - 1 : 0;
    row.push_back(shownCell(countText(static_cast<double>(found.cores)),
                            static_cast<double>(found.cores), found.cores > 0));
    row.push_back(shownCell(cyclesText(found.cycles), found.cycles, fits));
    row.push_back(shownCell(signedPercentText(change), change, fits && now > 0));
    row.push_back(shownCell(percentText(found.utilization), found.utilization, fits));
    row.push_back({causeTitle(found.bottleneck).toStdString(), found.bottleneck.toStdString()});
    row.push_back(report::textCell((fits ? found.mapping : found.failure).toStdString()));
  }
  return table;
}

}  // namespace gridloom::widgets
