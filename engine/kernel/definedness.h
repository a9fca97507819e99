// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Reports outputs that no statement assigns, output elements never defined, elements defined
/// twice, and reads of local elements that no statement defines.
void checkDefinedness(const Kernel& kernel, base::Diagnostics& errors);

/// A warning per output of which statements define only a part, so that the rest is 0.
base::Diagnostics undefinedOutputs(const Kernel& kernel);

}  // namespace gridloom::kernel
