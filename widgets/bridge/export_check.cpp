// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/export_check.h"

#include <string>

#include "report/sanity.h"
#include "service/result_records.h"

namespace gridloom::widgets {

namespace {

constexpr const char* kNothing = "nothing is exported or copied: ";

}  // namespace

base::Diagnostics nothingExported(const std::string& why, const std::string& hint) {
  return {base::plainError(kNothing + why, hint)};
}

base::Diagnostics doubtsOf(const ranking::Ranked& ranked, const service::SimulationRun* run) {
  return run ? report::checkSanity(service::recordOf(*run))
             : report::checkSanity(ranked.candidate.estimate);
}

base::Diagnostics insaneFigures(int candidate, const ranking::Ranked& ranked,
                                const service::SimulationRun* run) {
  base::Diagnostics findings = doubtsOf(ranked, run);
  for (base::Diagnostic& finding : findings) {
    finding.message =
        kNothing + ("of mapping " + std::to_string(candidate + 1) + ", " + finding.message);
    finding.hint = "this is a fault of Gridloom; please report it with the project file";
  }
  return findings;
}

}  // namespace gridloom::widgets
