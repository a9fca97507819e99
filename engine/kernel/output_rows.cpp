// SPDX-License-Identifier: Apache-2.0
#include "kernel/output_rows.h"

#include <algorithm>

#include "kernel/dependences.h"
#include "kernel/dependent_nest.h"
#include "kernel/softmax_pattern.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

// The loops of a statement of which every index is one, each another; empty: it is none.
std::vector<LoopId> loopsOfRows(const Statement& statement) {
  std::vector<LoopId> rows;
  for (const LinearExpr& index : statement.target.indices) {
    if (!isBareLoop(index)) return {};
    for (const LoopId loop : targetLoops(statement)) {
      if (index.dependsOn(loop.index()) && !contains(rows, loop)) rows.push_back(loop);
    }
  }
  return rows.size() == statement.target.indices.size() ? rows : std::vector<LoopId>{};
}

std::vector<LoopId> loopsOfOutput(const Kernel& kernel, TensorId tensor) {
  for (const Statement& statement : kernel.statements) {
    if (statement.target.tensor != tensor || statement.implied) continue;
    const std::vector<LoopId> rows = loopsOfRows(statement);
    if (!rows.empty()) return rows;
  }
  return {};
}

// `B[0] = e` as `B[i] = e where i == 0`; false if it is written in another way.
bool placeRow(const Kernel& kernel, const std::vector<LoopId>& rows, Statement& statement) {
  Statement placed = statement;
  bool isRow = false;
  for (std::size_t d = 0; d < rows.size(); ++d) {
    LinearExpr& index = placed.target.indices[d];
    const LinearExpr loop = LinearExpr::dim(rows[d].index());
    if (index == loop) continue;
    const bool isFree = index.isConstant() && !contains(statement.loops, rows[d]);
    if (!isFree || index.constant >= kernel.loop(rows[d]).extent) return false;
    placed.constraints.push_back({loop - index, true});
    index = loop;
    isRow = true;
  }
  if (!isRow) return false;
  placed.target.spelling.clear();
  placed.constraintSpelling.clear();
  statement = std::move(placed);
  return true;
}

}  // namespace

bool placeRows(Kernel& kernel, TensorId output) {
  const std::vector<LoopId> rows = loopsOfOutput(kernel, output);
  if (rows.empty()) return false;
  return std::ranges::all_of(kernel.statements, [&](Statement& statement) {
    return statement.target.tensor != output || loopsOfRows(statement) == rows ||
           placeRow(kernel, rows, statement);
  });
}

std::optional<Kernel> withOutputRows(const Kernel& kernel) {
  Kernel draft = kernel;
  bool changed = false;
  for (Statement& statement : draft.statements) {
    const TensorId tensor = statement.target.tensor;
    if (kernel.tensor(tensor).role != TensorRole::Output) continue;
    const std::vector<LoopId> rows = loopsOfOutput(kernel, tensor);
    changed = (!rows.empty() && placeRow(kernel, rows, statement)) || changed;
  }
  if (!changed || outputsDependOnOutputs(kernel, flowDependences(kernel))) return std::nullopt;
  return draft;
}

}  // namespace gridloom::kernel
