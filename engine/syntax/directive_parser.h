// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "mapping/constraints.h"

namespace gridloom::syntax {

/// Reads the `.sched` language: a sequence of directives, optionally separated by `;`, with `//`
/// comments. `mapping::Directive` documents each directive; names of loops, tensors and dimensions
/// are resolved later (`mapping::resolve`). A text without directives constrains nothing.
base::Result<mapping::Directives> parseDirectives(base::SourceRef source);

}  // namespace gridloom::syntax
