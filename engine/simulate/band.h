// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/placed_schedule.h"

namespace gridloom::simulate {

/// Adjacent temporal loops with nothing between them, counted as one loop. Its iterations differ in
/// their number only, except for the last ones.
struct Band {
  std::size_t begin = 0, end = 0;  ///< positions in Mapping::order
  /// per position; for the first one: trips with full tiles on all cores
  std::vector<std::int32_t> trips;
  std::int64_t uniform = 0;  ///< iterations, from the first on, that are alike on every core
  /// Iterations after which every operand's tiles start at the same memory channels again.
  std::int64_t stride = 1;

  std::int64_t indexOf(std::span<const std::int32_t> waves) const;
  void setIndex(std::span<std::int32_t> waves, std::int64_t index) const;
};

/// The bands of a schedule, outermost first.
std::vector<Band> bandsOf(const schedule::PlacedSchedule& placed);

}  // namespace gridloom::simulate
