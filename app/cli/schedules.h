// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "inputs.h"
#include "schedule/verify.h"

namespace gridloom::cli {

/// The schedule of the options, verified: that of a .prog file if simulate names one, else that of
/// the mapping; after the passes of --pass. Prints errors and warnings.
std::variant<schedule::VerifiedSchedule, Exit>
openSchedule(const Options& options, const Inputs& inputs, base::Progress& progress);

}  // namespace gridloom::cli
