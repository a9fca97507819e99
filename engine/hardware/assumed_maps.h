// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hardware/hardware_spec.h"

namespace gridloom::hardware {

/// Of a link whose bandwidth is not given: 256 bits per cycle (assumed).
inline constexpr double kAssumedLinkBandwidth = 32;

/// Members of an array whose maps are walked, at most. Larger arrays are refused later.
inline constexpr std::int64_t kMostWalked = std::int64_t{1} << 22;

/// The part of `completeSpec` that is about where links lead: rings, chains and ports.
void completeMaps(HardwareSpec& spec, base::Diagnostics& out);

/// Whether a memory belongs to single cores: a mux joins it to cores, or there is one for each
/// core.
bool isOfTheCores(const HardwareSpec& spec, const Memory& memory);

/// `wanted`, or `wanted2`, `wanted3`, ... where a component has that name.
std::string freeName(const HardwareSpec& spec, std::string_view wanted);

/// Appends an op that is not in the source; it prints with the comment `// assumed`.
void addOp(HardwareSpec& spec, HardwareSpec::OpRef::Kind kind, std::size_t index);

}  // namespace gridloom::hardware
