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

/// The transfers of a trace as a program for a machine's network, with the recorded figures.
struct ReplayProgram {
  network::TransferProgram program;
  std::vector<report::ReplayedProcessor> recorded;  ///< per processor of the program
  double cycles = 0;                                ///< recorded cycles of the whole trace
  double eventCost = 0;
};
/// Errors, located: coordinates outside the machine's routers, a plane that it does not have,
/// transfers without destination or size.
base::Result<ReplayProgram> replayProgram(const exchange::NocTrace& trace,
                                          const hardware::Topology& hw);

/// Replays a trace in all three issue orders; `issue` ("free", "paced", "recorded") selects the one
/// whose processors are shown. Nullopt when cancelled.
base::Result<std::optional<report::ReplayRecord>>
replay(const exchange::NocTrace& trace, const Hardware& hardware, const std::string& hardwareName,
       const std::string& issue, base::Progress& progress);

std::string jsonOf(std::span<const report::ReplayRecord> replays);

}  // namespace gridloom::service
