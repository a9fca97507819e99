// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A loop in parts, the slowest first: `4 * h_outer + h_inner` has the factors 4 and 1. No
/// parts: the loop stays whole.
struct SplitLoop {
  std::vector<LoopId> parts;
  std::vector<std::int64_t> factors, extents;
};

template <class Value>
void replaceAt(std::vector<Value>& values, std::size_t at, const std::vector<Value>& by) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(at));
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), by.begin(), by.end());
}

/// Splits loops in the expression of a statement: reductions run over all parts, and the value of a
/// loop is a sum of them, `div(h, 4)` and `mod(h, 4)` of some. `splits`: per loop.
void splitInExpression(Statement& statement, std::span<const SplitLoop> splits);

}  // namespace gridloom::kernel
