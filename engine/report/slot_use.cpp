// SPDX-License-Identifier: Apache-2.0
#include "report/slot_use.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace gridloom::report {

namespace {

using simulate::SlotEvent;
using Kind = schedule::SlotTurn::Kind;

bool isSameBuffer(const SlotEvent& a, const SlotEvent& b) {
  return a.core == b.core && a.buffer == b.buffer;
}

}  // namespace

SlotUse::SlotUse(std::span<const SlotEvent> events) : m_events(events) {
  m_used.reserve(events.size());
  std::int32_t used = 0;
  for (std::size_t n = 0; n < events.size(); ++n) {
    if (n == 0 || !isSameBuffer(events[n - 1], events[n])) {
      m_ranges.push_back({n, n, events[n].cycle, 0});
      used = 0;
    }
    m_ranges.back().end = n + 1;
    m_ranges.back().last = events[n].cycle;
    if (events[n].kind == Kind::Acquire) used += events[n].slots;
    if (events[n].kind == Kind::Free) --used;
    m_used.push_back(used);
  }
}

std::vector<BufferFill> SlotUse::at(double cycle) const {
  std::vector<BufferFill> fills;
  fills.reserve(m_ranges.size());
  for (std::size_t r = 0; r < m_ranges.size(); ++r) {
    if (r + kSearchedAhead < m_ranges.size()) {
      const std::size_t ahead = guessAt(m_ranges[r + kSearchedAhead], cycle);
      __builtin_prefetch(&m_events[ahead]);
      __builtin_prefetch(&m_used[ahead]);
    }
    const CycleRange& range = m_ranges[r];
    const std::size_t after =
        firstAfter(range, cycle, [&](std::size_t n) { return m_events[n].cycle; });
    if (after == range.begin || m_used[after - 1] <= 0) continue;
    const SlotEvent& event = m_events[after - 1];
    fills.push_back({event.core, schedule::BufferId(event.buffer), m_used[after - 1]});
  }
  return fills;
}

SlotUse::Events SlotUse::of(hardware::CoreId core, schedule::BufferId buffer) const {
  const std::tuple wanted(core, static_cast<std::int16_t>(buffer.value()));
  const auto found = std::ranges::equal_range(m_events, wanted, {}, [](const SlotEvent& event) {
    return std::tuple(event.core, event.buffer);
  });
  return {found.begin(), found.end()};
}

SlotUse::Stay SlotUse::stayOf(hardware::CoreId core, schedule::BufferId buffer,
                              std::int64_t tile) const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  Stay stay{kNever, kNever};
  std::int64_t acquired = 0, freed = 0;
  for (const SlotEvent& event : of(core, buffer)) {
    if (event.kind == Kind::Acquire && acquired++ == tile) stay.from = event.cycle;
    if (event.kind == Kind::Free && freed++ == tile) stay.to = event.cycle;
  }
  return stay;
}

std::int64_t SlotUse::acquired(hardware::CoreId core, schedule::BufferId buffer,
                               double cycle) const {
  return std::ranges::count_if(of(core, buffer), [&](const SlotEvent& event) {
    return event.kind == Kind::Acquire && event.cycle <= cycle;
  });
}

std::int64_t SlotUse::releasedBy(hardware::CoreId core, schedule::BufferId buffer,
                                 std::int16_t process, double cycle) const {
  return std::ranges::count_if(of(core, buffer), [&](const SlotEvent& event) {
    return event.kind != Kind::Acquire && event.process == process && event.cycle <= cycle;
  });
}

bool SlotUse::acquires(hardware::CoreId core, schedule::BufferId buffer,
                       std::int16_t process) const {
  return std::ranges::any_of(of(core, buffer), [&](const SlotEvent& event) {
    return event.kind == Kind::Acquire && event.process == process;
  });
}

}  // namespace gridloom::report
