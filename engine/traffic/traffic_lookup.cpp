// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "traffic/traffic.h"

namespace gridloom::traffic {

using mapping::DimMask;
using mapping::InputMovement;
using mapping::OutputMovement;
using mapping::TensorLayout;

namespace {

// Tile-interleaved tensors load the machine as pages do.
TensorLayout patternLayout(TensorLayout layout) {
  return layout == TensorLayout::TileInterleaved ? TensorLayout::PageInterleaved : layout;
}

// Bits of a key: 0-3 how, 4-19 and 27-58 sets of dimensions, 20-24 one dimension, 25-26 the place,
// 60-62 what the key is of. Of pages, 27-42 the window. Of a step, 43-50 its memories.
std::uint64_t bits(std::uint64_t value, int from) { return value << from; }

std::uint64_t layoutKey(TensorLayout layout, DimMask home, std::size_t window) {
  const TensorLayout of = patternLayout(layout);
  const std::uint64_t where = of == TensorLayout::NearestChannel    ? home
                              : of == TensorLayout::PageInterleaved ? window
                                                                    : 0;
  return bits(static_cast<std::uint64_t>(of), 25) | bits(where, 27);
}

}  // namespace

TrafficPatterns::Key TrafficPatterns::key(const InputMovement& m, DimMask home, DimMask finishing,
                                          std::size_t window) {
  return static_cast<Key>(m.kind) | bits(m.along, 4) | bits(m.along == 0 ? 0 : m.first, 20) |
         layoutKey(m.layout, home, window) | bits(finishing, 43);
}

TrafficPatterns::Key TrafficPatterns::key(const OutputMovement& m, DimMask finishing,
                                          std::size_t window) {
  return bits(1, 60) | static_cast<Key>(m.reduction) | bits(finishing, 4) |
         bits(static_cast<Key>(m.gather + 1), 20) | layoutKey(m.layout, 0, window);
}

std::size_t TrafficPatterns::numberOf(const std::optional<ChannelWindow>& window) const {
  if (!window) return 0;
  const auto found = std::ranges::lower_bound(m_windows, *window);
  if (found == m_windows.end() || *found != *window) return 0;
  return static_cast<std::size_t>(found - m_windows.begin()) + 1;
}

TrafficPatterns::Key TrafficPatterns::key(const mapping::TransferStep& step) {
  const bool isTree = step.along != 0 && !step.to.isShared();
  return bits(2, 60) | static_cast<Key>(step.kind) | bits(step.zero, 4) |
         bits(isTree ? step.first : 0, 20) | bits(step.along, 27) | bits(step.from.number(), 43) |
         bits(step.to.number(), 47);
}

TrafficPatterns::Key TrafficPatterns::key(mapping::ReductionTopology allReduce, DimMask dims) {
  return bits(6, 60) | static_cast<Key>(allReduce) | bits(dims, 4);
}

const Pattern& TrafficPatterns::allReduce(mapping::ReductionTopology how, DimMask dims) const {
  return m_patterns.at(key(how, dims & m_wide));
}

const Pattern& TrafficPatterns::through(const mapping::TransferStep& step) const {
  return m_patterns.at(key(step));
}

const Pattern& TrafficPatterns::input(const InputMovement& movement, DimMask shared,
                                      DimMask without, std::size_t window) const {
  const DimMask home = shared & ~movement.along & ~without & m_wide;
  return m_patterns.at(key(movement, home, without & m_wide, window));
}

const Pattern& TrafficPatterns::passed(DimMask along, std::uint8_t where) const {
  return m_patterns.at(key({mapping::MovementKind::Forwarded, along & m_wide, where}, 0));
}

const Pattern& TrafficPatterns::output(const OutputMovement& movement, DimMask finishing,
                                       std::size_t window) const {
  OutputMovement wide = movement;
  if ((finishing & m_wide) == 0) wide.reduction = mapping::ReductionTopology::None;
  return m_patterns.at(key(wide, finishing & m_wide, window));
}

void WantedPatterns::add(const InputMovement& movement) {
  m_passes = m_passes || movement.kind == mapping::MovementKind::Forwarded;
  m_tiles = m_tiles || movement.layout == TensorLayout::TileInterleaved;
  const bool kept = movement.kind == mapping::MovementKind::Stationary;
  m_keys.insert(TrafficPatterns::key(kept ? InputMovement{} : movement, 0));
}

// Adds the movement without its reduction, too: mappings that split no reduction use that.
void WantedPatterns::add(const OutputMovement& movement) {
  OutputMovement whole = movement;
  whole.reduction = mapping::ReductionTopology::None;
  m_tiles = m_tiles || movement.layout == TensorLayout::TileInterleaved;
  m_keys.insert(TrafficPatterns::key(movement, 0));
  m_keys.insert(TrafficPatterns::key(whole, 0));
}

bool WantedPatterns::has(const InputMovement& movement) const {
  return m_keys.contains(TrafficPatterns::key(movement, 0));
}

bool WantedPatterns::has(const OutputMovement& movement) const {
  return m_keys.contains(TrafficPatterns::key(movement, 0));
}

double TrafficCache::loads() const {
  const auto resources =
      static_cast<double>(m_hw.links().size()) + static_cast<double>(m_hw.coreCount());
  return resources * static_cast<double>(m_wanted ? m_wanted->count() : 1);
}

const TrafficPatterns& TrafficCache::of(Key key) {
  const Key* at = nullptr;
  Slot* slot = nullptr;
  {
    const std::lock_guard lock(m_mutex);
    auto& entry = *m_made.try_emplace(std::move(key)).first;
    at = &entry.first;
    slot = &entry.second;
  }
  std::call_once(slot->once, [&] {
    slot->patterns = std::make_unique<TrafficPatterns>(m_hw, at->first, m_progress, m_scope,
                                                       m_wanted ? &*m_wanted : nullptr, at->second);
  });
  return *slot->patterns;
}

}  // namespace gridloom::traffic
