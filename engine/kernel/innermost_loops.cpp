// SPDX-License-Identifier: Apache-2.0
#include "kernel/innermost_loops.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace gridloom::kernel {

namespace {

// From the outermost to the innermost one.
std::vector<LoopId> nestedLoops(const Statement& statement) {
  std::vector<LoopId> loops;
  for (const affine::LinearExpr& index : statement.target.indices) {
    std::vector<LoopId> own;
    for (std::size_t l = 0; l < index.coefficients.size(); ++l) {
      if (index.dependsOn(l)) own.push_back(LoopId::of(l));
    }
    std::ranges::stable_sort(own, std::greater{}, [&](LoopId loop) {
      return std::abs(index.coefficient(loop.index()));
    });
    loops.insert(loops.end(), own.begin(), own.end());
  }
  // Parents come behind their operands.
  for (std::size_t n = statement.expr.size(); n-- > 0;) {
    const std::vector<LoopId>& reduced = statement.expr[n].loops;
    loops.insert(loops.end(), reduced.begin(), reduced.end());
  }
  return loops;
}

}  // namespace

void setInnermost(const Kernel& kernel, std::vector<TileOp>& ops) {
  for (TileOp& op : ops) {
    if (op.unit != UnitKind::Vector || op.loops.empty()) continue;
    op.innermost = op.loops.back();
    for (const LoopId loop : nestedLoops(kernel.statements[op.statement.index()])) {
      if (contains(op.loops, loop)) op.innermost = loop;
    }
  }
}

}  // namespace gridloom::kernel
