// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/interpreter.h"

namespace gridloom::kernel {

/// Largest difference over all outputs, relative to the largest finite magnitude of the reference.
/// Infinite when an output is missing, was never written (NaN), or is infinite where the reference
/// is finite. Outputs that only the form of the kernel has, such as parts of a local, are left out:
/// the reference computes the kernel as it was written.
double valueError(const kernel::Kernel& kernel, const kernel::TensorValues& got,
                  const kernel::TensorValues& reference);

}  // namespace gridloom::kernel
