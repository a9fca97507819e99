// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "schedule/placement.h"

namespace gridloom::schedule {

class TokenMachine;

/// A core's coordinates, as in "1,0".
std::string placeOf(const Placement& placement, std::int32_t core);
/// A process in messages, as in "mover of A on core (1,0)".
std::string nameOf(const TokenMachine& machine, std::int32_t process);
/// A process with its current instruction, as in "compute on core (1,0) at `wait A`".
std::string describeWait(const TokenMachine& machine, std::int32_t process);

/// Location of a process's current instruction in its schedule.
struct InstructionPlace {
  std::size_t program = 0, process = 0, instruction = 0;
};
InstructionPlace instructionPlace(const TokenMachine& machine, std::int32_t process);

}  // namespace gridloom::schedule
