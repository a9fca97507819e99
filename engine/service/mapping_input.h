// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/workspace.h"

namespace gridloom::service {

/// The mapping of a file: JSON (an exploration's best, a simulation's, or a mapping alone) or directives
/// in the `.sched` language, of which the best legal mapping is taken. Errors are located.
base::Result<mapping::Mapping> openMapping(base::SourceRef text, HardwareRef hardware,
                                           KernelRef kernel, const std::string& mode,
                                           base::Progress& progress,
                                           const Reranking& rerank = kQuickReranking,
                                           const SearchLimits& search = {});

/// Whether `openMapping` or `mappingFromDirectives` failed because nothing fits, and not for what it was asked.
bool isInfeasible(const base::Diagnostics& errors);

/// Every error of a file by its extension: `.hw`, `.rec`, `.sched`, `.prog`, `.nest`, `.json`. Names of a
/// `.sched` or `.nest` belong to a kernel and a hardware, so only its form is checked; a `.json` must be one
/// of our results.
base::Diagnostics checkText(base::SourceRef text);

}  // namespace gridloom::service
