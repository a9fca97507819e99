// SPDX-License-Identifier: Apache-2.0
#include "kernel/local_state.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kernel/copies.h"
#include "kernel/dependences.h"
#include "kernel/initial_reads.h"
#include "kernel/output_rows.h"
#include "kernel/statement_order.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

TensorId addState(Kernel& kernel, TensorId output) {
  Tensor state = tensorLike(kernel, kernel.tensor(output), "_state");
  state.role = TensorRole::Local;
  state.comments.clear();
  if (!state.initial) state.initial = 0;
  kernel.tensors[output.index()].initial.reset();
  kernel.tensors.push_back(std::move(state));
  return TensorId::of(kernel.tensors.size() - 1);
}

Statement copyOfState(const Kernel& kernel, TensorId output, TensorId state) {
  const auto like = std::ranges::find_if(kernel.statements, [&](const Statement& s) {
    return s.target.tensor == state && hasLoopPerIndex(s);
  });
  Access to = like->target;
  to.tensor = output;
  return copyOf(*like, std::move(to), state);
}

/// Puts state in the place of outputs that need each other.
class StateMaker {
 public:
  StateMaker(const Kernel& kernel, Diagonals diagonals)
      : m_draft(kernel), m_cycles(kernel), m_diagonals(diagonals) {}

  std::optional<Kernel> run() {
    const std::size_t tensors = m_draft.tensors.size();
    for (std::size_t t = 0; t < tensors; ++t) {
      const TensorId output = TensorId::of(t);
      m_stateOf.emplace_back();
      const bool isOutput = m_draft.tensor(output).role == TensorRole::Output;
      if (!isOutput || !m_cycles.isBetween(output, output)) continue;
      if (!placeRows(m_draft, output, m_diagonals)) return std::nullopt;
      m_stateOf.back() = addState(m_draft, output);
    }
    if (m_draft.tensors.size() == tensors) return std::nullopt;
    renameStatements();
    // State is computed index by index, by one statement after the other.
    sortStatements(m_draft);
    addCopies();
    for (const TensorId state : m_stateOf) {
      if (state.valid()) readInitialValue(m_draft, state);
    }
    return runsInOrder(m_draft) ? std::optional(std::move(m_draft)) : std::nullopt;
  }

 private:
  TensorId stateOf(TensorId tensor) const {
    return tensor.index() < m_stateOf.size() ? m_stateOf[tensor.index()] : TensorId();
  }

  void renameStatements() {
    for (Statement& statement : m_draft.statements) {
      for (Access& read : statement.reads) {
        if (stateOf(read.tensor).valid()) read.tensor = stateOf(read.tensor);
      }
      const TensorId state = stateOf(statement.target.tensor);
      if (state.valid()) statement.target.tensor = state;
    }
  }

  // Each behind the last statement that computes its state.
  void addCopies() {
    for (std::size_t t = 0; t < m_stateOf.size(); ++t) {
      const TensorId state = m_stateOf[t];
      if (!state.valid()) continue;
      std::vector<Statement>& all = m_draft.statements;
      const auto last = std::ranges::find(all.rbegin(), all.rend(), state,
                                          [](const Statement& s) { return s.target.tensor; });
      all.insert(last.base(), copyOfState(m_draft, TensorId::of(t), state));
    }
  }

  Kernel m_draft;
  TensorCycles m_cycles;
  Diagonals m_diagonals;
  std::vector<TensorId> m_stateOf;  ///< per tensor of the kernel; invalid: none
};

}  // namespace

bool hasStepsInParallel(const Kernel& kernel) {
  const TensorCycles cycles(kernel);
  if (!cycles.any()) return true;
  std::vector<bool> carriesAll(kernel.loops.size(), true);
  for (const FlowDependence& flow : flowDependences(kernel)) {
    const TensorId from = kernel.statements[flow.writer.index()].target.tensor;
    const TensorId to = kernel.statements[flow.reader.index()].target.tensor;
    if (!cycles.isBetween(from, to)) continue;
    for (std::size_t l = 0; l < carriesAll.size(); ++l) {
      const auto& least = flow.distance.perLoop[l].min;
      carriesAll[l] = carriesAll[l] && least && *least >= 1;
    }
  }
  return std::ranges::find(carriesAll, true) != carriesAll.end();
}

std::optional<Kernel> withLocalState(const Kernel& kernel, Diagonals diagonals) {
  return StateMaker(kernel, diagonals).run();
}

}  // namespace gridloom::kernel
