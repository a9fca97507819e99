// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Whether two nodes of a statement's expression are written alike, so that they have one value:
/// the sums in `(sum(k) A[i, k]) * exp(sum(k) A[i, k])`.
bool sameValue(const Statement& statement, std::int32_t a, std::int32_t b);
/// The same of nodes of two statements.
bool sameValue(const Statement& left, std::int32_t a, const Statement& right, std::int32_t b);

/// A power that multiplications give: how many take `pow(x, 2)` to `pow(x, 4)`; 0 for others.
int multiplicationsOf(const Statement& statement, const ExprNode& power);

/// Whether a vector unit takes the square root for it: `pow(x, 0.5)`, `pow(x, -0.5)`.
bool isRootPower(const Statement& statement, const ExprNode& power);

}  // namespace gridloom::kernel
