// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The values that callers give nodes which are no affine expression of loops, such as `mod(t, 2)`.
using NodeValue = std::function<std::optional<affine::LinearExpr>(std::int32_t node)>;

/// The value of a node of an expression over the kernel's loops; nothing where it is no affine
/// expression of them and `other` gives none.
std::optional<affine::LinearExpr> loopValue(const Statement& statement, std::int32_t node,
                                            const NodeValue& other = {});

/// What a comparison of such values says where it holds, or where it does not: a constraint, or
/// that an expression is not 0. Neither where the node compares nothing, or other values.
struct Compared {
  std::optional<affine::Constraint> constraint;
  std::optional<affine::LinearExpr> nonZero;
};
Compared compare(const Statement& statement, std::int32_t node, bool holds,
                 const NodeValue& other = {});

}  // namespace gridloom::kernel
