// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Reports outputs nothing assigns, output elements never defined, elements defined twice, and reads
/// of local elements that nothing defines.
void checkDefinedness(const Kernel& kernel, base::Diagnostics& errors);

}  // namespace gridloom::kernel
