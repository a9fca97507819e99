// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The element type of a local that holds the value of a node, by its operands and the target of
/// its statement: for integers that stay integers i32, or i64 where one of them is; f64 where one
/// of them is; else f32.
DType valueType(const Kernel& kernel, const Statement& statement, std::int32_t node);

/// That of a value that is no integer, whatever it is computed from.
DType fractionType(const Kernel& kernel, const Statement& statement, std::int32_t node);

}  // namespace gridloom::kernel
