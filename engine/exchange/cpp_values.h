// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/cpp_context.h"

namespace gridloom::exchange {

/// Members of a core for the values it computes.
std::string cppValueMembers(const CppContext& context);
/// Functions of a C++ program that compute values: `compute_<part>(core, w)` and
/// `epilogue(core, w)`.
std::string cppComputeFunctions(const CppContext& context);

}  // namespace gridloom::exchange
