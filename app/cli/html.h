// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/progress.h"
#include "inputs.h"
#include "options.h"
#include "report/records.h"
#include "service/workspace.h"
#include "terminal.h"

namespace gridloom::cli {

/// Writes the report that --html names; nothing without it. A ranking is followed by what explains
/// its first mapping.
Exit writeHtml(const Options& options, const Inputs& inputs,
               const service::Exploration& exploration, const report::ExplorationRecord& record,
               const std::string& comparison, base::Progress& progress);
Exit writeHtml(const Options& options, const Inputs& inputs,
               const service::Explanation& explanation, const mapping::Mapping& mapping);

}  // namespace gridloom::cli
