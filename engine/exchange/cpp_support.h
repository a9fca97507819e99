// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "schedule/placed_schedule.h"

namespace gridloom::exchange {

/// Why a schedule has no form as a C++ program; "" if it has one.
std::string cppUnsupported(const schedule::PlacedSchedule& placed);

}  // namespace gridloom::exchange
