// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/cpp_context.h"

namespace gridloom::exchange {

/// A process of a program as a coroutine of C++ over a core.
std::string cppProcess(const CppContext& context, std::size_t program, std::size_t process);
/// Its name.
std::string cppProcessName(const CppContext& context, std::size_t program, std::size_t process);

}  // namespace gridloom::exchange
