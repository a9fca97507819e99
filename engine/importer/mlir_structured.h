// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "importer/mlir_reader.h"

namespace gridloom::importer {

/// Reads a structured operation of `linalg`. Loops are the dimensions of the indexing maps; those
/// that no output names are reduced.
class Reader::Structured {
 public:
  Structured(Reader& reader, mlir::linalg::LinalgOp op);
  void read();

 private:
  std::vector<std::int64_t> extentsOf(mlir::Value operand) const;
  void findLoops();
  Linear form(mlir::AffineExpr expr) const;
  std::vector<Linear> indexOf(mlir::AffineMap map) const;
  void readInputs();
  /// The value of an output's element for one iteration.
  ExprRef valueOf(unsigned output) const;
  std::vector<Loop> dimensionsOf(unsigned output, std::vector<Loop>& reduced) const;
  void addResult(unsigned output);
  /// What was in an output.
  ExprRef oldElement(unsigned output, const std::vector<Loop>& vars) const;

  // Of an output's element, over its dimensions and the loops that are reduced; the first two give
  // nothing where it is none of these.
  ExprRef placeOfExtreme(unsigned output, const ExprRef& value, const std::vector<Loop>& vars,
                         const std::vector<Loop>& reduced);
  ExprRef extreme(unsigned output, const ExprRef& value, const std::vector<Loop>& vars,
                  const std::vector<Loop>& reduced) const;
  ExprRef element(unsigned output, const ExprRef& value, const std::vector<Loop>& vars,
                  const std::vector<Loop>& reduced) const;

  Reader& m_reader;
  mutable mlir::linalg::LinalgOp m_op;  ///< whose methods are not const
  llvm::SmallVector<mlir::Value> m_outs;
  bool m_isReducing;
  std::vector<int> m_olds;  ///< per output: what stands for its old element
  std::vector<Loop> m_loops;
  std::vector<Linear> m_forms;      ///< of m_loops
  std::map<void*, ExprRef> m_args;  ///< of the region
  std::vector<Tile> m_results;
};

}  // namespace gridloom::importer
