// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "options.h"

namespace gridloom::cli {

/// The options, or the exit code when the command ends here: after help and version (0), or after
/// an error message (2).
std::variant<Options, int> parseCommandLine(int argc, const char* const* argv);

}  // namespace gridloom::cli
