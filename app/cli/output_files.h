// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"
#include "terminal.h"

namespace gridloom::cli {

/// Call before any work: `BadInput`, with a message, where an output would overwrite an input or
/// another output.
Exit checkOutputFiles(const Options& options);

}  // namespace gridloom::cli
