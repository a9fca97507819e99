// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/records.h"
#include "report/state_text.h"

namespace gridloom::exchange {

/// The state of a run at a cycle, gridloom.state/1 (resources/docs/json.md). `run` says which run.
std::string stateJson(const report::SimulationRecord& run, const report::StateView& view);

}  // namespace gridloom::exchange
