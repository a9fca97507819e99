// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inputs.h"
#include "options.h"

namespace gridloom::cli {

/// `explain A B`: why one of two mappings beats the other.
Exit explainDifference(const Options& options, const Inputs& inputs);

}  // namespace gridloom::cli
