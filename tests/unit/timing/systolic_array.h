// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hardware/systolic.h"

namespace gridloom::test {

/// Cycles from the first operand at the edge of a systolic array to the last result that leaves it,
/// for a stream of that many elements per row: the array is clocked, register by register. Operands
/// of one wave enter one cycle later per row (and column), and the wave crosses the whole array
/// also where rows or columns have no work.
std::int64_t clockedFoldCycles(const hardware::SystolicShape& array, std::int64_t stream);

}  // namespace gridloom::test
