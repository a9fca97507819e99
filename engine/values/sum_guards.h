// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::values {

/// A condition under which a `select` chooses a part of a statement.
struct SumGuard {
  kernel::Statement condition;  ///< its root is the condition
  bool holds = true;            ///< false: where it does not hold
};

/// What decides whether a sum that is computed apart from its statement is chosen: in `select(i >=
/// 1, sum(k) A[i - 1, k], 0)`, only where `i >= 1` may A be read. Only conditions that are known
/// with the sum: of loops, and of elements that the sum gathers by.
std::vector<SumGuard> sumGuards(const kernel::Statement& statement, std::size_t sum);

}  // namespace gridloom::values
