// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// The loop that takes the place of another one.
using LoopMap = std::function<LoopId(LoopId)>;

/// Gives the loops of a statement, an access or a node other numbers. What was written with the
/// old names is printed anew.
void renumberLoops(Statement& statement, const LoopMap& map);
void renumberLoops(Access& access, const LoopMap& map);
void renumberLoops(ExprNode& node, const LoopMap& map);
affine::LinearExpr renumbered(const affine::LinearExpr& expr, const LoopMap& map);

/// The access with an expression in the place of each loop.
Access withLoopsAt(Access access, std::span<const affine::LinearExpr> values);

/// Takes a loop that no statement has out of the kernel.
void eraseLoop(Kernel& kernel, LoopId loop);
/// All of them.
void eraseUnusedLoops(Kernel& kernel);

}  // namespace gridloom::kernel
