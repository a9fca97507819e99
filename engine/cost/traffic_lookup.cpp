// SPDX-License-Identifier: Apache-2.0
#include "cost/middle_traffic.h"
#include "cost/traffic.h"

namespace gridloom::cost {

using mapping::DimMask;
using mapping::InputMovement;
using mapping::OutputMovement;
using mapping::Place;

namespace {

// Tiles whole in one channel load the machine as pages do.
Place patternPlace(Place place) { return place == Place::Tile ? Place::Page : place; }

// Bits of a key: 0-3 how, 4-19 and 27-58 sets of dimensions, 20-24 one dimension, 25-26 the place, 60-62 which
// part of the way.
std::uint64_t bits(std::uint64_t value, int from) { return value << from; }

std::uint64_t placeKey(Place place, DimMask home) {
  const Place of = patternPlace(place);
  return bits(static_cast<std::uint64_t>(of), 25) | bits(of == Place::Nearest ? home : 0, 27);
}

}  // namespace

TrafficPatterns::Key TrafficPatterns::key(const InputMovement& m, DimMask home, DimMask finishing) {
  return static_cast<Key>(m.spread) | bits(m.along, 4) | bits(m.along == 0 ? 0 : m.first, 20) |
         placeKey(m.place, home) | bits(finishing, 43);
}

TrafficPatterns::Key TrafficPatterns::key(const OutputMovement& m, DimMask finishing) {
  return bits(1, 60) | static_cast<Key>(m.combine) | bits(finishing, 4) |
         bits(static_cast<Key>(m.gather + 1), 20) | placeKey(m.place, 0);
}

TrafficPatterns::Key TrafficPatterns::key(const MiddleTraffic& through) {
  const auto part = static_cast<Key>(through.way) + 2;
  return bits(part, 60) | key(through.movement, 0);
}

TrafficPatterns::Key TrafficPatterns::key(mapping::Combine allReduce, DimMask dims) {
  return bits(6, 60) | static_cast<Key>(allReduce) | bits(dims, 4);
}

const Pattern& TrafficPatterns::allReduce(mapping::Combine how, DimMask dims) const {
  return m_patterns.at(key(how, dims & m_wide));
}

const Pattern& TrafficPatterns::stay(const InputMovement& movement) const {
  return m_patterns.at(key(MiddleTraffic{MiddleTraffic::Way::Stay, movement, {}, {}}));
}

const Pattern& TrafficPatterns::feed(const InputMovement& movement) const {
  return m_patterns.at(key(MiddleTraffic{MiddleTraffic::Way::Feed, movement, {}, {}}));
}

const Pattern& TrafficPatterns::drain() const {
  return m_patterns.at(key(MiddleTraffic{MiddleTraffic::Way::Drain, {}, {}, {}}));
}

const Pattern& TrafficPatterns::write() const {
  return m_patterns.at(key(MiddleTraffic{MiddleTraffic::Way::Write, {}, {}, {}}));
}

const Pattern& TrafficPatterns::input(const InputMovement& movement, DimMask shared,
                                      DimMask without) const {
  const DimMask home = shared & ~movement.along & ~without & m_wide;
  return m_patterns.at(key(movement, home, without & m_wide));
}

const Pattern& TrafficPatterns::passed(DimMask along, std::uint8_t where) const {
  return m_patterns.at(key({mapping::Spread::Passed, along & m_wide, where}, 0));
}

const Pattern& TrafficPatterns::output(const OutputMovement& movement, DimMask finishing) const {
  OutputMovement wide = movement;
  if ((finishing & m_wide) == 0) wide.combine = mapping::Combine::None;
  return m_patterns.at(key(wide, finishing & m_wide));
}

void WantedPatterns::add(const InputMovement& movement) {
  m_passes = m_passes || movement.spread == mapping::Spread::Passed;
  const bool kept = movement.spread == mapping::Spread::Kept;
  m_keys.insert(TrafficPatterns::key(kept ? InputMovement{} : movement, 0));
}

// Where nothing is split, there is nothing to combine.
void WantedPatterns::add(const OutputMovement& movement) {
  OutputMovement whole = movement;
  whole.combine = mapping::Combine::None;
  m_keys.insert(TrafficPatterns::key(movement, 0));
  m_keys.insert(TrafficPatterns::key(whole, 0));
}

bool WantedPatterns::has(const InputMovement& movement) const {
  return m_keys.contains(TrafficPatterns::key(movement, 0));
}

bool WantedPatterns::has(const OutputMovement& movement) const {
  return m_keys.contains(TrafficPatterns::key(movement, 0));
}

const TrafficPatterns& TrafficCache::of(const std::vector<std::int64_t>& active) {
  Slot* slot = nullptr;
  {
    const std::lock_guard lock(m_mutex);
    slot = &m_made[active];
  }
  std::call_once(slot->once, [&] {
    slot->patterns = std::make_unique<TrafficPatterns>(m_hw, active, m_progress, m_scope,
                                                       m_wanted ? &*m_wanted : nullptr);
  });
  return *slot->patterns;
}

}  // namespace gridloom::cost
