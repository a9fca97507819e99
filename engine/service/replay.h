// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "exchange/replay_program.h"
#include "report/replay.h"
#include "service/workspace.h"

namespace gridloom::service {

/// A trace replayed once for each value of `issue`: "free", "paced" and "recorded". The one given
/// is the one whose processors are shown. Nullopt when cancelled.
base::Result<std::optional<report::ReplayRecord>>
replay(const exchange::NocTrace& trace, const Hardware& hardware, const std::string& hardwareName,
       const std::string& issue, base::Progress& progress);

std::string jsonOf(std::span<const report::ReplayRecord> replays);

}  // namespace gridloom::service
