// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/diagnostic.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Reports outputs that no statement assigns, output elements never defined, elements defined
/// twice, and reads of local elements that no statement defines.
/// State may be read where nothing defines it, before the first index of a band: its initial value.
void checkDefinedness(const Kernel& kernel, base::Diagnostics& errors);

/// Whether a statement defines the element that an access names at a point of the kernel's loops.
bool isDefined(const Kernel& kernel, const Access& access, std::span<const std::int64_t> point);

/// A warning per output of which statements define only a part, so that the rest is 0.
base::Diagnostics undefinedOutputs(const Kernel& kernel);

}  // namespace gridloom::kernel
