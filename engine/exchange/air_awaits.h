// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exchange/air_conditions.h"
#include "exchange/air_moves.h"
#include "exchange/air_rings.h"
#include "exchange/air_shares.h"

namespace gridloom::exchange {

/// Tiles that the kernel computes itself and that transfers of the same kernel read.
///
/// A buffer that awaits them has a channel, indexed by the number of the tile and by the number of
/// the core that reads it. Where tiles are loaded, the core that stores one puts a token of one
/// element for every transfer that reads the tile. Where they are forwarded, the core that computes
/// one puts the part that the transfer reads. Every transfer gets all of that before it goes on.
/// Both sides derive the transfers from the same loops and conditions, so every put has its get.
/// The channel has room for everything that one core awaits of one tile, so no put waits.
class AirAwaits {
 public:
  AirAwaits(AirCode& code, const AirContext& air, CorePlace& place, SlotRings& rings)
      : m_code(code), m_air(air), m_place(place), m_rings(rings) {}

  /// Await and Take: gets what a transfer of the buffer reads.
  void get(std::size_t process, const schedule::Code& at);
  /// Store and Publish: puts the tiles in the slot of an output that the process holds.
  void put(std::size_t process, const schedule::Code& at);

 private:
  /// Elements of an output that a transfer reads, and the tiles they lie in, per dimension.
  struct Window {
    std::vector<std::string> from, end;            ///< elements; `end` is exclusive
    std::vector<std::string> firstTile, endTiles;  ///< tiles; `endTiles` is exclusive
    std::vector<std::string> offsets;              ///< of the loops inside, in the reader's slot
    std::vector<std::string> slotFrom;             ///< element at the beginning of that slot
  };
  /// Calls `visit(window)` for every tile of one transfer that is needed.
  template <class Visit>
  void forWindows(std::size_t process, const AirAwaited& awaited, CorePlace& reader,
                  const Visit& visit);
  Window windowOf(const AirAwaited& awaited, CorePlace& reader, std::string& isAny);
  void getTile(std::size_t process, const AirAwaited& awaited, const Window& window,
               const std::vector<std::string>& tile);
  /// The tile in the slot, for the readers of one program.
  void putToReaders(std::size_t process, const schedule::Code& at, const AirAwaited& awaited,
                    const AirReader& reader, const std::vector<std::string>& offsets);
  void putToReader(std::size_t process, const schedule::Code& at, const AirAwaited& awaited,
                   const AirReader& reader, CorePlace place,
                   const std::vector<std::string>& offsets);
  void putWindow(std::size_t process, const schedule::Code& at, const AirAwaited& awaited,
                 const Window& window, const std::string& core,
                 const std::vector<std::string>& offsets);
  /// The part of a slot where a tile and a window meet; `slotFrom`: the slot's first element.
  AirSide partOf(const Window& window, const AirAwaited& awaited,
                 const std::vector<std::string>& tile, const SlotShape& slot,
                 const std::vector<std::string>& slotFrom, const std::vector<std::string>& offsets);
  void pass(std::size_t process, const AirAwaited& awaited, const AirPass& pass);
  /// Calls `visit` in a loop over the core's iterations of a temporal loop.
  template <class Visit>
  void inIterations(std::size_t process, CorePlace& place, std::size_t position,
                    const Visit& visit);
  std::string numberOf(const std::vector<std::string>& at, const std::vector<std::int64_t>& sizes);
  std::string coreOf(const CorePlace& place);
  std::int64_t tileSize(const AirAwaited& awaited, std::size_t dim) const;
  const schedule::Buffer& bufferOf(const AirAwaited& awaited) const {
    return m_air.schedule.buffers[awaited.buffer];
  }

  AirCode& m_code;
  const AirContext& m_air;
  CorePlace& m_place;
  SlotRings& m_rings;
  std::string m_flag;  ///< what a put of a token names; "" before the first
};

/// Per buffer that awaits tiles of an output.
std::vector<AirAwaited> airAwaitedOf(const schedule::PlacedSchedule& placed,
                                     const std::vector<AirChannel>& channels);

}  // namespace gridloom::exchange
