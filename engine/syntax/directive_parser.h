// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "mapping/constraints.h"

namespace gridloom::syntax {

/// Reads the `.sched` language: directives one behind the other, optionally parted by `;`, with `//`
/// comments. What each directive means is told at `mapping::Directive`; names of loops, tensors and
/// dimensions are resolved later (`mapping::resolve`). A text without directives leaves everything free.
base::Result<mapping::Directives> parseDirectives(base::SourceRef source);

}  // namespace gridloom::syntax
