// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "exchange/air_channels.h"
#include "exchange/air_conditions.h"
#include "exchange/air_place.h"
#include "exchange/air_rings.h"
#include "exchange/air_shares.h"

namespace gridloom::exchange {

/// A put or get: its channel with two indices, and the part of a memory that it moves.
struct AirPass {
  bool put = true;
  std::string channel;
  std::vector<std::string> indices;
  std::string memref, type;
  AirSide part;
};
/// Writes it behind what the process waits for.
void passThrough(AirCode& code, SlotRings& rings, std::size_t process, const AirPass& pass);

/// What a process does to the slots that it holds without global memory: puts and gets of channels,
/// and tile operations. Each is one asynchronous operation, and its token becomes what the process
/// waits for next.
class AirMoves {
 public:
  AirMoves(AirCode& code, AirContext& air, CorePlace& place, SlotRings& rings,
           AirConditions& conditions)
      : m_code(code),
        m_air(air),
        m_place(place),
        m_rings(rings),
        m_conditions(conditions),
        m_shares(code, air, place) {}

  void put(std::size_t process, const schedule::Code& at);
  void get(std::size_t process, const schedule::Code& at);
  /// Calls a function on all slots that the process holds, on its local tensors, on a
  /// message if there is one (its name and type), with the first element of the tile along each
  /// loop, and with `more`. `what`: "tile", "epilogue", "combine".
  void call(std::size_t process, const std::string& what, const std::vector<std::string>& more = {},
            const std::pair<std::string, std::string>& message = {});
  /// Reduces the received slot; where shares go round, its first element and number of elements
  /// are given, too.
  void reduce(std::size_t process, const schedule::Code& at);

 private:
  const AirChannel& channelOf(const schedule::Code& at) const {
    return m_air.channels[static_cast<std::size_t>(at.channel)];
  }
  void putTo(std::size_t process, const schedule::Code& at, const AirSide& part);
  /// One put or get at indices of a channel.
  void pass(std::size_t process, const schedule::Code& at, bool put, const std::string& channel,
            const std::vector<std::string>& indices, const AirSide& part);
  /// The core's coordinates, with constants along dimensions.
  std::vector<std::string> indices(mapping::DimMask zero = 0);
  /// The core that gets a tile that goes to one core.
  std::vector<std::string> receiver(const schedule::Code& at);
  void putToEach(std::size_t process, const schedule::Code& at, const AirSide& part);
  /// Whether a core is not the sender.
  std::string isElsewhere(const std::vector<std::string>& to);
  /// Whether all receivers of a broadcast have a tile in the current iteration.
  std::string reachesAll(const AirChannel& channel);
  /// The part of a slot that one put takes; empty: all of it.
  AirSide partOf(const schedule::Code& at, std::size_t buffer);
  /// The part of a slot that the tile fills, where that is less than all of it.
  AirSide tilePart(const schedule::Buffer& buffer);
  /// The part of a shared buffer's slot that goes to one slot further inside.
  AirSide fedPart(const schedule::Channel& channel, const schedule::Buffer& from);
  std::string functionFor(const std::string& what, const std::string& signature);

  AirCode& m_code;
  AirContext& m_air;
  CorePlace& m_place;
  SlotRings& m_rings;
  AirConditions& m_conditions;
  AirShares m_shares;
  std::string m_message;  ///< what is put instead of the slot; "": the slot
};

}  // namespace gridloom::exchange
