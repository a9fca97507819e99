// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "affine/linear_expr.h"

namespace gridloom::affine {

/// Whether index values tell all points of a box apart. Each index is read as a number whose digits
/// are the dimensions it alone leaves open (`4 * a + b` with b below 4), in any order of the
/// indices. `extents`: per dimension; dimensions in no index do not count.
bool isInjective(std::span<const LinearExpr> indices, std::span<const std::int64_t> extents);

/// Finds the point with these index values; 0 for dimensions in no index. The indices must be
/// injective. Returns false when no point of the box has these values.
bool pointAt(std::span<const LinearExpr> indices, std::span<const std::int64_t> values,
             std::span<const std::int64_t> extents, std::vector<std::int64_t>& point);

}  // namespace gridloom::affine
