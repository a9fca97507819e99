// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A statement, as text, that sets to 0 what no statement defines around an element of a tensor:
/// `C[n, k] = 0  where k > n`, or `O[0, j] = 0` beside `O[t + 1, j] = ...`. Nothing where that
/// takes loops that no statement of the tensor has as an index.
std::optional<std::string> missingDefinition(const Kernel& kernel, TensorId tensor,
                                             const std::vector<std::int64_t>& element);

}  // namespace gridloom::kernel
