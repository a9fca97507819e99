// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "cost/movement_cost.h"
#include "hardware/topology.h"

namespace gridloom::search {

/// Sums of the same times in another order differ by less.
inline constexpr double kRounding = 1e-12;

/// Cycles for which all channels of global memory together move the tiles of some operands. No
/// mapping is faster than the sum over its operands: operands that are not fixed yet count with
/// the least that any of their options takes.
struct MemoryTime {
  double read = 0;
  double write = 0;

  friend MemoryTime operator+(const MemoryTime& a, const MemoryTime& b) {
    return {a.read + b.read, a.write + b.write};
  }
  friend MemoryTime leastOf(const MemoryTime& a, const MemoryTime& b) {
    return {std::min(a.read, b.read), std::min(a.write, b.write)};
  }
  double cycles(bool duplex) const { return duplex ? std::max(read, write) : read + write; }

  void add(const cost::FlatCost& movement, const hardware::GlobalMemory& global) {
    const double bytes = movement.weight * movement.pattern->transfers;
    const auto channels = static_cast<double>(global.channels);
    if (movement.isStore) {
      write += bytes / (channels * global.writeBandwidth);
    } else {
      read += bytes / (channels * global.readBandwidth);
    }
  }
};

}  // namespace gridloom::search
