// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "network/ticks.h"

namespace gridloom::network {

/// What happens at a time. `what` selects the handler, `who` is an index that the handler
/// interprets.
enum class EventKind : std::uint8_t {
  Process,    ///< the timed step of a process is over
  Arrived,    ///< a tile that was sent over a channel is complete at a leaf
  ReadNext,   ///< the next part of a piece reaches its memory channel
  WriteNext,  ///< the next part of a piece leaves its core for a memory channel
  PieceHop,   ///< a part of a piece reaches its next link or memory channel
  SendNext,   ///< the next part of a tile leaves its core for other cores
  CastHop,    ///< a part of a tile reaches a link of its multicast tree
};

struct Event {
  Ticks time = 0;
  std::uint32_t payload = 0;  ///< 3 bits of what, 29 bits of who

  EventKind what() const { return static_cast<EventKind>(payload >> 29); }
  std::int32_t who() const { return static_cast<std::int32_t>(payload & 0x1fffffffu); }
};

/// Events by time; equal times in order of creation. Nothing is pushed before the last popped
/// event.
///
/// A hierarchical timing wheel. An event lies in the wheel of the highest digit (of 6 bits) in
/// which its time differs from the current time, in the slot of that digit. The next slot is taken
/// as a whole: few events are sorted into the short list that pops come from, many are distributed
/// over the lower wheels.
class EventQueue {
 public:
  bool empty() const { return m_head == m_near.size() && m_wheels == 0; }

  Ticks nextTime() {
    if (m_head < m_near.size()) return m_near[m_head].time;
    if (m_earliest < 0) m_earliest = earliestInWheels();
    return m_earliest;
  }

  void push(Ticks time, EventKind what, std::int32_t who) {
    const Event event{time,
                      static_cast<std::uint32_t>(what) << 29 | static_cast<std::uint32_t>(who)};
    if (time <= m_nearEnd) return pushNear(event);
    if (time < m_earliest) m_earliest = time;
    pushFar(event);
  }

  Event pop() {
    if (m_head == m_near.size()) refill();
    return m_near[m_head++];
  }

  /// All pending events, in order.
  void copyTo(std::vector<Event>& events) const;

 private:
  static constexpr int kDigit = 6;
  static constexpr std::size_t kWheels = 11;
  static constexpr std::size_t kSlots = 64;

  void pushFar(const Event& event) {
    const auto differs = static_cast<std::uint64_t>(event.time ^ m_base) | 1u;
    const auto wheel = static_cast<std::size_t>((63 - std::countl_zero(differs)) * 43 >> 8);
    const auto slot =
        static_cast<std::size_t>(event.time >> (kDigit * static_cast<int>(wheel))) % kSlots;
    m_slots[wheel][slot].push_back(event);
    m_used[wheel] |= std::uint64_t{1} << slot;
    m_wheels |= 1u << wheel;
  }
  void pushNear(const Event& event);
  void refill();
  Ticks earliestInWheels() const;

  std::vector<Event> m_near;  ///< by time, from m_head on; all events until m_nearEnd
  std::size_t m_head = 0;
  Ticks m_nearEnd = -1;
  Ticks m_base = 0;       ///< the time with which the wheels' digits are compared
  Ticks m_earliest = -1;  ///< in the wheels; -1: unknown
  std::uint32_t m_wheels = 0;
  std::array<std::uint64_t, kWheels> m_used{};
  std::array<std::array<std::vector<Event>, kSlots>, kWheels> m_slots;
};

}  // namespace gridloom::network
