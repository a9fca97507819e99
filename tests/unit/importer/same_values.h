// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gridloom::test {

/// Fails the test unless a function, whose arguments are all memory with a shape, leaves in each of
/// them what MLIR's own execution leaves there.
void expectSameValues(const std::string& function);

}  // namespace gridloom::test
