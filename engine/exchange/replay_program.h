// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "exchange/noc_trace.h"
#include "hardware/topology.h"
#include "network/transfers.h"
#include "report/replay.h"

namespace gridloom::exchange {

/// The transfers of a trace as a program for a machine's network, with what was recorded beside it.
struct ReplayProgram {
  network::TransferProgram program;
  std::vector<report::ReplayedProcessor> recorded;  ///< per processor of the program
  double cycles = 0;                                ///< recorded, of the whole trace
  double eventCost = 0;
};
/// Errors, located: coordinates outside of the machine's routers, a plane it does not have,
/// transfers without destination or size.
base::Result<ReplayProgram> replayProgram(const NocTrace& trace, const hardware::Topology& hw);

}  // namespace gridloom::exchange
