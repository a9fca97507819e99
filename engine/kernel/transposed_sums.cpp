// SPDX-License-Identifier: Apache-2.0
#include "kernel/transposed_sums.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"
#include "kernel/undefined_zeros.h"

namespace gridloom::kernel {

using affine::LinearExpr;

std::set<std::size_t> sumEnds(const Statement& statement) {
  std::set<std::size_t> ends;
  for (const affine::Constraint& bound : statement.constraints) {
    for (const LoopId sum : statement.reductions) {
      const LinearExpr last = bound.expr + LinearExpr::dim(sum.index()) + LinearExpr::number(1);
      const auto& indices = statement.target.indices;
      const auto at = std::ranges::find(indices, last);
      if (at != indices.end() && isBareLoop(last))
        ends.insert(static_cast<std::size_t>(at - indices.begin()));
    }
  }
  return ends;
}

namespace {

/// Puts another output, with both indices exchanged, into the place of one.
class Transposition {
 public:
  explicit Transposition(const Kernel& kernel) : m_draft(kernel), m_cycles(kernel) {}

  std::optional<Kernel> run() {
    std::vector<std::set<std::size_t>> ends(m_draft.tensors.size());
    for (const Statement& statement : m_draft.statements)
      ends[statement.target.tensor.index()].merge(sumEnds(statement));
    bool changed = false;
    for (std::size_t t = 0; t < ends.size(); ++t) {
      const TensorId output = TensorId::of(t);
      if (ends[t] != std::set<std::size_t>{0} || !mayBeTransposed(output)) continue;
      bool another = false;
      for (std::size_t o = 0; o < ends.size(); ++o)
        another = another || (m_cycles.isBetween(output, TensorId::of(o)) && ends[o].contains(1));
      if (!another) continue;
      transpose(output);
      changed = true;
    }
    if (!changed) return std::nullopt;
    addUndefinedZeros(m_draft);
    return std::move(m_draft);
  }

 private:
  // A square output of which each statement has a loop for each index.
  bool mayBeTransposed(TensorId output) const {
    const Tensor& tensor = m_draft.tensor(output);
    const bool isSquare = tensor.shape.size() == 2 && tensor.shape[0] == tensor.shape[1];
    return tensor.role == TensorRole::Output && isSquare &&
           std::ranges::all_of(m_draft.statements,
                               [&](const Statement& s) {
                                 return s.target.tensor != output || mayBeExchanged(s);
                               }) &&
           std::ranges::any_of(m_draft.statements, [&](const Statement& s) {
             return s.target.tensor == output && hasLoopPerIndex(s);  // addCopy is like it
           });
  }

  bool mayBeExchanged(const Statement& statement) const {
    const std::vector<LoopId> loops = loopPerIndex(statement.target);
    return std::ranges::all_of(statement.target.indices, isBareLoop) &&
           (loops.empty() || m_draft.loop(loops[0]).extent == m_draft.loop(loops[1]).extent);
  }

  void transpose(TensorId output) {
    Tensor other = tensorLike(m_draft, m_draft.tensor(output), "_transposed");
    other.comments.clear();
    std::ranges::reverse(other.shapeSpelling);
    m_draft.tensors.push_back(std::move(other));
    const TensorId transposed = TensorId::of(m_draft.tensors.size() - 1);
    const auto exchanged = [&](Access& access) {
      if (access.tensor != output) return;
      access.tensor = transposed;
      std::ranges::reverse(access.indices);
      access.spelling.clear();
    };
    for (Statement& statement : m_draft.statements) {
      if (statement.target.tensor == output) exchangeLoops(statement);
      exchanged(statement.target);
      for (Access& read : statement.reads) exchanged(read);
    }
    addCopy(output, transposed);
  }

  // The statement with its two target loops exchanged, under their names.
  static void exchangeLoops(Statement& statement) {
    const std::vector<LoopId> loops = loopPerIndex(statement.target);
    if (loops.empty()) return;
    renumberLoops(statement, [&](LoopId loop) {
      return loop == loops[0] ? loops[1] : loop == loops[1] ? loops[0] : loop;
    });
    statement.constraintSpelling.clear();
  }

  // Behind the last statement that computes the transposed output.
  void addCopy(TensorId output, TensorId transposed) {
    std::vector<Statement>& all = m_draft.statements;
    const auto last = std::find_if(all.rbegin(), all.rend(), [&](const Statement& s) {
      return s.target.tensor == transposed;
    });
    const auto like = std::ranges::find_if(all, [&](const Statement& s) {
      return s.target.tensor == transposed && hasLoopPerIndex(s);
    });
    Access to = like->target;
    to.tensor = output;
    std::ranges::reverse(to.indices);
    Statement copy = copyOf(*like, std::move(to), transposed);
    copy.reads.front().indices = like->target.indices;
    base::Diagnostics errors;
    takeScope(m_draft, copy, errors);
    all.insert(last.base(), std::move(copy));
  }

  Kernel m_draft;
  TensorCycles m_cycles;
};

}  // namespace

std::optional<Kernel> withTransposedSums(const Kernel& kernel) {
  const TensorCycles cycles(kernel);
  return cycles.any() ? Transposition(kernel).run() : std::nullopt;
}

}  // namespace gridloom::kernel
