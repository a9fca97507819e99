// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exchange/cpp_context.h"

namespace gridloom::exchange {

/// Functions of a C++ program that say which elements and tiles a core has to do with:
/// `boxOf(core, w)`, the elements of every loop; `tiles(core, w, loops, f)`, the tiles of a
/// transfer; `elements_X(core, w)` per operand; `has_work(core, w)`; `needed_X(core, w)` per buffer
/// that is needed at some tiles only; and `made_X`, `awaited_X`, numbers of output tiles that a
/// core makes and awaits, where tiles are awaited.
std::string cppTileFunctions(const CppContext& context);

}  // namespace gridloom::exchange
