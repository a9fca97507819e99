// SPDX-License-Identifier: Apache-2.0
#include "kernel/output_rows.h"

#include <algorithm>

#include "kernel/dependences.h"
#include "kernel/dependent_nest.h"
#include "kernel/softmax_pattern.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

std::vector<LoopId> loopsOfOutput(const Kernel& kernel, TensorId tensor) {
  for (const Statement& statement : kernel.statements) {
    if (statement.target.tensor != tensor || statement.implied) continue;
    const std::vector<LoopId> rows = loopPerIndex(statement.target);
    if (!rows.empty()) return rows;
  }
  return {};
}

/// A dimension of an output in which a statement has a constant: `loop` is `at` there.
struct Row {
  std::size_t dim = 0;
  LoopId loop;
  std::int64_t at = 0;
};

template <typename Test>
bool isReadBy(const Kernel& kernel, TensorId tensor, std::size_t dim, const Test& test) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& s) {
    return std::ranges::any_of(s.reads, [&](const Access& read) {
      return read.tensor == tensor && test(read.indices[dim]);
    });
  });
}

// The dimension of a read that takes the loop: one with other constants elsewhere, preferably one
// that has the loop elsewhere, too, else that of the output.
std::optional<std::size_t> dimensionOf(const Kernel& kernel, const Access& read, const Row& row) {
  const std::vector<std::int64_t>& shape = kernel.tensor(read.tensor).shape;
  const auto spans = [&](std::size_t d) {
    const LinearExpr& index = read.indices[d];
    return index.isConstant() && index.constant == row.at &&
           shape[d] >= kernel.loop(row.loop).extent &&
           isReadBy(kernel, read.tensor, d, [&](const LinearExpr& other) {
             return other.isConstant() && other.constant != row.at;
           });
  };
  for (std::size_t d = 0; d < read.indices.size(); ++d) {
    const auto hasLoop = [&](const LinearExpr& index) { return index.dependsOn(row.loop.index()); };
    if (spans(d) && isReadBy(kernel, read.tensor, d, hasLoop)) return d;
  }
  return row.dim < shape.size() && spans(row.dim) ? std::optional(row.dim) : std::nullopt;
}

bool readByLoop(const Kernel& kernel, const Row& row, Statement& statement) {
  bool changed = false;
  for (Access& read : statement.reads) {
    if (kernel.tensor(read.tensor).role != TensorRole::Input || read.isGather()) continue;
    const auto dim = dimensionOf(kernel, read, row);
    if (!dim) continue;
    read.indices[*dim] = LinearExpr::dim(row.loop.index());
    read.spelling.clear();
    changed = true;
  }
  return changed;
}

// The elements of the row itself: `D[i, 0] = D[i - 1, 0] + 1` needs what the tile has beside it.
bool readRowByLoop(const Row& row, Statement& statement) {
  bool changed = false;
  for (Access& read : statement.reads) {
    const bool isOfRow = read.tensor == statement.target.tensor &&
                         read.indices[row.dim] == LinearExpr::number(row.at);
    if (!isOfRow) continue;
    read.indices[row.dim] = LinearExpr::dim(row.loop.index());
    read.spelling.clear();
    changed = true;
  }
  return changed;
}

enum class Which : std::uint8_t { All, Spanning };

// Whether an index is a loop that another dimension has in its place, as the second of `L[i, i]`.
bool isOfRows(const LinearExpr& index, const Access& target, const std::vector<LoopId>& rows) {
  if (!isBareLoop(index)) return false;
  for (std::size_t d = 0; d < rows.size(); ++d) {
    const LinearExpr loop = LinearExpr::dim(rows[d].index());
    if (index == loop && target.indices[d] == loop) return true;
  }
  return false;
}

// `B[0] = e` as `B[i] = e where i == 0`, and `L[i, i] = e` as `L[i, j] = e where j == i`; false if
// it is written in another way. Of `Spanning`, only what reads by the loop then, and sums nothing.
bool placeRow(const Kernel& kernel, const std::vector<LoopId>& rows, Which which,
              Statement& statement) {
  Statement placed = statement;
  bool isRow = false, reads = false;
  for (std::size_t d = 0; d < rows.size(); ++d) {
    LinearExpr& index = placed.target.indices[d];
    const LinearExpr loop = LinearExpr::dim(rows[d].index());
    if (index == loop) continue;
    if (contains(statement.loops, rows[d])) return false;
    if (which == Which::All && isOfRows(index, placed.target, rows)) {
      placed.constraints.push_back({loop - index, true});
      index = loop;
      isRow = true;
      continue;
    }
    if (!index.isConstant() || index.constant >= kernel.loop(rows[d]).extent) return false;
    const Row row{d, rows[d], index.constant};
    reads = readByLoop(kernel, row, placed) || reads;
    reads = readRowByLoop(row, placed) || reads;
    placed.constraints.push_back({loop - index, true});
    index = loop;
    isRow = true;
  }
  if (!isRow) return false;
  if (which == Which::Spanning && (!reads || !statement.reductions.empty())) return false;
  placed.target.spelling.clear();
  placed.constraintSpelling.clear();
  statement = std::move(placed);
  return true;
}

std::optional<Kernel> withRows(const Kernel& kernel, Which which) {
  Kernel draft = kernel;
  bool changed = false;
  for (Statement& statement : draft.statements) {
    const TensorId tensor = statement.target.tensor;
    if (kernel.tensor(tensor).role != TensorRole::Output) continue;
    const std::vector<LoopId> rows = loopsOfOutput(kernel, tensor);
    changed = (!rows.empty() && placeRow(kernel, rows, which, statement)) || changed;
  }
  return changed ? std::optional(std::move(draft)) : std::nullopt;
}

}  // namespace

bool placeRows(Kernel& kernel, TensorId output, Diagonals diagonals) {
  const std::vector<LoopId> rows = loopsOfOutput(kernel, output);
  if (rows.empty()) return false;
  const auto mayStay = [&](const Statement& statement) {
    return loopPerIndex(statement.target) == rows ||
           (diagonals == Diagonals::Kept &&
            std::ranges::all_of(statement.target.indices, isBareLoop));
  };
  return std::ranges::all_of(kernel.statements, [&](Statement& statement) {
    return statement.target.tensor != output || mayStay(statement) ||
           placeRow(kernel, rows, Which::All, statement);
  });
}

std::optional<Kernel> withOutputRows(const Kernel& kernel) {
  std::optional<Kernel> placed = withRows(kernel, Which::All);
  if (!placed || !outputsDependOnOutputs(kernel, flowDependences(kernel))) return placed;
  // Outputs that need each other place their statements in tiles themselves, each where it is due;
  // as one of the loop, a border takes part in every step.
  return withRows(kernel, Which::Spanning);
}

}  // namespace gridloom::kernel
