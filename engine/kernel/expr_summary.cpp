// SPDX-License-Identifier: Apache-2.0
#include "kernel/expr_summary.h"

#include <algorithm>
#include <cmath>

namespace gridloom::kernel {

ExprSummary::ExprSummary(const Statement& statement)
    : m_statement(statement),
      m_loops(statement.expr.size()),
      m_computed(statement.expr.size()),
      m_recurs(statement.expr.size()) {
  for (std::size_t n = 0; n < statement.expr.size(); ++n) summarise(n);
}

// Integer arithmetic on loops costs as little as that of addresses.
bool ExprSummary::isIndexSum(std::size_t n) const {
  const ExprNode& at = m_statement.expr[n];
  if (at.op == ExprOp::Constant) return at.constant == std::floor(at.constant);
  if (isLeaf(at.op)) return at.op == ExprOp::Index;
  const bool whole = at.op == ExprOp::Neg || at.op == ExprOp::Add || at.op == ExprOp::Sub ||
                     at.op == ExprOp::Mul || at.op == ExprOp::FloorDiv || at.op == ExprOp::Mod;
  return whole && std::ranges::all_of(at.operands(), [&](std::int32_t child) {
           return child < 0 || isIndexSum(static_cast<std::size_t>(child));
         });
}

void ExprSummary::summarise(std::size_t n) {
  const ExprNode& at = m_statement.expr[n];
  Loops loops;
  if (at.op == ExprOp::Read) {
    const Access& read = m_statement.reads[static_cast<std::size_t>(at.read)];
    loops = kernel::loopsOf(read);
    m_computed[n] = true;
    m_recurs[n] = read.tensor == m_statement.target.tensor;
  }
  if (at.op == ExprOp::Index) loops = {at.loop};
  for (const std::int32_t child : at.operands()) {
    if (child < 0) continue;
    loops = unite(loops, loopsOf(child));
    m_computed[n] = m_computed[n] || isComputed(child);
    m_recurs[n] = m_recurs[n] || m_recurs[static_cast<std::size_t>(child)];
  }
  m_computed[n] = m_computed[n] || (!isLeaf(at.op) && !loops.empty() && !isIndexSum(n));
  m_loops[n] = without(sorted(std::move(loops)), at.loops);
}

}  // namespace gridloom::kernel
