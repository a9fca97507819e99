// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "affine/affine_map.h"
#include "syntax/token_cursor.h"

namespace gridloom::syntax {

/// Parses `affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>` at the cursor, in MLIR's syntax (without
/// symbols); a name in `constants` that is no dimension stands for its number. Two slips of printed
/// listings are read with a warning: a `)` that is missing before the closing `>`, and a `+` before
/// `ceildiv`. On an error, reports to `out` and returns none; the cursor is then at the offending
/// token.
using AffineConstants = std::map<std::string_view, std::int64_t>;
std::optional<affine::AffineMap>
parseAffineMap(TokenCursor& cursor, const AffineConstants& constants, base::Diagnostics& out);

/// Parses `affine_set<(d0, d1) : (d1 - d0 >= 0, d0 < 4)>` in the same way, as the map whose results
/// are all at least 0 at the points of the set. Also understood: `<=`, `>`, `<`, `==` between any
/// two expressions.
std::optional<affine::AffineMap>
parseAffineSet(TokenCursor& cursor, const AffineConstants& constants, base::Diagnostics& out);

/// Parses an expression of numbers and constants, such as `cols floordiv 2 + 1`.
std::optional<std::int64_t>
parseAffineConstant(TokenCursor& cursor, const AffineConstants& constants, base::Diagnostics& out);

}  // namespace gridloom::syntax
