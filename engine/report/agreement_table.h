// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/reproduction.h"

namespace gridloom::report {

/// How far the model is from the simulator over these mappings of one kernel. At least one.
Agreement agreementOf(std::string subject, std::vector<Sample> samples);

/// Tables of a reproduction's agreements: errors and ranks, compute-bound and movement-bound
/// mappings apart, and the mappings predicted worst. Without rows where there are no agreements.
Table agreementTable(const Reproduction& reproduction);
Table partsTable(const Reproduction& reproduction);
Table worstTable(const Reproduction& reproduction);

/// What each correction of the model is worth: error and rank correlation over all mappings without
/// it, and where it matters most. Empty without ablations.
Table ablationTable(const Reproduction& reproduction);

}  // namespace gridloom::report
