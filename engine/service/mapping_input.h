// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "service/workspace.h"

namespace gridloom::service {

/// The mapping in a file: JSON (an exploration's best, a simulation's, or a mapping alone), or
/// `.sched` directives, under which the best legal mapping is searched. Errors are located.
base::Result<mapping::Mapping>
openMapping(base::SourceRef text, HardwareRef hardware, KernelRef kernel, const std::string& mode,
            base::Progress& progress, const ranking::Reranking& rerank = ranking::kQuickReranking,
            const SearchLimits& search = {});

/// What a saved file is, by its name and its first character.
enum class SavedKind { Json, Directives, Schedule };
SavedKind savedKind(const base::SourceText& text);

/// Whether a saved mapping, as in `openMapping`, or a `.prog` schedule is of this kernel: the
/// directives of a `.sched`, nothing of other files. Errors: why it is not; a schedule is not
/// verified.
base::Result<std::optional<mapping::Constraints>>
openSaved(base::SourceRef text, const Kernel& kernel, const Hardware& hardware);

/// Whether `openMapping` or `mappingFromDirectives` failed because no mapping is feasible.
bool isInfeasible(const base::Diagnostics& errors);

/// Every error of a file, by its extension: `.hw`, `.rec`, `.sched`, `.prog`, `.nest`, `.json`. The
/// names in a `.sched` or `.nest` belong to a kernel and a hardware, so only its syntax is checked.
/// A `.json` must be a result of this program.
base::Diagnostics checkText(base::SourceRef text);

}  // namespace gridloom::service
