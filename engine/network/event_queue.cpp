// SPDX-License-Identifier: Apache-2.0
#include "network/event_queue.h"

#include <algorithm>
#include <limits>

namespace gridloom::network {
namespace {

// Up to this many events, insertion sort is as fast as distributing them over wheels.
constexpr std::size_t kFew = 32;
// With more events than this after a new one, they return to the wheels.
constexpr std::size_t kMostBehind = 64;
// A slot that held more events than this gives its memory back.
constexpr std::size_t kBurst = std::size_t{1} << 14;

void sortFew(std::vector<Event>& events) {
  for (std::size_t n = 1; n < events.size(); ++n) {
    const Event event = events[n];
    std::size_t at = n;
    for (; at > 0 && events[at - 1].time > event.time; --at) events[at] = events[at - 1];
    events[at] = event;
  }
}

}  // namespace

void EventQueue::pushNear(const Event& event) {
  if (m_head == m_near.size()) {
    m_near.clear();
    m_head = 0;
  }
  // Most events go to an end: nothing has to be searched or moved.
  const bool isLast = m_near.empty() || m_near.back().time <= event.time;
  if (isLast) return m_near.push_back(event);
  const bool isFirst = m_head > 0 && event.time < m_near[m_head].time;
  if (isFirst && m_near.size() - m_head <= kMostBehind) {
    m_near[--m_head] = event;
    return;
  }
  const auto later = [](const Event& a, const Event& b) { return a.time < b.time; };
  const auto at = std::upper_bound(m_near.begin() + static_cast<std::ptrdiff_t>(m_head),
                                   m_near.end(), event, later);
  const auto place = at - m_near.begin();
  if (static_cast<std::size_t>(m_near.end() - at) > kMostBehind) {
    m_nearEnd = event.time;
    for (auto moved = at; moved != m_near.end(); ++moved) pushFar(*moved);
    m_near.erase(at, m_near.end());
    m_earliest = -1;
  }
  m_near.insert(m_near.begin() + place, event);
}

void EventQueue::refill() {
  m_head = 0;
  m_near.clear();
  m_earliest = -1;
  for (;;) {
    const auto wheel = static_cast<std::size_t>(std::countr_zero(m_wheels));
    const auto slot = static_cast<std::size_t>(std::countr_zero(m_used[wheel]));
    std::vector<Event>& events = m_slots[wheel][slot];
    m_used[wheel] &= m_used[wheel] - 1;
    if (m_used[wheel] == 0) m_wheels &= m_wheels - 1;
    if (wheel == 0 || events.size() <= kFew) {
      std::swap(m_near, events);
      if (wheel > 0) sortFew(m_near);
      m_base = m_near.front().time;
      m_nearEnd = m_near.back().time;
      return;
    }
    const int digits = kDigit * static_cast<int>(wheel);
    m_base = events.front().time >> digits << digits;
    for (const Event& event : events) pushFar(event);
    // All cores of a wafer begin at once. Such a burst does not come again.
    if (events.size() > kBurst) {
      events = {};
    } else {
      events.clear();
    }
  }
}

Ticks EventQueue::earliestInWheels() const {
  Ticks earliest = std::numeric_limits<Ticks>::max();
  if (m_wheels == 0) return earliest;
  const auto wheel = static_cast<std::size_t>(std::countr_zero(m_wheels));
  const auto slot = static_cast<std::size_t>(std::countr_zero(m_used[wheel]));
  for (const Event& event : m_slots[wheel][slot]) earliest = std::min(earliest, event.time);
  return earliest;
}

void EventQueue::copyTo(std::vector<Event>& events) const {
  events.assign(m_near.begin() + static_cast<std::ptrdiff_t>(m_head), m_near.end());
  for (std::size_t wheel = 0; wheel < kWheels; ++wheel) {
    for (std::uint64_t used = m_used[wheel]; used != 0; used &= used - 1) {
      const auto& slot = m_slots[wheel][static_cast<std::size_t>(std::countr_zero(used))];
      const auto from = static_cast<std::ptrdiff_t>(events.size());
      events.insert(events.end(), slot.begin(), slot.end());
      std::stable_sort(events.begin() + from, events.end(),
                       [](const Event& a, const Event& b) { return a.time < b.time; });
    }
  }
}

}  // namespace gridloom::network
