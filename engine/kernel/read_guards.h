// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// What holds wherever a `select` chooses a read: in `select(i >= 1 and i <= N, A[i - 1], 0)`, A is
/// read where `i >= 1` and `i <= N`. Only comparisons of affine expressions of loops are collected;
/// nothing where several nodes of the expression share the read.
struct ReadGuards {
  std::vector<affine::Constraint> constraints;
  std::vector<affine::LinearExpr> nonZero;  ///< `i != 1`: i - 1
  /// `i >= 1 or j >= 1`: what one side says, and what the other says, of which one holds.
  std::vector<std::vector<ReadGuards>> either;
};
ReadGuards readGuards(const Statement& statement, std::size_t read);

/// Narrows the domain of a read by guards. Domains stay convex: `i != 0` narrows a loop that begins
/// at 0 to `i >= 1`; `i != 4` in the middle of a loop changes nothing, and of `i >= 1 or j >= 1`,
/// the second counts where the domain leaves `i == 0` alone. Whether all of them could.
bool addGuards(ReadGuards guards, affine::IntegerSet& domain);

/// The comparisons that say the same as a condition holding, or not holding, over the kernel's
/// loops; nothing if it says more, such as `a or b`, or compares elements.
std::optional<std::vector<affine::Constraint>>
conditionOf(const Kernel& kernel, const Statement& statement, std::int32_t condition, bool holds);

}  // namespace gridloom::kernel
