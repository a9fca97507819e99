// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "hardware/hardware_spec.h"

namespace gridloom::hardware {

/// The matrix unit as a systolic array. What is stationary covers rows x columns; the third loop of the
/// product is the stream that passes through: k when outputs stay, m when weights (B) stay, n when inputs
/// (A) stay. Sums of stationary weights or inputs run down the rows, which then carry k.
struct SystolicShape {
  Stationary stationary = Stationary::None;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t arrays = 1;

  /// What a product of these extents is to the array: folds of rows x columns, each with a stream.
  struct Work {
    std::int64_t folds = 1;
    std::int64_t stream = 1;
  };
  Work workOf(std::int64_t m, std::int64_t n, std::int64_t k) const;
  friend bool operator==(const SystolicShape&, const SystolicShape&) = default;
};

/// The array that a unit and its peak in flop/cycle (of all copies) make; one without systolic units.
SystolicShape systolicShape(const MatrixUnit& unit, double peak);

/// "output", "weight", "input"; "none".
std::string_view nameOf(Stationary stationary);

}  // namespace gridloom::hardware
