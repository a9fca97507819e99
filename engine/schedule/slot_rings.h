// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "schedule/schedule.h"
#include "schedule/slot_turn.h"
#include "schedule/table.h"

namespace gridloom::schedule {

/// Counters of one buffer of one core. Slots are acquired, published and released in turn.
struct Ring {
  std::int32_t acquired = 0, published = 0;
  std::int32_t released[2] = {0, 0};       ///< per reader; a ring has one or two
  std::int8_t waitsForFree = -1;           ///< a process of the core's program; -1: none
  std::int8_t waitsForFull[2] = {-1, -1};  ///< per reader: the same
  std::uint8_t readers = 0;

  /// The releases of the reader that is behind.
  std::int32_t releasedByAll() const {
    return readers > 1 ? std::min(released[0], released[1]) : released[0];
  }
  /// Whether every slot that was acquired was published and released.
  bool isEmpty() const {
    return acquired == published && published == released[0] &&
           (readers < 2 || published == released[1]);
  }
  /// Counted from the last released slot: the number of turns of the ring does not matter.
  friend bool operator==(const Ring& a, const Ring& b) {
    const std::int32_t more = a.acquired - b.acquired;
    return a.published - b.published == more && a.released[0] - b.released[0] == more &&
           (a.readers < 2 || a.released[1] - b.released[1] == more) &&
           a.waitsForFree == b.waitsForFree && a.waitsForFull[0] == b.waitsForFull[0] &&
           a.waitsForFull[1] == b.waitsForFull[1];
  }
};

/// The slots of all buffers of all cores, and the process that waits for one of them. A process
/// is named by its number in the core's program, of 64 at most. One that is told to wait is handed
/// out by the call that ends its wait.
class SlotRings {
 public:
  SlotRings() = default;
  SlotRings(const Schedule& schedule, std::size_t cores) : m_rings(cores, schedule.buffers.size()) {
    for (const Buffer& buffer : schedule.buffers) m_slots.push_back(buffer.slots);
  }
  void setReaders(std::int32_t core, std::int32_t buffer, std::uint8_t readers) {
    m_rings.at(core, buffer).readers = readers;
  }

  const Ring& at(std::int32_t core, std::int32_t buffer) const { return m_rings.at(core, buffer); }
  std::int32_t free(std::int32_t core, std::int32_t buffer) const {
    return freeIn(at(core, buffer), buffer);
  }
  /// Position of the slot in the ring: the one acquired last, and the oldest that a reader has not
  /// released.
  std::int32_t slotToFill(std::int32_t core, std::int32_t buffer) const {
    return (at(core, buffer).acquired - 1) % m_slots[index(buffer)];
  }
  std::int32_t slotToRead(std::int32_t core, std::int32_t buffer, int reader = 0) const {
    return at(core, buffer).released[reader] % m_slots[index(buffer)];
  }

  /// Whether a slot is free. If not, the process waits for it.
  bool awaitFree(std::int32_t core, std::int32_t buffer, std::int32_t process) {
    Ring& ring = m_rings.at(core, buffer);
    if (freeIn(ring, buffer) > 0) return true;
    ring.waitsForFree = static_cast<std::int8_t>(process);
    return false;
  }
  void acquire(std::int32_t core, std::int32_t buffer) { ++m_rings.at(core, buffer).acquired; }
  /// Whether a slot is full that a reader has not released. If not, the process waits for it.
  bool awaitFull(std::int32_t core, std::int32_t buffer, int reader, std::int32_t process) {
    Ring& ring = m_rings.at(core, buffer);
    if (ring.published > ring.released[reader]) return true;
    ring.waitsForFull[reader] = static_cast<std::int8_t>(process);
    return false;
  }
  /// Returns the processes that waited for a full slot, per reader; -1: none.
  std::array<std::int32_t, 2> publish(std::int32_t core, std::int32_t buffer) {
    Ring& ring = m_rings.at(core, buffer);
    ++ring.published;
    return {std::exchange(ring.waitsForFull[0], kNoOne),
            std::exchange(ring.waitsForFull[1], kNoOne)};
  }
  /// Whether the slot is free now: no other reader still reads it.
  bool release(std::int32_t core, std::int32_t buffer, int reader) {
    Ring& ring = m_rings.at(core, buffer);
    const std::int32_t before = ring.releasedByAll();
    ++ring.released[reader];
    return ring.releasedByAll() != before;
  }
  /// After a release: the process that waited for a free slot, when there is one; -1: none.
  std::int32_t takeWaiting(std::int32_t core, std::int32_t buffer) {
    Ring& ring = m_rings.at(core, buffer);
    return freeIn(ring, buffer) > 0 ? std::exchange(ring.waitsForFree, kNoOne) : kNoOne;
  }

  /// Appends what decides the future: the counters relative to the last released slot.
  void appendState(std::vector<std::int64_t>& words) const {
    const auto pair = [&](std::int64_t high, std::int64_t low) {
      words.push_back(high * (std::int64_t{1} << 32) + low);
    };
    for (const Ring& r : m_rings) {
      const std::int32_t other = r.readers > 1 ? r.released[1] : r.released[0];
      pair(r.acquired - r.released[0], r.published - r.released[0]);
      pair(other - r.released[0], r.waitsForFree);
      pair(r.waitsForFull[0], r.waitsForFull[1]);
    }
  }
  friend bool operator==(const SlotRings&, const SlotRings&) = default;

 private:
  std::int32_t freeIn(const Ring& ring, std::int32_t buffer) const {
    return m_slots[index(buffer)] - (ring.acquired - ring.releasedByAll());
  }

  static constexpr std::int8_t kNoOne = -1;

  std::vector<std::int32_t> m_slots;  ///< per buffer
  Table<Ring> m_rings;                ///< [core][buffer]
};

}  // namespace gridloom::schedule
