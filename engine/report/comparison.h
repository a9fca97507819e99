// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "report/records.h"
#include "report/table.h"

namespace gridloom::report {

/// One number by which two runs are compared.
struct Metric {
  enum class Better { Lower, Higher, Neither };
  std::string name;  ///< "predicted cycles"
  double value = 0;
  Better better = Better::Lower;
};

struct Summary {
  std::string title;  ///< file, or what was run
  HardwareRecord hardware;
  KernelRecord kernel;
  std::string mode;
  std::string mapping;
  std::vector<Metric> metrics;
  bool interrupted = false;
  std::vector<std::string> whyNone = {};  ///< as in ExplorationRecord

  bool isSimulated() const;
};

/// The summary of the best mapping. Without a feasible mapping, only the numbers of the space.
Summary summaryOf(const ExplorationRecord& exploration, std::string title);
Summary summaryOf(const SimulationRecord& run, std::string title);

/// Whether two results are comparable. Errors: another kernel, other sizes or element types. Notes:
/// another hardware or numeric mode, an incomplete result.
base::Diagnostics checkComparable(const Summary& before, const Summary& after);

struct Difference {
  std::string name;
  double before = 0;
  double after = 0;
  Metric::Better better = Metric::Better::Lower;
  /// after / before - 1; none when `before` is 0 and `after` is not
  std::optional<double> change() const;
  /// Whether it is worse by more than this fraction.
  bool worseThan(double tolerance) const;
};

struct Comparison {
  Summary before;
  Summary after;
  std::vector<Difference> differences;  ///< metrics that both have, in the order of `before`
};
Comparison compare(Summary before, Summary after);

/// Whether a metric of that name can fail a comparison: cycles, predicted or simulated.
bool isJudged(const std::string& name);

/// Cycles that grew by more than `tolerance`: they make a run fail against its baseline. A mapping
/// that the baseline has and the later run lacks counts as one.
std::vector<Difference> regressions(const Comparison& comparison, double tolerance);

Table comparisonTable(const Comparison& comparison);
std::string comparisonText(const Comparison& comparison);

}  // namespace gridloom::report
