// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "exchange/air_place.h"
#include "schedule/resolved_code.h"

namespace gridloom::exchange {

/// The core whose tile the hub of a gather gets, by its coordinate along the channel's dimension.
CorePlace senderOf(const AirContext& air, AirCode& code, const CorePlace& hub, std::int32_t channel,
                   std::int32_t coordinate);

/// Conditions of a core's instructions as values of type i1; "" where a condition always holds.
class AirConditions {
 public:
  AirConditions(AirCode& code, const AirContext& air, CorePlace& place)
      : m_code(code), m_air(air), m_place(place) {}

  /// Whether an instruction runs: tiles that its buffer needs, tiles with work, the iteration of a
  /// round, and, for a gather, a sender that is active.
  std::string of(const schedule::Code& code);
  /// Whether anything in the current iteration needs a buffer's tile.
  std::string needed(const schedule::TileDemand& need) { return guard(need.guard, need); }
  /// Whether a core has a tile in the current iteration.
  std::string takes(const CorePlace& core);

 private:
  std::string guard(const kernel::TileGuard& guard, const schedule::TileDemand& need);
  std::string difference(const kernel::Difference& d, bool ofTiles,
                         const schedule::TileDemand& need);
  /// The first or last tile of a loop in the current iteration, or the first or last element of
  /// them: the tile of the core, or those of all cores that decide together; outside of the loop,
  /// all of its tiles.
  std::string bound(mapping::LoopId loop, bool last, bool ofTiles,
                    const schedule::TileDemand& need);
  std::string turn(const schedule::Code& code);

  AirCode& m_code;
  const AirContext& m_air;
  CorePlace& m_place;
};

}  // namespace gridloom::exchange
