// SPDX-License-Identifier: Apache-2.0
//
// Loops with a condition that count.
#include <mlir/Dialect/SCF/Transforms/Transforms.h>

#include <vector>

#include "importer/mlir_names.h"

namespace gridloom::importer {

void writeWhilesAsFor(mlir::Operation& within) {
  std::vector<mlir::scf::WhileOp> loops;
  within.walk([&](mlir::scf::WhileOp loop) { loops.push_back(loop); });
  mlir::IRRewriter rewriter(within.getContext());
  for (const mlir::scf::WhileOp loop : loops) {
    rewriter.setInsertionPoint(loop);
    static_cast<void>(mlir::scf::upliftWhileToForLoop(rewriter, loop));
  }
}

}  // namespace gridloom::importer
