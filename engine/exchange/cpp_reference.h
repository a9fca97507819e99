// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel/kernel.h"

namespace gridloom::exchange {

/// The kernel as it is written, in C++: every element by the statement that defines it, without
/// tiles: `namespace reference` with a Lazy per tensor and `define()`.
std::string cppReference(const kernel::Kernel& kernel);
/// Statements that fill the inputs in `global` as kernel::sampleInputs does.
std::string cppInputs(const kernel::Kernel& kernel);

}  // namespace gridloom::exchange
