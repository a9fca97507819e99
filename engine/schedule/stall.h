// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "schedule/token_machine.h"

namespace gridloom::schedule {

/// Why a run came to a stop before its end, and where.
struct Stall {
  std::string message;        ///< empty: all processes finished and every token was used
  std::int32_t process = -1;  ///< one of the waiting processes
  /// where tokens, tiles or slots are left over
  std::int32_t channel = -1, buffer = -1, token = -1;
};

/// Call when nothing is ready and nothing is in flight. Follows the chain of waits to a deadlock,
/// or to a process that waits for nothing that could come. Otherwise names what is left over.
Stall stallOf(const TokenMachine& machine);

}  // namespace gridloom::schedule
