// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "inputs.h"
#include "schedule/schedule.h"

namespace gridloom::cli {

/// The schedule that the options ask for, verified: that of a .prog file where simulate names one, else that of
/// the mapping; with the passes of --pass. What is wrong with it, and what is worth knowing, is printed.
std::variant<schedule::Schedule, Exit> openSchedule(const Options& options, const Inputs& inputs,
                                                    base::Progress& progress);

}  // namespace gridloom::cli
