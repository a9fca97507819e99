// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "exchange/cpp_context.h"

namespace gridloom::exchange {

/// Functions of a C++ program over a core's values: `read_X`, an element of a tensor from where the
/// core has it; `write_X`; `beginScope`, before the first work on new output tiles; `reduce_B`,
/// which combines the partial results in a buffer with the core's own; and of state whose loop is
/// unrolled over cores `note_X` and `total_X`.
std::string cppAccessFunctions(const CppContext& context);

/// Appends the names under which the steps' expressions read tensors (`A(i, k)`).
void cppReaders(const CppContext& context, std::span<const values::StatementPlan::Step> steps,
                bool inEpilogue, const std::string& indent, std::string& text);

/// Per tensor of split state the loop of its steps, whose index a read gets too; else empty.
std::vector<kernel::LoopId> cppStateLoops(const CppContext& context);

/// The statement that puts partial result `v` of element `e` into the slot it travels in; "": it
/// does not travel.
std::string cppNote(const CppContext& context, std::int32_t partial);

}  // namespace gridloom::exchange
