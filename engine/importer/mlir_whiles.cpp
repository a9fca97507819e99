// SPDX-License-Identifier: Apache-2.0
//
// Loops with a condition that count.
#include <mlir/Dialect/SCF/Transforms/Transforms.h>

#include <vector>

#include "importer/mlir_names.h"

namespace gridloom::importer {

namespace {

// Whether the number that is compared is used behind the loop, where it is the first that fails.
// MLIR's loop gives the last one that holds.
bool usesCounter(mlir::scf::WhileOp loop) {
  auto condition = loop.getConditionOp();
  auto compared = condition.getCondition().getDefiningOp<mlir::arith::CmpIOp>();
  if (!compared) return false;
  for (const auto& [value, result] : llvm::zip(condition.getArgs(), loop.getResults())) {
    const bool isCounter = value == compared.getLhs() || value == compared.getRhs();
    if (isCounter && !result.use_empty()) return true;
  }
  return false;
}

}  // namespace

void writeWhilesAsFor(mlir::Operation& within) {
  std::vector<mlir::scf::WhileOp> loops;
  within.walk([&](mlir::scf::WhileOp loop) { loops.push_back(loop); });
  mlir::IRRewriter rewriter(within.getContext());
  for (const mlir::scf::WhileOp loop : loops) {
    if (usesCounter(loop)) continue;
    rewriter.setInsertionPoint(loop);
    static_cast<void>(mlir::scf::upliftWhileToForLoop(rewriter, loop));
  }
}

}  // namespace gridloom::importer
