// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "base/source_text.h"
#include "syntax/hardware_parser_op.h"

namespace gridloom::syntax {

/// The component that an operand names; null: none.
const HardwareOp* componentOf(const std::vector<HardwareOp>& ops, const HardwareValue& operand);
bool isDimension(const std::vector<HardwareOp>& ops, const HardwareValue& operand);
HardwareValue listOf(std::vector<HardwareValue> items);

/// `"df.interconnects"(%x, %y)`, between the cores of a mesh; where nothing declares them, they
/// are assumed.
void connectCores(std::vector<HardwareOp>& ops, const base::SourceRef& source,
                  base::Diagnostics& out);

}  // namespace gridloom::syntax
