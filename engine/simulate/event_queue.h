// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "simulate/ticks.h"

namespace gridloom::simulate {

/// What happens at a moment. `what` chooses the handler, `who` is an index it understands.
enum class Happening : std::uint8_t {
  Process,    ///< a process's timed step is over
  Arrived,    ///< a tile sent over a channel is complete at a leaf
  ReadNext,   ///< the next part of a piece reaches its memory channel
  WriteNext,  ///< the next part of a piece leaves its core for a memory channel
  PieceHop,   ///< a part of a piece reaches its next link or memory channel
  SendNext,   ///< the next part of a tile leaves its core for other cores
  CastHop,    ///< a part of a tile reaches a link of its tree
};

struct Event {
  Ticks time = 0;
  std::uint32_t sequence = 0;
  std::uint32_t payload = 0;  ///< 3 bits of what, 29 bits of who

  Happening what() const { return static_cast<Happening>(payload >> 29); }
  std::int32_t who() const { return static_cast<std::int32_t>(payload & 0x1fffffffu); }
};

/// Events by time, in the order of their making where times are equal. A heap with four children per node:
/// half the levels of a binary one, and the children share a cache line.
class EventQueue {
 public:
  bool empty() const { return m_heap.empty(); }
  Ticks nextTime() const {
    return m_heap.empty() ? std::numeric_limits<Ticks>::max() : m_heap.front().time;
  }

  void push(Ticks time, Happening what, std::int32_t who) {
    const Event event{time, m_sequence++,
                      static_cast<std::uint32_t>(what) << 29 | static_cast<std::uint32_t>(who)};
    std::size_t at = m_heap.size();
    m_heap.push_back(event);
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!before(event, m_heap[parent])) break;
      m_heap[at] = m_heap[parent];
      at = parent;
    }
    m_heap[at] = event;
  }

  /// All that is to come, in its order.
  void copyTo(std::vector<Event>& events) const {
    events.assign(m_heap.begin(), m_heap.end());
    std::sort(events.begin(), events.end(), before);
  }

  Event pop() {
    const Event top = m_heap.front();
    const Event last = m_heap.back();
    m_heap.pop_back();
    if (!m_heap.empty()) sink(last);
    return top;
  }

 private:
  static bool before(const Event& a, const Event& b) {
    return a.time < b.time || (a.time == b.time && a.sequence < b.sequence);
  }

  void sink(const Event& event) {
    const std::size_t size = m_heap.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = 4 * at + 1) {
      const std::size_t end = child + 4 < size ? child + 4 : size;
      std::size_t best = child;
      for (std::size_t c = child + 1; c < end; ++c) {
        if (before(m_heap[c], m_heap[best])) best = c;
      }
      if (!before(m_heap[best], event)) break;
      m_heap[at] = m_heap[best];
      at = best;
    }
    m_heap[at] = event;
  }

  std::vector<Event> m_heap;
  std::uint32_t m_sequence = 0;
};

}  // namespace gridloom::simulate
