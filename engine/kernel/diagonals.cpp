// SPDX-License-Identifier: Apache-2.0
#include "kernel/diagonals.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

/// Places the values of one tensor on the diagonal of a square.
class DiagonalMaker {
 public:
  DiagonalMaker(Kernel& kernel, TensorId values, std::vector<LoopId> loops)
      : m_kernel(kernel), m_values(values), m_loops(std::move(loops)) {}

  /// False where it cannot be, which may leave some statements changed.
  bool run(const Tensor& like) {
    const TensorId diagonal = addTensor(like);
    std::size_t last = 0;
    LoopId loop;
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      Statement& statement = m_kernel.statements[s];
      for (Access& read : statement.reads) readDiagonal(read, diagonal);
      if (statement.target.tensor != m_values) continue;
      const std::vector<LoopId> own = loopPerIndex(statement.target);
      if (own.empty() || !place(statement, own.front(), diagonal)) return false;
      loop = contains(m_loops, own.front()) ? own.front() : m_loops[1];
      last = s;
    }
    const bool isOutput = m_kernel.tensor(m_values).role == TensorRole::Output;
    if (isOutput) addCopy(Statement(m_kernel.statements[last]), loop, diagonal);
    base::Diagnostics errors;
    for (Statement& statement : m_kernel.statements) takeScope(m_kernel, statement, errors);
    return errors.empty();
  }

 private:
  // A local becomes the diagonal itself.
  TensorId addTensor(const Tensor& like) {
    Tensor tensor = tensorLike(m_kernel, m_kernel.tensor(m_values), "_diagonal");
    tensor.shape = like.shape;
    tensor.shapeSpelling = like.shapeSpelling;
    if (tensor.role == TensorRole::Local) {
      m_kernel.tensors[m_values.index()] = std::move(tensor);
      return m_values;
    }
    tensor.role = TensorRole::Local;
    tensor.comments.clear();
    m_kernel.tensors.push_back(std::move(tensor));
    return TensorId::of(m_kernel.tensors.size() - 1);
  }

  void readDiagonal(Access& read, TensorId diagonal) const {
    if (read.tensor != m_values) return;
    read.tensor = diagonal;
    read.indices.push_back(read.indices.front());
    read.spelling.clear();
  }

  // `p[j]` as `d[i, j] where i == j`, also where j has another name.
  bool place(Statement& statement, LoopId own, TensorId diagonal) const {
    for (const LoopId loop : m_loops) {
      if (loop != own && contains(statement.loops, loop)) return false;
    }
    if (!contains(m_loops, own)) {
      renumberLoops(statement, [&](LoopId loop) { return loop == own ? m_loops[1] : loop; });
    }
    const LinearExpr row = LinearExpr::dim(m_loops[0].index());
    const LinearExpr column = LinearExpr::dim(m_loops[1].index());
    statement.target.tensor = diagonal;
    statement.target.indices = {row, column};
    statement.target.spelling.clear();
    statement.constraints.push_back({row - column, true});
    statement.constraintSpelling.clear();
    return true;
  }

  // Behind the recurrence.
  void addCopy(const Statement& like, LoopId loop, TensorId diagonal) {
    Access to = like.target;
    to.tensor = m_values;
    to.indices = {LinearExpr::dim(loop.index())};
    Statement copy = copyOf(like, std::move(to), diagonal);
    copy.reads.front().indices = {LinearExpr::dim(loop.index()), LinearExpr::dim(loop.index())};
    copy.constraints.clear();
    m_kernel.statements.push_back(std::move(copy));
  }

  Kernel& m_kernel;
  TensorId m_values;
  std::vector<LoopId> m_loops;
};

// A statement of a square output that needs the tensor and is needed by it; null: there is none.
const Statement* squareBeside(const Kernel& kernel, const TensorCycles& cycles, TensorId values) {
  const std::int64_t extent = kernel.tensor(values).shape.front();
  const auto at = std::ranges::find_if(kernel.statements, [&](const Statement& s) {
    const Tensor& tensor = kernel.tensor(s.target.tensor);
    return tensor.role == TensorRole::Output && hasLoopPerIndex(s) &&
           tensor.shape == std::vector<std::int64_t>{extent, extent} &&
           cycles.isBetween(s.target.tensor, values);
  });
  return at == kernel.statements.end() ? nullptr : &*at;
}

std::optional<Kernel> withDiagonals(const Kernel& kernel, bool hasOutputs) {
  const TensorCycles cycles(kernel);
  Kernel draft = kernel;
  bool changed = false;
  for (std::size_t t = 0; cycles.any() && t < kernel.tensors.size(); ++t) {
    const Tensor& values = kernel.tensors[t];
    const bool mayBePlaced =
        values.role == TensorRole::Local || (hasOutputs && values.role == TensorRole::Output);
    if (!mayBePlaced || values.shape.size() != 1 || values.initial) continue;
    const Statement* square = squareBeside(kernel, cycles, TensorId::of(t));
    if (square == nullptr) continue;
    DiagonalMaker maker(draft, TensorId::of(t), loopPerIndex(square->target));
    if (!maker.run(kernel.tensor(square->target.tensor))) return std::nullopt;
    changed = true;
  }
  return changed ? std::optional(std::move(draft)) : std::nullopt;
}

}  // namespace

std::optional<Kernel> withDiagonalLocals(const Kernel& kernel) {
  return withDiagonals(kernel, false);
}

std::optional<Kernel> withDiagonalOutputs(const Kernel& kernel) {
  return withDiagonals(kernel, true);
}

}  // namespace gridloom::kernel
