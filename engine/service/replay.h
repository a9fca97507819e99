// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "exchange/noc_trace.h"
#include "network/transfers.h"
#include "report/replay.h"
#include "service/workspace.h"

namespace gridloom::service {

/// The transfers of a trace as a program for a machine's network, with what was recorded beside it.
struct ReplayProgram {
  network::TransferProgram program;
  std::vector<report::ReplayedProcessor> recorded;  ///< per processor of the program
  double cycles = 0;                                ///< recorded, of the whole trace
  double eventCost = 0;
};
/// Errors, located: coordinates outside of the machine's routers, a plane it does not have, transfers
/// without destination or size.
base::Result<ReplayProgram> replayProgram(const exchange::NocTrace& trace,
                                          const hardware::Topology& hw);

/// A trace replayed with all three ways to issue; `issue` ("free", "paced", "recorded") chooses whose
/// processors are shown. Nullopt when cancelled.
base::Result<std::optional<report::ReplayRecord>>
replay(const exchange::NocTrace& trace, const Hardware& hardware, const std::string& hardwareName,
       const std::string& issue, base::Progress& progress);

std::string jsonOf(std::span<const report::ReplayRecord> replays);

}  // namespace gridloom::service
