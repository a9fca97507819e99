// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exchange/junit.h"
#include "output.h"
#include "report/numbers.h"

namespace gridloom::cli {

std::string failureText(const report::Difference& difference, double tolerance) {
  if (std::isinf(difference.after)) return difference.name + ": no mapping is left";
  return fmt::format("{} went from {} to {}, more than the tolerance of {}", difference.name,
                     report::cyclesText(difference.before), report::cyclesText(difference.after),
                     report::percentText(tolerance));
}

Exit writeVerdict(const Options& options, const report::Comparison& comparison, double tolerance) {
  if (options.junit.empty()) return Exit::Done;
  const auto worse = report::regressions(comparison, tolerance);
  const std::string group = comparison.after.kernel.name + " on " + comparison.after.hardware.name;
  const std::string details = report::comparisonText(comparison);
  std::vector<exchange::JunitCase> cases;
  for (const report::Difference& difference : worse) {
    cases.push_back({difference.name, group, failureText(difference, tolerance), details});
  }
  for (const report::Difference& difference : comparison.differences) {
    const bool judged = report::isJudged(difference.name);
    const auto failed = std::ranges::find(worse, difference.name, &report::Difference::name);
    if (judged && failed == worse.end()) cases.push_back({difference.name, group, "", details});
  }
  return writeOutput(options.junit, exchange::junitText("gridloom " + options.verb, cases));
}

}  // namespace gridloom::cli
