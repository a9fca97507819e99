// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "exchange/air_context.h"

namespace gridloom::exchange {

/// Per channel of the schedule.
std::vector<AirChannel> airChannelsOf(const schedule::PlacedSchedule& placed);

/// The declarations of the context's channels.
std::string airChannelText(const AirContext& air);

}  // namespace gridloom::exchange
