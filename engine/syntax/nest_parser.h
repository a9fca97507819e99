// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "access/memory_nest.h"
#include "base/result.h"

namespace gridloom::syntax {

/// Reads the `.nest` language: directives one behind the other, optionally parted by `;`, with `//`
/// comments. What each directive means is told at `mapping::NestDirective`; names are resolved later.
base::Result<access::NestDirectives> parseNest(base::SourceRef source);

}  // namespace gridloom::syntax
