// SPDX-License-Identifier: Apache-2.0
#include "kernel/shifted_targets.h"

#include <algorithm>
#include <string>
#include <vector>

#include "kernel/copies.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;
using Nodes = std::vector<ExprNode>;

/// The index `loop + by` of a target, in a dimension of so many elements.
struct Shift {
  LoopId loop;
  std::int64_t by = 0;
  std::int64_t extent = 0;
};

std::optional<Shift> shiftOf(const Kernel& kernel, const Statement& statement) {
  const Access& target = statement.target;
  for (std::size_t d = 0; d < target.indices.size(); ++d) {
    const LinearExpr& index = target.indices[d];
    if (index.constant <= 0 || !isBareLoop(index - LinearExpr::number(index.constant))) continue;
    for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
      if (!index.dependsOn(l)) continue;
      const std::int64_t extent = kernel.tensor(target.tensor).shape[d];
      return Shift{LoopId::of(l), index.constant, extent};
    }
  }
  return std::nullopt;
}

class TargetShifter {
 public:
  explicit TargetShifter(const Kernel& kernel) : m_kernel(kernel), m_draft(kernel) {}

  std::optional<Kernel> run() {
    const TensorCycles cycles(m_kernel);
    bool changed = false;
    for (std::size_t s = 0; s < m_draft.statements.size(); ++s) {
      const TensorId target = m_draft.statements[s].target.tensor;
      if (!cycles.isBetween(target, target)) continue;
      while (const auto shift = shiftOf(m_draft, m_draft.statements[s])) {
        apply(m_draft.statements[s], *shift);
        changed = true;
      }
    }
    if (!changed) return std::nullopt;
    eraseUnusedLoops(m_draft);
    takeNamesBack();
    return std::move(m_draft);
  }

 private:
  // A loop over the whole dimension: the same one, where it is as long.
  LoopId loopOver(const Shift& shift) {
    const Loop loop = m_draft.loop(shift.loop);
    if (loop.extent >= shift.extent) return shift.loop;
    const auto isIts = [&](const Longer& longer) {
      return longer.name == loop.name && m_draft.loop(longer.loop).extent == shift.extent;
    };
    const auto known = std::ranges::find_if(m_longer, isIts);
    if (known != m_longer.end()) return known->loop;
    Loop longer = loop;
    longer.name = freeName(m_draft, loop.name);
    longer.extent = longer.declared = shift.extent;
    longer.declaredSpelling.clear();
    m_longer.push_back({loop.name, longer.name, LoopId::of(m_draft.loops.size())});
    m_draft.loops.push_back(std::move(longer));
    return m_longer.back().loop;
  }

  void apply(Statement& statement, const Shift& shift) {
    const std::int64_t steps = m_draft.loop(shift.loop).extent;
    const LoopId loop = loopOver(shift);
    const LinearExpr before = LinearExpr::dim(loop.index()) - LinearExpr::number(shift.by);
    std::vector<LinearExpr> values;
    for (std::size_t l = 0; l < m_draft.loops.size(); ++l) values.push_back(LinearExpr::dim(l));
    values[shift.loop.index()] = before;
    statement.target = withLoopsAt(std::move(statement.target), values);
    for (Access& read : statement.reads) read = withLoopsAt(std::move(read), values);
    for (affine::Constraint& bound : statement.constraints)
      bound.expr = affine::substituted(bound.expr, values);
    statement.constraintSpelling.clear();
    statement.constraints.push_back({before});
    const std::int64_t last = m_draft.loop(loop).extent - 1 - shift.by;
    if (steps - 1 < last) statement.constraints.push_back({LinearExpr::number(steps - 1) - before});
    shiftValues(statement, shift, loop);
    base::Diagnostics errors;
    takeScope(m_draft, statement, errors);
  }

  // Where the loop itself is a value.
  static void shiftValues(Statement& statement, const Shift& shift, LoopId loop) {
    rebuildExpression(statement, [&](ExprNode node, Nodes& nodes) {
      const bool isValue = node.op == ExprOp::Index && node.loop == shift.loop;
      if (isValue) node.loop = loop;
      const std::int32_t place = addNode(nodes, std::move(node));
      if (!isValue) return place;
      const std::int32_t by = addNode(nodes, ExprOp::Constant);
      nodes.back().constant = static_cast<double>(shift.by);
      return addNode(nodes, ExprOp::Sub, place, by);
    });
  }

  // The longer loop has the name that was written, unless the shorter one is still there.
  void takeNamesBack() {
    for (Loop& loop : m_draft.loops) {
      const auto added = std::ranges::find(m_longer, loop.name, &Longer::free);
      if (added == m_longer.end()) continue;
      const auto isIts = [&](const Loop& other) { return other.name == added->name; };
      if (std::ranges::none_of(m_draft.loops, isIts)) loop.name = added->name;
    }
  }

  /// A loop that was added for a shorter one of the name.
  struct Longer {
    std::string name, free;
    LoopId loop;
  };

  const Kernel& m_kernel;
  Kernel m_draft;
  std::vector<Longer> m_longer;
};

}  // namespace

std::optional<Kernel> withShiftedTargets(const Kernel& kernel) {
  return TargetShifter(kernel).run();
}

}  // namespace gridloom::kernel
