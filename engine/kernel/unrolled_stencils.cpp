// SPDX-License-Identifier: Apache-2.0
#include "kernel/unrolled_stencils.h"

#include <algorithm>
#include <utility>

#include "kernel/read_guards.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::Constraint;
using affine::LinearExpr;

// As in a stencil of 27 points.
constexpr std::int64_t kMostTerms = 27;
constexpr std::size_t kMostUnrolledNodes = 400;

// The operation between two terms of a reduction.
ExprOp stepOf(ExprOp reduction) {
  if (reduction == ExprOp::MaxReduce) return ExprOp::Max;
  if (reduction == ExprOp::MinReduce) return ExprOp::Min;
  return reduction == ExprOp::ProdReduce ? ExprOp::Mul : ExprOp::Add;
}

class StencilUnroller {
 public:
  StencilUnroller(const Kernel& kernel, const TensorCycles& cycles, const Statement& statement)
      : m_kernel(kernel),
        m_cycles(cycles),
        m_from(statement),
        m_domain(targetDomainOf(kernel, statement)) {
    for (std::size_t l = 0; l < kernel.loops.size(); ++l) m_values.push_back(LinearExpr::dim(l));
  }

  std::optional<Statement> run() {
    m_out = m_from;
    m_out.expr.clear();
    m_out.reads.clear();
    add(static_cast<std::int32_t>(m_from.expr.size()) - 1);
    if (!m_unrolled || isTooLarge()) return std::nullopt;
    return std::move(m_out);
  }

 private:
  bool isUnrolled(const ExprNode& node) const {
    if (!isReduction(node.op)) return false;
    std::int64_t terms = 1;
    for (const LoopId loop : node.loops) {
      const auto limits = [&](const auto& c) { return c.expr.dependsOn(loop.index()); };
      if (std::ranges::any_of(m_from.constraints, limits)) return false;
      terms *= std::min(m_kernel.loop(loop).extent, kMostTerms + 1);
    }
    return terms <= kMostTerms && readsNeighbours(node.lhs, node.loops);
  }

  // An element of the recurrence that lies so far from another as one of the loops says.
  bool readsNeighbours(std::int32_t n, const std::vector<LoopId>& loops) const {
    const ExprNode& node = nodeOf(m_from, n);
    if (node.op == ExprOp::Read) {
      const Access& read = m_from.reads[static_cast<std::size_t>(node.read)];
      return m_cycles.isBetween(read.tensor, m_from.target.tensor) &&
             std::ranges::any_of(read.indices, [&](const LinearExpr& index) {
               const auto isIn = [&](LoopId loop) { return index.dependsOn(loop.index()); };
               return std::ranges::any_of(loops, isIn) && !isBareLoop(index);
             });
    }
    return std::ranges::any_of(node.operands(), [&](std::int32_t operand) {
      return operand >= 0 && readsNeighbours(operand, loops);
    });
  }

  bool holdNowhere(std::vector<Constraint> all) const {
    affine::IntegerSet domain = m_domain;
    for (Constraint& c : all) {
      c.expr = affine::substituted(c.expr, m_values);
      domain.constraints.push_back(std::move(c));
    }
    return affine::isEmpty(domain);
  }

  bool holdEverywhere(const std::vector<Constraint>& all) const {
    const LinearExpr one = LinearExpr::number(1);
    return std::ranges::all_of(all, [&](const Constraint& c) {
      return holdNowhere({{c.expr * -1 - one}}) && (!c.equality || holdNowhere({{c.expr - one}}));
    });
  }

  // What a choice is in the present term, where that is the same for all elements: most terms of a
  // stencil that wraps around stay inside.
  std::int32_t decided(std::int32_t n) const {
    const ExprNode& node = nodeOf(m_from, n);
    if (node.op != ExprOp::Select) return n;
    for (const bool holds : {true, false}) {
      const auto limits = conditionOf(m_kernel, m_from, node.lhs, holds);
      if (!limits) continue;
      if (holdEverywhere(*limits)) return decided(holds ? node.rhs : node.other);
      if (holdNowhere(*limits)) return decided(holds ? node.other : node.rhs);
    }
    return n;
  }

  // The terms of a sum that are 0 add nothing.
  bool isLeftOut(const ExprNode& reduction) const {
    const ExprNode& term = nodeOf(m_from, decided(reduction.lhs));
    return reduction.op == ExprOp::Sum && term.op == ExprOp::Constant && term.constant == 0;
  }

  bool isTooLarge() const { return m_out.expr.size() > kMostUnrolledNodes; }

  // The place of a node's value; any place, once there are too many nodes.
  std::int32_t add(std::int32_t n) {
    if (isTooLarge()) return 0;
    if (m_unrolls > 0) n = decided(n);
    const ExprNode& node = nodeOf(m_from, n);
    if (isUnrolled(node)) return addReduction(node);
    ExprNode copy = node;
    for (std::int32_t* operand : {&copy.lhs, &copy.rhs, &copy.other}) {
      if (*operand >= 0) *operand = add(*operand);
    }
    if (node.op == ExprOp::Read) {
      copy.read = static_cast<std::int32_t>(m_out.reads.size());
      m_out.reads.push_back(
          withLoopsAt(m_from.reads[static_cast<std::size_t>(node.read)], m_values));
    }
    if (node.op == ExprOp::Index && m_values[node.loop.index()].isConstant()) {
      copy = {};
      copy.constant = static_cast<double>(m_values[node.loop.index()].constant);
    }
    m_out.expr.push_back(std::move(copy));
    return static_cast<std::int32_t>(m_out.expr.size()) - 1;
  }

  std::int32_t addReduction(const ExprNode& reduction) {
    m_unrolled = true;
    ++m_unrolls;
    std::int32_t total = -1;
    addTerms(reduction, 0, total);
    --m_unrolls;
    if (total >= 0) return total;
    m_out.expr.push_back({});  // 0
    return static_cast<std::int32_t>(m_out.expr.size()) - 1;
  }

  void addTerms(const ExprNode& reduction, std::size_t depth, std::int32_t& total) {
    if (depth == reduction.loops.size()) {
      if (isLeftOut(reduction)) return;
      const std::int32_t term = add(reduction.lhs);
      total = total < 0 ? term : addNode(m_out.expr, stepOf(reduction.op), total, term);
      return;
    }
    const LoopId loop = reduction.loops[depth];
    for (std::int64_t x = 0; x < m_kernel.loop(loop).extent && !isTooLarge(); ++x) {
      m_values[loop.index()] = LinearExpr::number(x);
      addTerms(reduction, depth + 1, total);
    }
    m_values[loop.index()] = LinearExpr::dim(loop.index());
  }

  const Kernel& m_kernel;
  const TensorCycles& m_cycles;
  const Statement& m_from;
  affine::IntegerSet m_domain;
  Statement m_out;
  std::vector<LinearExpr> m_values;  ///< per loop: its number in the present term, or itself
  int m_unrolls = 0;                 ///< reductions around the present term
  bool m_unrolled = false;
};

}  // namespace

std::optional<Kernel> withUnrolledStencils(const Kernel& kernel) {
  const TensorCycles cycles(kernel);
  if (!cycles.any()) return std::nullopt;
  Kernel draft = kernel;
  bool changed = false;
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    auto unrolled = StencilUnroller(kernel, cycles, kernel.statements[s]).run();
    if (!unrolled) continue;
    draft.statements[s] = *std::move(unrolled);
    base::Diagnostics errors;
    takeScope(draft, draft.statements[s], errors);
    changed = true;
  }
  if (!changed) return std::nullopt;
  eraseUnusedLoops(draft);
  return draft;
}

}  // namespace gridloom::kernel
