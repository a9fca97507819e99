// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <utility>
#include <vector>

#include "models/project.h"
#include "report/table.h"

namespace gridloom::widgets {

/// A number of the machine or of the kernel that a sweep may vary.
struct SweepParameter {
  QString title;  ///< "cols", "noc_h: bandwidth"
  QString unit;   ///< may be empty
  double now = 0;
  bool whole = false;
  bool ofKernel = false;
  std::string component, attribute;  ///< of the machine, as language::HardwareField
};

/// All of a project: those of its kernel with the values that they have, then those of its machine.
std::vector<SweepParameter>
sweepParameters(const Project& project,
                const std::vector<std::pair<std::string, std::int64_t>>& kernelValues);

/// The project with another value of a parameter. The text of a machine keeps all else.
Project withValue(Project project, const SweepParameter& parameter, double value);

/// Some `count` values from `from` to `to`, both with them: in equal ratios where `to` is at least
/// twice `from`, else in equal steps; whole ones, where the parameter is. The present one is among
/// them, in place of the nearest of those between the ends.
std::vector<double> sweepValues(const SweepParameter& parameter, double from, double to, int count);

struct SweepAxis {
  SweepParameter parameter;
  std::vector<double> values;
};

/// What was found at one point of a sweep.
struct SweepFound {
  double cycles = 0;  ///< of the best mapping; 0 where there is none
  bool simulated = false;
  double utilization = 0;
  std::int64_t cores = 0;
  QString bottleneck;
  QString mapping;
  QString failure;  ///< why there is none
};

struct SweepPoint {
  std::vector<double> values;  ///< one for each axis
  bool isNow = false;          ///< those of the project
  bool known = false;
  SweepFound found;
};

/// Every combination of the values, those of the last axis side by side.
std::vector<SweepPoint> sweepPoints(const std::vector<SweepAxis>& axes);
/// "cols = 8, M = 4,096".
QString sweepTitle(const std::vector<SweepAxis>& axes, const SweepPoint& point);
/// A row for each point that is known.
report::Table sweepTable(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points);

}  // namespace gridloom::widgets
