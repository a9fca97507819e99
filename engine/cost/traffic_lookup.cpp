// SPDX-License-Identifier: Apache-2.0
#include "cost/traffic.h"

namespace gridloom::cost {

using mapping::DimMask;
using mapping::InputMovement;
using mapping::OutputMovement;
using mapping::Place;

namespace {

// Tiles whole in one channel load the machine as pages do.
Place patternPlace(Place place) { return place == Place::Tile ? Place::Page : place; }

std::uint32_t placeKey(Place place, DimMask home) {
  const Place of = patternPlace(place);
  return static_cast<std::uint32_t>(of) << 20 | (of == Place::Nearest ? home : 0) << 22;
}

}  // namespace

std::uint32_t TrafficPatterns::key(const InputMovement& m, DimMask home) {
  const std::uint32_t first = m.along == 0 ? 0 : m.first;
  return static_cast<std::uint32_t>(m.spread) | (m.along << 4) | (first << 12) |
         placeKey(m.place, home);
}

std::uint32_t TrafficPatterns::key(const OutputMovement& m, DimMask split) {
  return 0x8000'0000U | static_cast<std::uint32_t>(m.combine) | (split << 4) |
         (static_cast<std::uint32_t>(m.gather + 1) << 12) | placeKey(m.place, 0);
}

std::uint32_t TrafficPatterns::feedKey(const InputMovement& m) { return 0x2000'0000U | key(m, 0); }
std::uint32_t TrafficPatterns::stayKey(const InputMovement& m) { return 0x4000'0000U | key(m, 0); }

const Pattern& TrafficPatterns::stay(const InputMovement& movement) const {
  return m_patterns.at(stayKey(movement));
}

const Pattern& TrafficPatterns::feed(const InputMovement& movement) const {
  return m_patterns.at(feedKey(movement));
}

const Pattern& TrafficPatterns::input(const InputMovement& movement, DimMask shared) const {
  return m_patterns.at(key(movement, shared & ~movement.along & m_wide));
}

const Pattern& TrafficPatterns::output(const OutputMovement& movement, DimMask split) const {
  return m_patterns.at(key(movement, split));
}

const TrafficPatterns& TrafficCache::of(const std::vector<std::int64_t>& active) {
  Slot* slot = nullptr;
  {
    const std::lock_guard lock(m_mutex);
    slot = &m_made[active];
  }
  std::call_once(slot->once, [&] {
    slot->patterns = std::make_unique<TrafficPatterns>(m_hw, active, m_progress, m_scope);
  });
  return *slot->patterns;
}

}  // namespace gridloom::cost
