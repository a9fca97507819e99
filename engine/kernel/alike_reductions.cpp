// SPDX-License-Identifier: Apache-2.0
#include "kernel/alike_reductions.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"

namespace gridloom::kernel {

namespace {

// Larger kernels are not searched.
constexpr std::size_t kMostReductions = 64;

struct Place {
  std::size_t statement = 0;
  std::int32_t node = -1;
};

/// Compares two values but for the names of the loops that they reduce over.
class Comparison {
 public:
  Comparison(const Kernel& kernel, const Statement& first, const Statement& second)
      : m_kernel(kernel), m_first(first), m_second(second) {}

  bool isSame(std::int32_t a, std::int32_t b) {
    if (a < 0 || b < 0) return a == b;
    const ExprNode& one = nodeOf(m_first, a);
    const ExprNode& other = nodeOf(m_second, b);
    if (one.op != other.op || one.constant != other.constant) return false;
    if (!pairLoops(one.loops, other.loops)) return false;
    if (one.op == ExprOp::Index && one.loop != firstOf(other.loop)) return false;
    if (one.op == ExprOp::Read && !isSameRead(one.read, other.read)) return false;
    const auto ours = one.operands(), theirs = other.operands();
    for (std::size_t o = 0; o < ours.size(); ++o) {
      if (!isSame(ours[o], theirs[o])) return false;
    }
    return true;
  }

  /// The loop of the first value that a loop of the second one stands for.
  LoopId firstOf(LoopId loop) const {
    const auto found = m_loops.find(loop);
    return found == m_loops.end() ? loop : found->second;
  }

  /// Loops of the second value with another name than in the first.
  std::vector<LoopId> renamed() const {
    std::vector<LoopId> loops;
    for (const auto& [second, first] : m_loops) {
      if (second != first) loops.push_back(second);
    }
    return loops;
  }

 private:
  bool pairLoops(const std::vector<LoopId>& first, const std::vector<LoopId>& second) {
    if (first.size() != second.size()) return false;
    for (std::size_t l = 0; l < first.size(); ++l) {
      if (m_kernel.loop(first[l]).extent != m_kernel.loop(second[l]).extent) return false;
      m_loops[second[l]] = first[l];
    }
    return true;
  }

  bool isSameRead(std::int32_t a, std::int32_t b) const {
    Access read = m_second.reads[static_cast<std::size_t>(b)];
    renumberLoops(read, [this](LoopId loop) { return firstOf(loop); });
    return sameElement(m_first.reads[static_cast<std::size_t>(a)], read);
  }

  const Kernel& m_kernel;
  const Statement& m_first;
  const Statement& m_second;
  std::map<LoopId, LoopId> m_loops;
};

class AlikeReductions {
 public:
  explicit AlikeReductions(const Kernel& kernel) : m_draft(kernel) {}

  std::optional<Kernel> run() {
    std::size_t reductions = 0;
    for (const Statement& statement : m_draft.statements) {
      reductions += static_cast<std::size_t>(std::ranges::count_if(
          statement.expr, [](const ExprNode& node) { return isReduction(node.op); }));
    }
    if (reductions > kMostReductions) return std::nullopt;
    // A rename may make others equal that contain it: as many as are nested.
    std::size_t renames = 0;
    while (renames < reductions * reductions && (renameNext() || joinNext())) ++renames;
    if (renames == 0) return std::nullopt;
    eraseUnusedLoops(m_draft);
    return std::move(m_draft);
  }

 private:
  template <typename Visit> bool eachReduction(const Place& after, const Visit& visit) const {
    for (std::size_t s = after.statement; s < m_draft.statements.size(); ++s) {
      const auto nodes = static_cast<std::int32_t>(m_draft.statements[s].expr.size());
      for (std::int32_t n = s == after.statement ? after.node + 1 : 0; n < nodes; ++n) {
        if (isReduction(nodeOf(m_draft.statements[s], n).op) && visit(Place{s, n})) return true;
      }
    }
    return false;
  }

  // Changes a reduction by one before it. `change` says whether it did, or nothing where another
  // one is to be tried.
  template <typename Change> bool changeNext(const Change& change) {
    return eachReduction({}, [&](const Place& second) {
      std::optional<bool> changed;
      eachReduction({}, [&](const Place& first) {
        if (first.statement == second.statement && first.node == second.node) return true;
        changed = change(first, second);
        return changed.has_value();
      });
      return changed.value_or(false);
    });
  }

  // Only the first of equal reductions gives its names: two that may not have each other's would
  // take turns with a third.
  bool renameNext() {
    return changeNext([this](const Place& first, const Place& second) -> std::optional<bool> {
      Comparison same(m_draft, m_draft.statements[first.statement],
                      m_draft.statements[second.statement]);
      if (!same.isSame(first.node, second.node)) return std::nullopt;
      return rename(first, second);
    });
  }

  // Sums of one element over equally many terms are tiled together.
  bool joinNext() {
    return changeNext([this](const Place& first, const Place& second) {
      return join(first, second) ? std::optional(true) : std::nullopt;
    });
  }

  bool rename(const Place& first, const Place& second) {
    const Statement& one = m_draft.statements[first.statement];
    Statement& other = m_draft.statements[second.statement];
    Comparison same(m_draft, one, other);
    if (!same.isSame(first.node, second.node)) return false;
    const std::vector<LoopId> gone = same.renamed();
    const auto map = [&](LoopId loop) { return same.firstOf(loop); };
    if (gone.empty() || !areFree(second, gone, map)) return false;
    if (!haveSameBounds(one, other, gone, map)) return false;
    renumber(other, second.node, map);
    takeBounds(other, gone, map);
    return true;
  }

  bool join(const Place& first, const Place& second) {
    const Statement& one = m_draft.statements[first.statement];
    Statement& other = m_draft.statements[second.statement];
    if (first.statement != second.statement && !isElementOf(one, other)) return false;
    const std::vector<LoopId>& kept = nodeOf(one, first.node).loops;
    const std::vector<LoopId> gone = nodeOf(other, second.node).loops;
    if (!isWholeSum(one, first.node) || !isWholeSum(other, second.node) || kept == gone ||
        !haveSameExtents(kept, gone)) {
      return false;
    }
    const std::vector<LoopId> names = kept;
    const auto map = [&](LoopId loop) {
      const auto at = std::ranges::find(gone, loop);
      return at == gone.end() ? loop : names[static_cast<std::size_t>(at - gone.begin())];
    };
    if (!areFree(second, gone, map)) return false;
    renumber(other, second.node, map);
    takeBounds(other, gone, map);
    return true;
  }

  bool haveSameExtents(const std::vector<LoopId>& a, const std::vector<LoopId>& b) const {
    return std::ranges::equal(
        a, b, {}, [&](LoopId loop) { return m_draft.loop(loop).extent; },
        [&](LoopId loop) { return m_draft.loop(loop).extent; });
  }

  // A sum that is in no other reduction and that `where` does not limit.
  static bool isWholeSum(const Statement& statement, std::int32_t n) {
    const ExprNode& node = nodeOf(statement, n);
    return node.op == ExprOp::Sum &&
           enclosingReductions(statement)[static_cast<std::size_t>(n)].empty() &&
           std::ranges::none_of(statement.constraints,
                                [&](const affine::Constraint& c) { return names(c, node.loops); });
  }

  // Whether the first statement defines a local of which the second one reads the element of its
  // own indices alone.
  bool isElementOf(const Statement& first, const Statement& second) const {
    if (m_draft.tensor(first.target.tensor).role != TensorRole::Local) return false;
    bool any = false;
    for (const Access& read : second.reads) {
      if (read.tensor != first.target.tensor) continue;
      any = true;
      if (read.indices != first.target.indices) return false;
    }
    return any && first.target.indices == second.target.indices;
  }

  static bool names(const affine::Constraint& constraint, const std::vector<LoopId>& loops) {
    return std::ranges::any_of(
        loops, [&](LoopId loop) { return constraint.expr.dependsOn(loop.index()); });
  }

  // What `where` says of some loops, with others in their place.
  static std::vector<affine::Constraint>
  boundsOf(const Statement& statement, const std::vector<LoopId>& loops, const LoopMap& map) {
    std::vector<affine::Constraint> bounds;
    for (affine::Constraint c : statement.constraints) {
      if (!names(c, loops)) continue;
      c.expr = renumbered(c.expr, map);
      bounds.push_back(std::move(c));
    }
    return bounds;
  }

  // Whether `where` says the same of the first loops and of those that they replace, also where the
  // second statement has the first loops already.
  static bool haveSameBounds(const Statement& one, const Statement& other,
                             const std::vector<LoopId>& gone, const LoopMap& map) {
    const auto same = [](LoopId loop) { return loop; };
    std::vector<LoopId> kept;
    for (const LoopId loop : gone) kept.push_back(map(loop));
    const auto theirs = boundsOf(other, gone, map);
    const bool hasKept =
        std::ranges::any_of(kept, [&](LoopId loop) { return contains(other.reductions, loop); });
    return boundsOf(one, kept, same) == theirs &&
           (!hasKept || boundsOf(other, kept, same) == theirs);
  }

  // Bounds of loops that the statement has no more go; those of their successors come.
  void takeBounds(Statement& statement, const std::vector<LoopId>& gone, const LoopMap& map) {
    for (affine::Constraint& bound : boundsOf(statement, gone, map)) {
      if (std::ranges::find(statement.constraints, bound) == statement.constraints.end())
        statement.constraints.push_back(std::move(bound));
    }
    std::vector<LoopId> left = gone;
    std::erase_if(left, [&](LoopId loop) {
      return std::ranges::any_of(statement.expr,
                                 [&](const ExprNode& node) { return contains(node.loops, loop); });
    });
    std::erase_if(statement.constraints,
                  [&](const affine::Constraint& bound) { return names(bound, left); });
    statement.constraintSpelling.clear();
    base::Diagnostics errors;
    takeScope(m_draft, statement, errors);
  }

  // Whether the statement may reduce over the first loops there: no loop around is one of them, and
  // it has no other bounds for them.
  bool areFree(const Place& at, const std::vector<LoopId>& gone, const LoopMap& map) const {
    const Statement& statement = m_draft.statements[at.statement];
    const auto around = enclosingReductions(statement)[static_cast<std::size_t>(at.node)];
    return std::ranges::all_of(gone, [&](LoopId loop) {
      const LoopId kept = map(loop);
      const bool isReduced = contains(statement.reductions, kept);
      return !contains(around, kept) && (isReduced || !contains(statement.loops, kept));
    });
  }

  static void renumber(Statement& statement, std::int32_t n, const LoopMap& map) {
    ExprNode& node = statement.expr[static_cast<std::size_t>(n)];
    renumberLoops(node, map);
    if (node.op == ExprOp::Read) {
      renumberLoops(statement.reads[static_cast<std::size_t>(node.read)], map);
    }
    for (const std::int32_t operand : node.operands()) {
      if (operand >= 0) renumber(statement, operand, map);
    }
  }

  Kernel m_draft;
};

}  // namespace

std::optional<Kernel> withAlikeReductions(const Kernel& kernel) {
  return AlikeReductions(kernel).run();
}

}  // namespace gridloom::kernel
