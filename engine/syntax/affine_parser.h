// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "affine/affine_map.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

/// `affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>` at the cursor, as MLIR writes it (without symbols).
/// Reports into `out` and gives nothing when it is not one; the cursor then stands at the culprit.
std::optional<affine::AffineMap> parseAffineMap(TokenCursor& cursor, base::Diagnostics& out);

}  // namespace gridloom::syntax
