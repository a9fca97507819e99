// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Finds the loops of a statement and those that it reduces over, and reports a loop that is used
/// where it has no value, or that is reduced twice.
void takeScope(const Kernel& kernel, Statement& statement, base::Diagnostics& errors);

}  // namespace gridloom::kernel
