// SPDX-License-Identifier: Apache-2.0
#include "kernel/sums_apart.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/loop_sets.h"
#include "kernel/loop_shares.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

class SumsApart {
 public:
  explicit SumsApart(const Kernel& kernel) : m_kernel(kernel) {}

  std::optional<Kernel> run() const {
    if (TensorCycles(m_kernel).any()) return std::nullopt;
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      if (!hasLoopPerIndex(statement) || hasChoices(statement)) continue;
      const auto sums = outermostReductions(statement, statement.reductions);
      for (std::size_t n = 1; n < sums.size(); ++n) {
        if (isAlone(statement, sums, sums[n]) && mayPart(statement, sums.front(), sums[n]))
          return parted(s, sums.front(), sums[n]);
      }
    }
    return std::nullopt;
  }

 private:
  // What is not chosen is not read.
  static bool hasChoices(const Statement& statement) {
    return std::ranges::any_of(statement.expr,
                               [](const ExprNode& node) { return node.op == ExprOp::Select; });
  }

  static bool names(const affine::Constraint& limit, const Loops& loops) {
    return std::ranges::any_of(loops, [&](LoopId l) { return limit.expr.dependsOn(l.index()); });
  }

  // All loops that are reduced in an outermost reduction; its own come first.
  static Loops reducedIn(const Statement& statement, std::size_t sum) {
    Loops loops = statement.expr[sum].loops;
    for (const std::int32_t n : nodesBelow(statement, statement.expr[sum].lhs)) {
      const Loops& inner = nodeOf(statement, n).loops;
      loops.insert(loops.end(), inner.begin(), inner.end());
    }
    return loops;
  }

  // Whether no other reduction runs over its loops: their limits leave with it.
  static bool isAlone(const Statement& statement, const std::vector<std::size_t>& sums,
                      std::size_t sum) {
    const Loops own = reducedIn(statement, sum);
    return std::ranges::all_of(sums, [&](std::size_t other) {
      return other == sum || common(reducedIn(statement, other), own).empty();
    });
  }

  bool mayPart(const Statement& statement, std::size_t first, std::size_t second) const {
    const Loops one = reducedIn(statement, first), other = reducedIn(statement, second);
    const auto extent = [&](LoopId loop) { return m_kernel.loop(loop).extent; };
    if (!common(one, other).empty() || !std::ranges::equal(one, other, {}, extent, extent))
      return false;
    const auto limits = [&](const Loops& loops) {
      return std::ranges::any_of(statement.constraints,
                                 [&](const auto& limit) { return names(limit, loops); });
    };
    const bool areJoined = std::ranges::any_of(statement.constraints, [&](const auto& limit) {
      return names(limit, one) && names(limit, other);
    });
    return !areJoined && (limits(one) || limits(other));
  }

  Kernel parted(std::size_t s, std::size_t first, std::size_t second) const {
    Kernel draft = m_kernel;
    Statement& rest = draft.statements[s];
    const Loops own = reducedIn(rest, second), mates = reducedIn(rest, first);
    Tensor local = tensorLike(m_kernel, m_kernel.tensor(rest.target.tensor), "_sum");
    local.role = TensorRole::Local;
    Statement part = rest;
    part.target.tensor = TensorId::of(draft.tensors.size());
    draft.tensors.push_back(std::move(local));
    part.expr.resize(second + 1);
    replaceNodes(part, std::vector<std::int32_t>(part.expr.size(), -1));
    dropUnusedReads(part);
    Loops others = rest.reductions;
    std::erase_if(others, [&](LoopId loop) { return contains(own, loop); });
    std::erase_if(part.constraints, [&](const auto& limit) { return names(limit, others); });
    std::erase_if(rest.constraints, [&](const auto& limit) { return names(limit, own); });
    part.constraintSpelling.clear();
    rest.constraintSpelling.clear();
    renumberLoops(part, [&](LoopId loop) {
      const auto at = std::ranges::find(own, loop) - own.begin();
      return at < std::ssize(own) ? mates[static_cast<std::size_t>(at)] : loop;
    });
    readInstead(rest, second, part.target);
    draft.statements.insert(draft.statements.begin() + static_cast<std::ptrdiff_t>(s),
                            std::move(part));
    base::Diagnostics errors;
    for (Statement& statement : draft.statements) takeScope(draft, statement, errors);
    eraseUnusedLoops(draft);
    return draft;
  }

  static void readInstead(Statement& statement, std::size_t node, const Access& element) {
    ExprNode read;
    read.op = ExprOp::Read;
    read.read = static_cast<std::int32_t>(statement.reads.size());
    statement.reads.push_back(element);
    statement.expr[node] = std::move(read);
    replaceNodes(statement, std::vector<std::int32_t>(statement.expr.size(), -1));
    dropUnusedReads(statement);
  }

  const Kernel& m_kernel;
};

}  // namespace

std::optional<Kernel> withSumsApart(const Kernel& kernel) { return SumsApart(kernel).run(); }

}  // namespace gridloom::kernel
