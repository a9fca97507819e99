// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "kernel/kernel.h"

namespace gridloom::kernel {

struct LocalTargetError {
  std::string message, help;
};

/// Loop-carried state is followed from index to index: each index of a local on the left of `=` is
/// a loop or a number, once joined indices are apart (joined_indices.h). Says which index is not,
/// and what to write instead. `mayGrow`: leaves out an index that is separated as soon as the local
/// is large enough, if the language has such sizes. Loops have their extents.
std::optional<LocalTargetError> localTargetError(const Kernel& kernel, const Statement& statement,
                                                 bool mayGrow);

}  // namespace gridloom::kernel
