// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mapping/constraints.h"
#include "mapping/equation_flow.h"

namespace gridloom::mapping {

/// The same directives with maps and equations (mapping/equations.h) replaced by the directives
/// that they mean, at the places of the equations. Errors are located: unknown names, values that
/// come from nowhere, values that differ where an equation says they are the same, flows that the
/// mesh does not have.
///
///   map tri(i, r, j) -> (y = i, x = r)      space(i->y) space(r->x); other dimensions are unused
///   A(i, 0, k) = A[i, k]                    at `j` = 0, A comes from memory
///   A(i, j, k) = A(i, j - 1, k)             j on x: stream(A, x); j in time: hoist(A, j), as the
///                                           element keeps it
///   A(i, j, k) = A(i, 0, k)                 j on x: multicast(A, x); j in time: hoist(A, j)
///   A(i, j, k) = A[i, k]                    direct(A)
///   X@2(i, r, j) = diag.X(j, r)             forwarded(X@2): from the point that makes it
///   C(i, j, k) = C(i, j, k - 1) + ...       k on y: reduce(C, chain); k in time: nothing moves
///   C[i, j] = C(i, j, last)                 gather(C): every element writes its own
///   C[i, j] = C(0, j, last)                 i on y: gather(C, y)
base::Result<Directives> lowerEquations(const Directives& directives, const kernel::Kernel& kernel,
                                        const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::mapping
