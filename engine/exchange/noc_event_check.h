// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/noc_trace.h"

namespace gridloom::exchange {

/// What an event was given beside the fields of NocEvent, which are -1 where they were not.
struct GivenFields {
  std::optional<std::string> type;
  bool zone = false, cycle = false;
};

/// Gives the event the kind that its type names (Local for an unknown one), or Zone; one that goes
/// to an area is a multicast. Returns what its kind needs and it does not have: "a `timestamp`".
std::vector<std::string_view> completeEvent(NocEvent& event, const GivenFields& given);

}  // namespace gridloom::exchange
