// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/schedule.h"
#include "schedule/table.h"

namespace gridloom::schedule {

/// Who still reads the tiles of which several cores of a local memory share one copy.
///
/// The slots belong to the owner, the core that sends into the sharing channel. Each reader counts
/// the same ring of slots, and occupies a slot from the tile's arrival to its release. The owner
/// claims a slot before it fills it again: then no reader occupies it.
class CopyReaders {
 public:
  CopyReaders() = default;
  CopyReaders(const Schedule& schedule, std::size_t cores);

  /// The channel through which a buffer's copy is shared; -1: each core has slots of its own.
  std::int32_t channelOf(std::int32_t buffer) const { return m_buffers[index(buffer)].channel; }
  bool isClaimed(std::int32_t buffer, std::int32_t owner) const {
    return at(buffer, owner).claimed;
  }
  /// A reader that still occupies the slot that the owner fills next; -1: none.
  std::int32_t occupant(std::int32_t buffer, std::span<const std::int32_t> readers) const;
  /// `occupant` is -1. Every reader's ring turns by one slot.
  void claim(std::int32_t buffer, std::int32_t owner, std::span<const std::int32_t> readers);
  /// The owner begins to fill a slot. False: it was neither claimed nor is it the first time.
  bool fill(std::int32_t buffer, std::int32_t owner);
  /// The owner's tile reaches its readers. Those with `takesPart(reader)` occupy its slot.
  template <class TakesPart>
  void share(std::int32_t buffer, std::int32_t owner, std::span<const std::int32_t> readers,
             const TakesPart& takesPart) {
    Copy& kept = at(buffer, owner);
    for (const std::int32_t reader : readers) {
      Copy& copy = at(buffer, reader);
      // A slot that was not claimed had held no tile yet.
      if (!kept.claimed) copy.reads <<= 1;
      if (takesPart(reader)) copy.reads |= 1;
    }
    kept.claimed = false;
  }
  /// A reader releases its oldest tile. Whether it occupied a slot of an owner.
  bool release(std::int32_t buffer, std::int32_t reader);

  /// Appends what decides the future.
  void appendState(std::vector<std::int64_t>& words) const;
  friend bool operator==(const CopyReaders&, const CopyReaders&) = default;

 private:
  /// A buffer of one core, as reader or as owner of the copy.
  struct Copy {
    /// reader: bit n is set while it reads the tile that arrived n tiles before the next one
    std::uint32_t reads = 0;
    std::int32_t fills = 0;  ///< owner: slots filled so far, up to the number of slots
    bool claimed = false;    ///< owner: nobody reads the slot that is filled next
    friend bool operator==(const Copy&, const Copy&) = default;
  };
  struct SharedBuffer {
    std::int32_t channel = -1;
    std::int32_t row = -1;  ///< in m_copies
    std::int32_t slots = 1;
    friend bool operator==(const SharedBuffer&, const SharedBuffer&) = default;
  };
  Copy& at(std::int32_t buffer, std::int32_t core) {
    return m_copies.at(m_buffers[index(buffer)].row, core);
  }
  const Copy& at(std::int32_t buffer, std::int32_t core) const {
    return m_copies.at(m_buffers[index(buffer)].row, core);
  }

  std::vector<SharedBuffer> m_buffers;
  Table<Copy> m_copies;  ///< [buffer with a sharing channel][core]
};

}  // namespace gridloom::schedule
