// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A name that no tensor has: `name` and as many times `suffix` as it takes.
std::string freeTensorName(const Kernel& kernel, std::string name, std::string_view suffix);

/// `to` = the elements of `value` that the statement, or one like it, defines.
Statement copyOf(const Statement& writer, Access to, TensorId value);

}  // namespace gridloom::kernel
