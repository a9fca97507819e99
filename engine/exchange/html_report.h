// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "report/records.h"

namespace gridloom::exchange {

/// What a report shows; empty parts are left out.
struct HtmlReport {
  std::string version;  ///< of this tool
  std::string asked;    ///< what was run, for the reader to repeat
  std::optional<report::ExplorationRecord> ranking;
  std::optional<report::ExplanationRecord> best;  ///< the mapping that is explained
  std::string loopNest;                           ///< of that mapping
  std::string comparison;                         ///< with a baseline, as text
};

/// One HTML page with all figures inside it (SVG): no script, no other files, readable offline, in
/// print, and on dark screens. What users named is escaped.
std::string htmlText(const HtmlReport& report);

}  // namespace gridloom::exchange
