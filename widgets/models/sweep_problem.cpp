// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sweep_problem.h"

#include <algorithm>

#include "models/quantity_text.h"

namespace gridloom::widgets {

std::vector<SweepParameter> sweepParameters(const Project& project,
                                            const service::KernelValues& kernelValues) {
  return sweep::sweepParameters(inputTexts(project).hardware, kernelValues);
}

Project projectAt(Project project, const std::vector<SweepAxis>& axes, const SweepPoint& point) {
  const service::InputTexts texts = sweep::textsAt(inputTexts(project), axes, point);
  project.hardwareText = text(texts.hardware->text());
  for (const auto& [name, value] : texts.parameters) project.parameters[text(name)] = value;
  return project;
}

report::Table shownSweepTable(const SweepRecord& sweep) {
  report::Table table = report::shortSweepTable(sweep);
  const auto column = static_cast<std::size_t>(
      std::ranges::find(table.columns, "bottleneck", &report::Column::name) -
      table.columns.begin());
  for (auto& row : table.rows) {
    report::Cell& cell = row[column];
    if (!cell.exact.empty()) cell.shown = causeTitle(text(cell.exact)).toStdString();
  }
  return table;
}

}  // namespace gridloom::widgets
