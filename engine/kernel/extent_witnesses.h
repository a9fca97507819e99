// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// An access that says how far a loop goes: to the end of a dimension that the loop indexes.
struct ExtentWitness {
  std::int64_t extent = 0;  ///< how many values the loop has by it, at least 1
  const Access* access = nullptr;
  std::size_t dim = 0;
};

/// Whether a statement reduces over the loop: a shorter loop would leave out terms, in silence.
bool isReduced(const Kernel& kernel, LoopId loop);

/// Whether a `where` limits the loop.
bool isNarrowed(const Kernel& kernel, LoopId loop);

/// What says how far the loop goes, in the order of the statements; nothing: no dimension is
/// indexed by it alone. These are the dimensions that it indexes alone, `i`. Such a dimension
/// counts only if no other does, where
/// - a `select` narrows the read along the loop,
/// - the tensor is read beyond the loop, too, as by `A[i + 1]` or `A[i + r]` beside `A[i]`; of a
///   loop that the statement reduces over, by the statement itself,
/// - it is read by a statement that defines it beyond the loop, `u[t + 1] = u[t]`,
/// - it is that of one part of a tensor, beside another part behind it: `Y[i]` and `Y[i + H]`.
/// If all are such, none by a `select`, and the loop defines elements behind its own,
/// `u[t + 1] = ...`, it is the access that first leaves its tensor. The last two and this are not
/// asked where a statement reduces over the loop: it would lose terms. An index that counts from
/// the end, `N - 1 - i`, counts if none counts from the start.
std::vector<ExtentWitness> witnessesOf(const Kernel& kernel, LoopId loop);

/// Adds the dimensions of one access that the loop indexes alone.
void addWitnesses(const Kernel& kernel, const Access& access, LoopId loop,
                  std::vector<ExtentWitness>& witnesses);

}  // namespace gridloom::kernel
