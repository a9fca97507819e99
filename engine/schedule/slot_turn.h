// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gridloom::schedule {

/// A process has taken a slot of a buffer of its core, or given one back.
struct SlotTurn {
  enum class Kind : std::uint8_t {
    Acquire,
    Release,  ///< another reader still reads it
    Free      ///< the last release: the slot may be acquired again
  };
  std::int32_t process = 0, buffer = 0;
  Kind kind = Kind::Acquire;
};

}  // namespace gridloom::schedule
