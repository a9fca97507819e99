// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "report/replay.h"

namespace gridloom::exchange {

/// Replayed traces as JSON, documented in resources/docs/json.md.
std::string replayJson(std::span<const report::ReplayRecord> replays);

}  // namespace gridloom::exchange
