// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::exchange {

/// A name of a kernel as an identifier of C++.
std::string cppName(std::string_view name);
/// The name of a tensor in C++, distinct from those of loops.
std::string cppName(const kernel::Kernel& kernel, const kernel::Tensor& tensor);
/// An index in C++, over the names of loops.
std::string cppIndex(const kernel::Kernel& kernel, const affine::LinearExpr& index);

/// How a statement is written: where its loops run, and what of it stands elsewhere.
struct CppForm {
  /// Loops run over the ranges `t.i.lo` to `t.i.hi` of a tile; otherwise over their whole extents.
  bool tiled = false;
  /// Nodes of the expression that are computed elsewhere, as text.
  std::map<std::size_t, std::string> nodes = {};
  /// Per tensor: a loop whose index reads of it get as a last argument; invalid: none.
  std::vector<kernel::LoopId> now = {};
};

/// `for (long i = ...)`, without a body.
std::string cppLoop(const kernel::Kernel& kernel, kernel::LoopId loop, bool tiled);
/// `x >= 0 && y == 0`; "" for no constraints.
std::string cppConditions(const kernel::Kernel& kernel,
                          const std::vector<affine::Constraint>& constraints);
/// The constraints of a statement that say which elements it defines: those of no reduction.
std::vector<affine::Constraint> targetConstraints(const kernel::Statement& statement);
/// The right side of a statement, up to a node, at one point of its target loops. Tensors are read
/// as calls (`A(i, k)`).
std::string cppExpression(const kernel::Kernel& kernel, const kernel::Statement& statement,
                          const CppForm& form);
/// A statement as a loop nest of C++, which reads and writes tensors as calls (`C(i, j)`).
/// A root reduction of a tiled statement adds to what its target holds where `joins`.
std::string cppStatement(const kernel::Kernel& kernel, const kernel::Statement& statement,
                         bool tiled, bool joins);
/// `a` and `b` combined by a reduction.
std::string cppJoin(kernel::ExprOp op, const std::string& a, const std::string& b);
std::string cppNumber(double value);

}  // namespace gridloom::exchange
