// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_vector.h"
#include "network/slots.h"
#include "simulate/state_clock.h"

namespace gridloom::simulate {

/// What the tiles in flight waited for, per arrival (QueueingNetwork::arrivalIndex). A wafer has
/// millions of arrivals and thousands of tiles in flight, so only the latter have a timeline.
class Inbox {
 public:
  Inbox() = default;
  explicit Inbox(std::size_t arrivals) : m_at(arrivals, -1) {}

  /// A tile leaves. It replaces the timeline of one that is still in flight to the same leaf.
  void put(std::int32_t arrival, const Timeline& timeline) {
    std::int32_t& at = m_at[static_cast<std::size_t>(arrival)];
    if (at < 0) {
      at = network::slotIn(m_tiles, m_unused);
      m_tiles[static_cast<std::size_t>(at)].count = 0;
    }
    Tiles& tiles = m_tiles[static_cast<std::size_t>(at)];
    ++tiles.count;
    tiles.timeline = timeline;
  }
  /// A tile that was put arrives.
  Timeline take(std::int32_t arrival) {
    std::int32_t& at = m_at[static_cast<std::size_t>(arrival)];
    Tiles& tiles = m_tiles[static_cast<std::size_t>(at)];
    if (--tiles.count == 0) {
      m_unused.push_back(at);
      at = -1;
    }
    return tiles.timeline;
  }
  /// Visits the timeline of each arrival; without a tile in flight, one that never happens.
  template <class Visit> void forEach(const Visit& visit) const {
    static constexpr Timeline kNone;
    for (const std::int32_t at : m_at) {
      visit(at < 0 ? kNone : m_tiles[static_cast<std::size_t>(at)].timeline);
    }
  }
  std::size_t memoryBytes() const {
    return m_at.size() * sizeof(std::int32_t) + m_tiles.capacity() * sizeof(Tiles);
  }

 private:
  /// In flight to one leaf.
  struct Tiles {
    Timeline timeline;
    std::int32_t count = 0;
  };
  base::LargeVector<std::int32_t> m_at;  ///< per arrival: in m_tiles; -1: none in flight
  std::vector<Tiles> m_tiles;
  std::vector<std::int32_t> m_unused;
};

}  // namespace gridloom::simulate
