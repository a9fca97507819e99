// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "kernel/nest_structure.h"

namespace gridloom::kernel {

/// Finds for each dependence that loops carry the one along which it advances: tiles of it follow
/// each other. Other loops that carry the same dependence stay whole, and the statements of the
/// cycle advance index by index (`structure.stepped`). `consumers` as for `chooseInnerLoops`. Uses
/// `structure.flows`. Reports dependences for which no order of the loops is known.
base::Diagnostics placeCarried(const Kernel& kernel,
                               const std::vector<std::vector<bool>>& consumers,
                               NestStructure& structure);

}  // namespace gridloom::kernel
