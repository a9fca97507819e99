// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "syntax/hardware_parser_ops.h"

namespace gridloom::syntax {

/// Names components with numbers for names, as MLIR prints them, by their labels where these are
/// names that no other component has: `%5 = df.memory "L1"` becomes `%L1`.
void nameByLabels(std::vector<HardwareOp>& ops);

}  // namespace gridloom::syntax
