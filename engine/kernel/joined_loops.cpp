// SPDX-License-Identifier: Apache-2.0
#include "kernel/joined_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "kernel/tile_nest.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

/// Two loops of different statements; `second` is replaced by `first`.
struct LoopPair {
  LoopId first;
  LoopId second;
};

// `second` becomes `first`, and the loops behind it move up.
class LoopJoin {
 public:
  LoopJoin(Kernel& kernel, LoopPair pair) : m_kernel(kernel), m_pair(pair) {}

  void run() {
    for (Statement& statement : m_kernel.statements) {
      statement.constraintSpelling = spellingsOf(m_kernel, statement);
    }
    limit(m_pair.first, m_pair.second);
    limit(m_pair.second, m_pair.first);
    for (Statement& statement : m_kernel.statements) join(statement);
    const auto at = static_cast<std::ptrdiff_t>(m_pair.second.index());
    m_kernel.loops.erase(m_kernel.loops.begin() + at);
  }

 private:
  // Statements of the loop with fewer steps keep to them; the loop takes those of the other one.
  void limit(LoopId shorter, LoopId longer) {
    const std::int64_t steps = m_kernel.loop(shorter).extent;
    if (steps >= m_kernel.loop(longer).extent) return;
    const LinearExpr last = LinearExpr::number(steps - 1) - LinearExpr::dim(shorter.index());
    for (Statement& statement : m_kernel.statements) {
      if (!contains(statement.loops, shorter)) continue;
      statement.constraints.push_back({last});
      statement.constraintSpelling.push_back(
          fmt::format("{} < {}", m_kernel.loop(shorter).name, steps));
    }
    const Loop& more = m_kernel.loop(longer);
    Loop& joined = m_kernel.loops[shorter.index()];
    joined.extent = more.extent;
    joined.declared = more.declared;
    joined.declaredSpelling = more.declaredSpelling;
  }

  LoopId moved(LoopId loop) const {
    if (loop == m_pair.second) return moved(m_pair.first);
    return loop.index() > m_pair.second.index() ? LoopId::of(loop.index() - 1) : loop;
  }

  void join(Statement& statement) const {
    join(statement.target);
    for (Access& read : statement.reads) join(read);
    for (affine::Constraint& constraint : statement.constraints) join(constraint.expr);
    for (LoopId& loop : statement.loops) loop = moved(loop);
    for (LoopId& loop : statement.reductions) loop = moved(loop);
    for (ExprNode& node : statement.expr) {
      if (node.op == ExprOp::Index) node.loop = moved(node.loop);
      for (LoopId& loop : node.loops) loop = moved(loop);
    }
  }

  void join(Access& access) const {
    for (LinearExpr& index : access.indices) join(index);
    for (IndexRead& index : access.gathers) join(index.access);
    access.spelling.clear();
  }

  void join(LinearExpr& expr) const {
    LinearExpr joined = LinearExpr::number(expr.constant);
    for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
      if (expr.dependsOn(l)) {
        joined = joined + LinearExpr::dim(moved(LoopId::of(l)).index(), expr.coefficient(l));
      }
    }
    expr = std::move(joined);
  }

  Kernel& m_kernel;
  LoopPair m_pair;
};

bool runTogether(const Kernel& kernel, LoopId a, LoopId b) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return contains(statement.loops, a) && contains(statement.loops, b);
  });
}

// Whether the loops take the same steps along an index of an output: all of them, or, where each is
// the whole index, those of the longer one as far as the other goes.
bool stepAlike(const Kernel& kernel, const LinearExpr& a, const LinearExpr& b, LoopId one,
               LoopId other) {
  if (a.coefficient(one.index()) != b.coefficient(other.index())) return false;
  return kernel.loop(one).extent == kernel.loop(other).extent || (isBareLoop(a) && isBareLoop(b));
}

// A loop of each index, if they step alike.
std::optional<LoopPair> pairOf(const Kernel& kernel, const LinearExpr& a, const LinearExpr& b) {
  for (std::size_t x = 0; x < a.coefficients.size(); ++x) {
    for (std::size_t y = 0; y < b.coefficients.size(); ++y) {
      const LoopId one = LoopId::of(x), other = LoopId::of(y);
      if (x == y || !a.dependsOn(x) || !stepAlike(kernel, a, b, one, other)) continue;
      if (!runTogether(kernel, one, other)) {
        return LoopPair{std::min(one, other), std::max(one, other)};
      }
    }
  }
  return std::nullopt;
}

std::optional<LoopPair> pairIn(const Kernel& kernel) {
  for (const Statement& one : kernel.statements) {
    if (kernel.tensor(one.target.tensor).role != TensorRole::Output) continue;
    for (const Statement& other : kernel.statements) {
      if (other.target.tensor != one.target.tensor) continue;
      for (std::size_t d = 0; d < one.target.indices.size(); ++d) {
        const auto pair = pairOf(kernel, one.target.indices[d], other.target.indices[d]);
        if (pair) return pair;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Kernel joinLoops(Kernel kernel) {
  while (const auto pair = pairIn(kernel)) LoopJoin(kernel, *pair).run();
  return kernel;
}

std::optional<Kernel> withJoinedLoops(const Kernel& kernel) {
  Kernel draft = joinLoops(kernel);
  if (draft.loops.size() == kernel.loops.size()) return std::nullopt;
  const auto before = tileNest(kernel), after = tileNest(draft);
  if (!after || (before && after->whole.size() >= before->whole.size())) return std::nullopt;
  return draft;
}

std::optional<LoopId> joinedLoop(const Kernel& kernel, std::string_view name) {
  const std::vector<Loop>& loops = kernel.asWritten().loops;
  const auto at = std::ranges::find(loops, name, &Loop::name);
  if (at == loops.end() || std::ranges::find(kernel.loops, name, &Loop::name) != kernel.loops.end())
    return std::nullopt;
  const auto loop = static_cast<std::size_t>(at - loops.begin());
  for (const Statement& before : kernel.asWritten().statements) {
    const auto after = std::ranges::find_if(kernel.statements, [&](const Statement& s) {
      return s.span.begin == before.span.begin &&
             s.target.indices.size() == before.target.indices.size();
    });
    if (after == kernel.statements.end()) continue;
    for (std::size_t d = 0; d < before.target.indices.size(); ++d) {
      if (!before.target.indices[d].dependsOn(loop)) continue;
      const std::vector<LoopId> now = loopsOf({{}, {after->target.indices[d]}, {}, {}, {}});
      if (now.size() == 1) return now.front();
    }
  }
  return std::nullopt;
}

}  // namespace gridloom::kernel
