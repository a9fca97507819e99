// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "affine/affine_map.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

/// Parses `affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>` at the cursor, in MLIR's syntax (without
/// symbols). On an error, reports to `out` and returns none; the cursor is then at the offending
/// token.
std::optional<affine::AffineMap> parseAffineMap(TokenCursor& cursor, base::Diagnostics& out);

}  // namespace gridloom::syntax
