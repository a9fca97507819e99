// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "network/ticks.h"

namespace gridloom::network {

enum class TransferEventKind : std::uint8_t {
  Step,       ///< a processor starts its next step
  Asked,      ///< a read request reaches the endpoint that responds
  Head,       ///< the head of a packet is at its next link
  Retry,      ///< a link or an endpoint may serve a waiting packet
  Departed,   ///< the tail of a written packet has left its endpoint
  Complete,   ///< a packet has arrived, and its sender or reader is notified
  Multicast,  ///< a multicast has arrived everywhere, and its sender is notified
};

struct TransferEvent {
  Ticks time = 0;
  std::uint32_t sequence = 0;
  std::uint32_t payload = 0;  ///< 3 bits of what, 29 bits of who

  TransferEventKind what() const { return static_cast<TransferEventKind>(payload >> 29); }
  std::int32_t who() const { return static_cast<std::int32_t>(payload & 0x1fffffffu); }
};

/// Events by time; equal times in order of creation. A calendar queue: a ring of slots, each a
/// fraction of a cycle wide and sorted when it is reached. A simulated network schedules nearly
/// everything a few hundred cycles ahead, so an event costs the same however many there are. The
/// few events beyond the ring are in a heap.
class TransferEvents {
 public:
  TransferEvents() : m_slots(kSlots) {}

  bool empty() const { return m_count == 0; }
  Ticks nextTime() {
    if (m_count == 0) return std::numeric_limits<Ticks>::max();
    settle();
    return m_current.back().time;
  }

  void push(Ticks time, TransferEventKind what, std::int32_t who) {
    const TransferEvent event{time, m_sequence++,
                              static_cast<std::uint32_t>(what) << 29 |
                                  static_cast<std::uint32_t>(who)};
    ++m_count;
    const std::int64_t slot = time >> kSlotBits;
    if (slot <= m_slot) {
      m_current.insert(std::lower_bound(m_current.begin(), m_current.end(), event, later), event);
    } else if (slot < m_slot + kSlots) {
      put(slot, event);
    } else {
      m_far.push_back(event);
      std::push_heap(m_far.begin(), m_far.end(), later);
    }
  }

  TransferEvent pop() {
    settle();
    const TransferEvent event = m_current.back();
    m_current.pop_back();
    --m_count;
    return event;
  }

 private:
  static constexpr int kSlotBits = 16;  ///< log2 of ticks: two thirds of a cycle
  static constexpr std::int64_t kSlots = 4096;

  static bool later(const TransferEvent& a, const TransferEvent& b) {
    return a.time > b.time || (a.time == b.time && a.sequence > b.sequence);
  }

  void put(std::int64_t slot, const TransferEvent& event) {
    const auto at = static_cast<std::size_t>(slot % kSlots);
    m_slots[at].push_back(event);
    m_used[at / 64] |= std::uint64_t{1} << (at % 64);
  }

  /// Moves to the next slot with an event when this one is empty.
  void settle() {
    if (!m_current.empty()) return;
    const std::int64_t next = nextUsed();
    const std::int64_t far =
        m_far.empty() ? std::numeric_limits<std::int64_t>::max() : m_far.front().time >> kSlotBits;
    m_slot = std::min(next, far);
    while (!m_far.empty() && m_far.front().time >> kSlotBits < m_slot + kSlots) {
      std::pop_heap(m_far.begin(), m_far.end(), later);
      put(m_far.back().time >> kSlotBits, m_far.back());
      m_far.pop_back();
    }
    const auto at = static_cast<std::size_t>(m_slot % kSlots);
    m_current.swap(m_slots[at]);
    m_used[at / 64] &= ~(std::uint64_t{1} << (at % 64));
    if (m_current.size() > 1) std::sort(m_current.begin(), m_current.end(), later);
  }

  std::int64_t nextUsed() const {
    const auto from = static_cast<std::size_t>((m_slot + 1) % kSlots);
    for (std::size_t i = 0; i <= m_used.size(); ++i) {
      const std::size_t word = (from / 64 + i) % m_used.size();
      std::uint64_t bits = m_used[word];
      if (i == 0) bits &= ~std::uint64_t{0} << (from % 64);
      if (i == m_used.size()) bits &= ~(~std::uint64_t{0} << (from % 64));
      if (bits == 0) continue;
      const auto at = static_cast<std::int64_t>(word * 64) + std::countr_zero(bits);
      const std::int64_t ahead = (at - static_cast<std::int64_t>(from) + kSlots) % kSlots;
      return m_slot + 1 + ahead;
    }
    return std::numeric_limits<std::int64_t>::max();
  }

  std::vector<std::vector<TransferEvent>> m_slots;
  std::array<std::uint64_t, kSlots / 64> m_used{};
  std::vector<TransferEvent> m_current;  ///< the earliest event last
  std::vector<TransferEvent> m_far;
  std::int64_t m_slot = -1;
  std::size_t m_count = 0;
  std::uint32_t m_sequence = 0;
};

}  // namespace gridloom::network
