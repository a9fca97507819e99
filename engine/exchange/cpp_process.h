// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "schedule/placed_schedule.h"

namespace gridloom::exchange {

/// A process of a program as a function of C++ over a core.
std::string cppProcess(const schedule::PlacedSchedule& placed, std::size_t program,
                       std::size_t process);
/// Its name.
std::string cppProcessName(const schedule::PlacedSchedule& placed, std::size_t program,
                           std::size_t process);

}  // namespace gridloom::exchange
