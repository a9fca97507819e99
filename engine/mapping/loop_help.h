// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kernel/kernel.h"

namespace gridloom::mapping {

/// The help of an error about a loop that a kernel does not have: its loops, or the one that this
/// loop has become part of.
std::string loopHelp(const kernel::Kernel& kernel, std::string_view unknown);

}  // namespace gridloom::mapping
