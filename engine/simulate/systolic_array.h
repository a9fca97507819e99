// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>

#include "hardware/systolic.h"

namespace gridloom::simulate {

/// Cycles from the first operand at the edge of a systolic array to the last result that leaves it, for a
/// stream of that many elements per row: the array is clocked, register by register. Operands of one wave
/// enter one cycle later per row (and column), and the wave crosses the whole array also where rows or
/// columns have no work.
std::int64_t foldCycles(const hardware::SystolicShape& array, std::int64_t stream);

/// `foldCycles` of one array, each stream clocked when it is first asked for. Any thread.
class FoldTable {
 public:
  explicit FoldTable(const hardware::SystolicShape& array) : m_array(array) {}

  const hardware::SystolicShape& array() const { return m_array; }
  std::int64_t cycles(std::int64_t stream);

  /// Longer streams are clocked up to here: every further element of a steady wave enters one cycle later.
  static constexpr std::int64_t kMostElements = 256;

 private:
  hardware::SystolicShape m_array;
  /// Per stream, 0 where it was not clocked yet: threads that clock the same one write the same.
  std::array<std::atomic<std::int64_t>, kMostElements + 1> m_cycles{};
};

/// The tables of all arrays that simulations side by side ask for. Any thread.
class FoldTables {
 public:
  FoldTable& of(const hardware::SystolicShape& array);

 private:
  std::mutex m_mutex;
  std::list<FoldTable> m_tables;
};

}  // namespace gridloom::simulate
