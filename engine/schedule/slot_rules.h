// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/resolved_code.h"

namespace gridloom::schedule {

/// The slots that a process holds, as masks: bit b stands for buffer b. There are many processes:
/// two masks say for each buffer which of four states its slot is in.
struct HeldSlots {
  std::uint64_t unused = 0;  ///< held, and no tile in it was stored, sent or reduced
  std::uint64_t filled = 0;  ///< held, with a tile
  std::uint64_t held() const { return unused | filled; }
  bool holds(std::int32_t buffer) const { return (held() >> buffer & 1U) != 0; }
  void drop(std::int32_t buffer) {
    unused &= ~(std::uint64_t{1} << buffer);
    filled &= ~(std::uint64_t{1} << buffer);
  }
  friend bool operator==(const HeldSlots&, const HeldSlots&) = default;
};

/// What a process may do with the slots it holds: read only what was written, overwrite only what
/// was used, and lose no result. Immutable.
class SlotRules {
 public:
  explicit SlotRules(const Schedule& schedule);

  /// Why an instruction is illegal; null when it is legal.
  const char* objection(const HeldSlots& slots, const Code& code) const;
  /// The effect of an instruction that needs no more waiting.
  void apply(HeldSlots& slots, const Code& code) const;
  /// The effect of a Compute that is skipped because its tile has no work.
  void skipCompute(HeldSlots& slots) const { slots.filled |= m_neutral & slots.unused; }

 private:
  std::uint64_t filledBy(std::int32_t part) const;

  std::uint64_t m_outputs = 0;  ///< buffers that Compute and Epilogue fill
  std::uint64_t m_neutral = 0;  ///< of those, the buffers that a Compute without work fills, too
  std::uint64_t m_results = 0;  ///< buffers whose tiles must be stored, sent or reduced
  /// per all-reduce in compute: the buffer that Compute fills before it
  std::vector<std::uint64_t> m_contributions;
};

}  // namespace gridloom::schedule
