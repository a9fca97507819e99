// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/cpp_context.h"

namespace gridloom::exchange {

/// `main` of a C++ program: fills the inputs, makes the cores and their processes, runs them, and
/// compares the outputs with `namespace reference`.
std::string cppMain(const CppContext& context);

}  // namespace gridloom::exchange
