// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "schedule/schedule.h"
#include "schedule/slot_turn.h"
#include "schedule/table.h"

namespace gridloom::schedule {

/// One buffer of one core. Slots are acquired, published and released in turn.
struct Ring {
  std::int16_t next = 0;                   ///< position of the slot that is acquired next
  std::int16_t unpublished = 0;            ///< slots that are acquired and not published
  std::int16_t held[2] = {0, 0};           ///< per reader: slots acquired and not released by it
  std::int8_t waitsForFree = -1;           ///< a process of the core's program; -1: none
  std::int8_t waitsForFull[2] = {-1, -1};  ///< per reader: the same
  std::uint8_t readers = 0;                ///< one or two

  /// Slots that are not free: the reader that is behind holds them.
  std::int16_t taken() const { return readers > 1 ? std::max(held[0], held[1]) : held[0]; }
  bool isEmpty() const { return unpublished == 0 && taken() == 0; }
  /// The position does not matter.
  friend bool operator==(const Ring& a, const Ring& b) {
    return a.unpublished == b.unpublished && a.held[0] == b.held[0] &&
           (a.readers < 2 || a.held[1] == b.held[1]) && a.waitsForFree == b.waitsForFree &&
           a.waitsForFull[0] == b.waitsForFull[0] && a.waitsForFull[1] == b.waitsForFull[1];
  }
};

static_assert(kMostSlots <= std::numeric_limits<std::int16_t>::max());

/// The slots of all buffers of all cores, and the process that waits for one of them. A process
/// is named by its number in the core's program, of 64 at most. One that is told to wait is handed
/// out by the call that ends its wait. A buffer has at most kMostSlots.
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
    return slotBack(core, buffer, 1);
  }
  std::int32_t slotToRead(std::int32_t core, std::int32_t buffer, int reader = 0) const {
    return slotBack(core, buffer, at(core, buffer).held[reader]);
  }

  /// Whether a slot is free. If not, the process waits for it.
  bool awaitFree(std::int32_t core, std::int32_t buffer, std::int32_t process) {
    Ring& ring = m_rings.at(core, buffer);
    if (freeIn(ring, buffer) > 0) return true;
    ring.waitsForFree = static_cast<std::int8_t>(process);
    return false;
  }
  void acquire(std::int32_t core, std::int32_t buffer) {
    Ring& ring = m_rings.at(core, buffer);
    if (++ring.next == m_slots[index(buffer)]) ring.next = 0;
    ++ring.unpublished;
    ++ring.held[0];
    if (ring.readers > 1) ++ring.held[1];
  }
  /// Whether a slot is full that a reader has not released. If not, the process waits for it.
  bool awaitFull(std::int32_t core, std::int32_t buffer, int reader, std::int32_t process) {
    Ring& ring = m_rings.at(core, buffer);
    if (ring.held[reader] > ring.unpublished) return true;
    ring.waitsForFull[reader] = static_cast<std::int8_t>(process);
    return false;
  }
  /// Returns the processes that waited for a full slot, per reader; -1: none.
  std::array<std::int32_t, 2> publish(std::int32_t core, std::int32_t buffer) {
    Ring& ring = m_rings.at(core, buffer);
    --ring.unpublished;
    return {std::exchange(ring.waitsForFull[0], kNoOne),
            std::exchange(ring.waitsForFull[1], kNoOne)};
  }
  /// Whether the slot is free now: no other reader still reads it.
  bool release(std::int32_t core, std::int32_t buffer, int reader) {
    Ring& ring = m_rings.at(core, buffer);
    const std::int16_t before = ring.taken();
    --ring.held[reader];
    return ring.taken() != before;
  }
  /// After a release: the process that waited for a free slot, when there is one; -1: none.
  std::int32_t takeWaiting(std::int32_t core, std::int32_t buffer) {
    Ring& ring = m_rings.at(core, buffer);
    return freeIn(ring, buffer) > 0 ? std::exchange(ring.waitsForFree, kNoOne) : kNoOne;
  }

  /// Appends what decides the future.
  void appendState(std::vector<std::int64_t>& words) const {
    const auto pair = [&](std::int64_t high, std::int64_t low) {
      words.push_back(high * (std::int64_t{1} << 32) + low);
    };
    for (const Ring& r : m_rings) {
      pair(r.held[0], r.readers > 1 ? r.held[1] : r.held[0]);
      pair(r.unpublished, r.waitsForFree);
      pair(r.waitsForFull[0], r.waitsForFull[1]);
    }
  }
  friend bool operator==(const SlotRings&, const SlotRings&) = default;

 private:
  std::int32_t freeIn(const Ring& ring, std::int32_t buffer) const {
    return m_slots[index(buffer)] - ring.taken();
  }
  /// The slot that was acquired so many ago.
  std::int32_t slotBack(std::int32_t core, std::int32_t buffer, std::int32_t back) const {
    const std::int32_t slot = at(core, buffer).next - back;
    return slot < 0 ? slot + m_slots[index(buffer)] : slot;
  }

  static constexpr std::int8_t kNoOne = -1;

  std::vector<std::int32_t> m_slots;  ///< per buffer
  Table<Ring> m_rings;                ///< [core][buffer]
};

}  // namespace gridloom::schedule
