// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "options.h"

namespace gridloom::cli {

/// The options, or the exit code of a command line that is already done: help and version were printed
/// (0), or what is wrong with it was (2).
std::variant<Options, int> parseCommandLine(int argc, const char* const* argv);

}  // namespace gridloom::cli
