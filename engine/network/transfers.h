// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "hardware/topology.h"
#include "network/transfer_program.h"

namespace gridloom::network {

/// Simulates lists of transfers on the machine's network, packet by packet through virtual
/// channels, without a kernel or schedule. Used by `replay`, for which `exchange` reads a trace and
/// `service` makes processors' programs from it, and by the study `noc`. Schedules run on
/// QueueingNetwork. Deterministic. Errors: the event limit, or transfers that never complete. A
/// cancelled run has `complete == false`.
base::Result<TransferResult> simulateTransfers(const TransferProgram& program,
                                               const hardware::Topology& hw,
                                               const TransferOptions& options,
                                               base::Progress& progress);

}  // namespace gridloom::network
