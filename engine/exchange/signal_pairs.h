// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/transfer_program.h"

namespace gridloom::exchange {

/// Finds what each wait for a semaphore (`Await`) waited for in the recording: the last increment
/// sent to its core before it ended, or the last write if there was no increment. Both then have
/// one signal, and the wait has no work. A wait with neither becomes work of its recorded length.
/// Times are those of the recording, in cycles.
void pairSignals(network::TransferProgram& program);

}  // namespace gridloom::exchange
