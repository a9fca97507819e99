// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"
#include "terminal.h"

namespace gridloom::cli {

/// Before any work: `BadInput`, said with both options, where an output would write over an input or another output.
Exit checkOutputFiles(const Options& options);

}  // namespace gridloom::cli
