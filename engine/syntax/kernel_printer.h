// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel/kernel.h"

namespace gridloom::syntax {

/// The graph as `.rec` text. Parsing it gives the same graph, which prints to the same text.
std::string printKernels(const kernel::KernelGraph& graph);

}  // namespace gridloom::syntax
