// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/cpp_context.h"

namespace gridloom::exchange {

/// Loop-carried state whose loop is unrolled over cores (kernel/state_merge.h), in a C++ program.
/// A state's elements are those at index 0 of its loop.

/// `note_X` and `total_X` of every state X: keeps the state after a step; reads it after the loop.
std::string cppStateFunctions(const CppContext& context);
/// The begin of `read_X`: in the first iteration of a tile, the state after the core's previous
/// tile, or its initial value.
std::string cppEarlierState(const CppContext& context, kernel::TensorId tensor);
/// The part of `reduce_B` that combines received states (`from.sums`) with the core's own.
std::string cppCombineStates(const CppContext& context);

}  // namespace gridloom::exchange
