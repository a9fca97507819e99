// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "hardware/hardware_spec.h"

namespace gridloom::hardware {

/// The matrix unit as a systolic array. The stationary operand covers rows x columns; the third
/// loop of the product is the stream: k for stationary outputs, m for stationary weights (B), n for
/// stationary inputs (A). With stationary weights or inputs, sums flow down the rows, and the rows
/// carry k.
struct SystolicShape {
  Stationary stationary = Stationary::None;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t arrays = 1;

  /// A product of these extents on the array: folds of rows x columns, each with a stream.
  struct Work {
    std::int64_t folds = 1;
    std::int64_t stream = 1;
  };
  Work workOf(std::int64_t m, std::int64_t n, std::int64_t k) const;
  friend bool operator==(const SystolicShape&, const SystolicShape&) = default;
};

/// The array of a unit with its peak in flop/cycle (of all copies); a neutral shape for other
/// units.
SystolicShape systolicShape(const MatrixUnit& unit, double peak);

/// "output", "weight", "input" or "none".
std::string_view nameOf(Stationary stationary);

}  // namespace gridloom::hardware
