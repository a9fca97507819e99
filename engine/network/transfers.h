// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "hardware/topology.h"
#include "network/transfer_program.h"

namespace gridloom::network {

/// Runs lists of transfers on the machine's network, packet by packet through virtual channels: no
/// kernel, no schedule. Used by `replay`, where `exchange` reads a trace and `service` makes
/// programs of processors from it, and by the study `noc`. Schedules run on Fabric. Deterministic.
/// Errors: the event limit, or transfers that can never end. A cancelled run is `complete ==
/// false`.
base::Result<TransferResult> simulateTransfers(const TransferProgram& program,
                                               const hardware::Topology& hw,
                                               const TransferOptions& options,
                                               base::Progress& progress);

}  // namespace gridloom::network
