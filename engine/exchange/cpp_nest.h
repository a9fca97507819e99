// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernel/kernel.h"

namespace gridloom::exchange {

/// A name of a kernel as an identifier of C++.
std::string cppName(std::string_view name);
/// The name of a tensor in C++, distinct from those of loops.
std::string cppName(const kernel::Kernel& kernel, const kernel::Tensor& tensor);
/// An index in C++, over the names of loops.
std::string cppIndex(const kernel::Kernel& kernel, const affine::LinearExpr& index);

/// A statement as a loop nest of C++, which reads and writes tensors as calls (`C(i, j)`).
/// `tiled`: over the ranges `t.i.lo` to `t.i.hi` of a tile; otherwise over whole loops. A root
/// reduction of a tiled statement adds to what its target holds where `joins`.
std::string cppStatement(const kernel::Kernel& kernel, const kernel::Statement& statement,
                         bool tiled, bool joins);
/// `a` and `b` combined by a reduction.
std::string cppJoin(kernel::ExprOp op, const std::string& a, const std::string& b);
std::string cppNumber(double value);

}  // namespace gridloom::exchange
