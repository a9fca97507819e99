// SPDX-License-Identifier: Apache-2.0
#include "kernel/loop_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;

bool isAllReduce(const Loops& a, const Loops& b) {
  return std::ranges::any_of(a, [&](LoopId loop) { return contains(b, loop); });
}

class Shares {
 public:
  Shares(const Kernel& kernel, const Loops& candidates, const NestStructure& structure)
      : m_kernel(kernel), m_candidates(candidates), m_structure(structure) {}

  /// Why cores cannot take shares of a loop; nothing when they can.
  std::optional<std::string> obstacle(LoopId loop) const {
    if (!m_structure.inner.empty()) {
      return fmt::format("tiles of {} follow each other beside it",
                         m_kernel.loop(m_structure.inner.front()).name);
    }
    if (m_kernel.loop(loop).kind == LoopKind::Sequential) {
      return fmt::format("something runs along {}", m_kernel.loop(loop).name);
    }
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (auto reason = obstacleIn(s, loop)) return reason;
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> obstacleIn(std::size_t s, LoopId loop) const {
    const Statement& statement = m_kernel.statements[s];
    const Tensor& target = m_kernel.tensor(statement.target.tensor);
    const std::string& name = m_kernel.loop(loop).name;
    if (!statement.constraints.empty()) {
      return fmt::format("the domain of `{}` is bounded", target.name);
    }
    const bool reduces = contains(statement.reductions, loop);
    if (target.role == TensorRole::Output && !contains(targetLoops(statement), loop)) {
      return fmt::format("output `{}` {} {}", target.name,
                         reduces ? "is reduced over" : "does not run over", name);
    }
    if (!reduces) return std::nullopt;
    const auto again = std::ranges::count_if(m_kernel.statements, [&](const Statement& other) {
      return other.target.tensor == statement.target.tensor;
    });
    if (again > 1) return fmt::format("several statements define `{}`", target.name);
    // A value that every core reduces in full would count once per core.
    for (const std::size_t n : outermostReductions(statement, m_candidates)) {
      if (contains(statement.expr[n].loops, loop)) continue;
      return fmt::format("`{}` also reduces what {} has no part in", target.name, name);
    }
    // A nested reduction would need an all-reduce for each element of the outer one.
    const auto under = enclosingReductions(statement);
    for (std::size_t n = 0; n < under.size(); ++n) {
      if (under[n].empty() || !isAllReduce(statement.expr[n].loops, m_candidates)) continue;
      return fmt::format("`{}` reduces inside of another reduction", target.name);
    }
    return std::nullopt;
  }

  const Kernel& m_kernel;
  const Loops& m_candidates;
  const NestStructure& m_structure;
};

}  // namespace

VectorFn joinFn(ExprOp reduction) {
  if (reduction == ExprOp::Sum) return VectorFn::Add;
  return reduction == ExprOp::ProdReduce ? VectorFn::Mul : VectorFn::Max;
}

std::vector<std::size_t> outermostReductions(const Statement& statement, const Loops& loops) {
  std::vector<std::size_t> found;
  std::vector<std::int32_t> open{static_cast<std::int32_t>(statement.expr.size()) - 1};
  while (!open.empty()) {
    const std::int32_t n = open.back();
    open.pop_back();
    if (n < 0) continue;
    const ExprNode& node = statement.expr[static_cast<std::size_t>(n)];
    if (isAllReduce(node.loops, loops)) {
      found.push_back(static_cast<std::size_t>(n));
      continue;
    }
    for (const std::int32_t operand : node.operands()) open.push_back(operand);
  }
  std::ranges::sort(found);
  return found;
}

bool doesMoreThanSum(const Statement& statement, const Loops& loops) {
  const std::vector<std::size_t> sums = outermostReductions(statement, loops);
  return sums.size() > 1 || (!sums.empty() && sums.front() + 1 < statement.expr.size());
}

void findShares(const Kernel& kernel, const Loops& candidates, NestStructure& structure) {
  const Shares shares(kernel, candidates, structure);
  Loops dealt;
  for (TileNest::Whole& whole : structure.whole) {
    if (!contains(candidates, whole.loop)) continue;
    if (const auto obstacle = shares.obstacle(whole.loop)) {
      whole.noShares = *obstacle;
    } else {
      whole.inShares = true;
      dealt.push_back(whole.loop);
    }
  }
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    const Statement& statement = kernel.statements[s];
    if (!isAllReduce(statement.reductions, dealt)) continue;
    const Tensor& target = kernel.tensor(statement.target.tensor);
    AllReduce& reduce = structure.allReduces.emplace_back();
    reduce.statement = StatementId::of(s);
    reduce.tensor = statement.target.tensor;
    reduce.name = target.name;
    reduce.dtype = target.dtype;
    std::ranges::copy_if(statement.reductions, std::back_inserter(reduce.over),
                         [&](LoopId loop) { return contains(dealt, loop); });
    reduce.loops = targetLoops(statement);
    std::ranges::sort(reduce.loops);
    for (const std::size_t n : outermostReductions(statement, dealt)) {
      reduce.joins.push_back(statement.expr[n].op);
      TileOp& op = reduce.ops.emplace_back();
      op.statement = reduce.statement;
      op.fn = joinFn(statement.expr[n].op);
      op.loops = reduce.loops;
      op.useful = false;
    }
  }
}

}  // namespace gridloom::kernel
