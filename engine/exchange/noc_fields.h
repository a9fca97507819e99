// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace gridloom::exchange {

/// The fields of an event in a trace file. The coordinates stand together, x before y.
enum class NocField : std::uint8_t {
  None,
  Proc,
  Noc,
  FromX,
  FromY,
  ToX,
  ToY,
  FirstX,
  FirstY,
  LastX,
  LastY,
  Bytes,
  Type,
  Cycle,
  Zone,
  Device
};

inline constexpr std::array<std::pair<std::string_view, NocField>, 16> kNocFields{
    {{"proc", NocField::Proc},
     {"noc", NocField::Noc},
     {"sx", NocField::FromX},
     {"sy", NocField::FromY},
     {"dx", NocField::ToX},
     {"dy", NocField::ToY},
     {"mcast_start_x", NocField::FirstX},
     {"mcast_start_y", NocField::FirstY},
     {"mcast_end_x", NocField::LastX},
     {"mcast_end_y", NocField::LastY},
     {"num_bytes", NocField::Bytes},
     {"type", NocField::Type},
     {"timestamp", NocField::Cycle},
     {"zone", NocField::Zone},
     {"src_device_id", NocField::Device},
     {"zone_phase", NocField::None}}};

/// None for a field of any other name, which means nothing here.
inline NocField fieldNamed(std::string_view name) {
  const auto* found =
      std::ranges::find(kNocFields, name, &std::pair<std::string_view, NocField>::first);
  return found == kNocFields.end() ? NocField::None : found->second;
}

}  // namespace gridloom::exchange
