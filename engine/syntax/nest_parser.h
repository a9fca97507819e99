// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "access/memory_nest.h"
#include "base/result.h"

namespace gridloom::syntax {

/// Reads the `.nest` language: a sequence of directives, optionally separated by `;`, with `//`
/// comments. `mapping::NestDirective` documents each directive; names are resolved later.
base::Result<access::NestDirectives> parseNest(base::SourceRef source);

}  // namespace gridloom::syntax
