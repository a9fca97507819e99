// SPDX-License-Identifier: Apache-2.0
#include "kernel/read_guards.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "kernel/loop_values.h"

namespace gridloom::kernel {

namespace {

using affine::Constraint;
using affine::LinearExpr;

class GuardReader {
 public:
  GuardReader(const Statement& statement, std::size_t read)
      : m_statement(statement), m_read(static_cast<std::int32_t>(read)) {}

  // What the condition says, if guards can say all of it.
  std::optional<ReadGuards> all(std::int32_t condition, bool holds) {
    addCondition(condition, holds);
    return m_more ? std::nullopt : std::optional(std::move(m_guards));
  }

  ReadGuards run() {
    const auto reads = std::ranges::count(m_statement.expr, m_read, &ExprNode::read);
    if (reads == 1) find(static_cast<std::int32_t>(m_statement.expr.size()) - 1);
    return std::move(m_guards);
  }

 private:
  const ExprNode& at(std::int32_t n) const { return m_statement.expr[static_cast<std::size_t>(n)]; }

  // Collects the conditions of the `select`s between node n and the read below it; false if the
  // read is not below n.
  bool find(std::int32_t n) {
    const ExprNode& node = at(n);
    if (node.op == ExprOp::Read && node.read == m_read) return true;
    const auto operands = node.operands();
    const auto above = std::ranges::find_if(
        operands, [&](std::int32_t operand) { return operand >= 0 && find(operand); });
    if (above == operands.end()) return false;
    if (node.op == ExprOp::Select && *above != node.lhs) addCondition(node.lhs, *above == node.rhs);
    return true;
  }

  // What follows from the condition holding, or not holding.
  void addCondition(std::int32_t n, bool holds) {
    const ExprNode& node = at(n);
    if (node.op == ExprOp::Not) return addCondition(node.lhs, !holds);
    if (node.op == (holds ? ExprOp::And : ExprOp::Or)) {
      addCondition(node.lhs, holds);
      addCondition(node.rhs, holds);
    } else if (node.op == ExprOp::And || node.op == ExprOp::Or) {
      addEither(node, holds);
    } else {
      addComparison(n, holds);
    }
  }

  void addEither(const ExprNode& node, bool holds) {
    std::vector<ReadGuards> sides;
    for (const std::int32_t side : {node.lhs, node.rhs}) {
      ReadGuards others = std::exchange(m_guards, {});
      addCondition(side, holds);
      sides.push_back(std::exchange(m_guards, std::move(others)));
    }
    m_guards.either.push_back(std::move(sides));
  }

  void addComparison(std::int32_t n, bool holds) {
    Compared compared = compare(m_statement, n, holds);
    m_more = m_more || !(compared.constraint || compared.nonZero);
    if (compared.constraint) m_guards.constraints.push_back(*std::move(compared.constraint));
    if (compared.nonZero) m_guards.nonZero.push_back(*std::move(compared.nonZero));
  }

  const Statement& m_statement;
  std::int32_t m_read;
  ReadGuards m_guards;
  bool m_more = false;  ///< a condition says more than the guards
};

// Takes the points where the expression is 0 out of the domain. Only an expression that is nowhere
// negative or nowhere positive in the domain can do so, as what is left must be convex. Returns
// whether it did.
bool cutZero(const LinearExpr& expr, affine::IntegerSet& domain) {
  const auto bounds = affine::boundsOf(domain, expr);
  if (!bounds || (bounds->min != 0 && bounds->max != 0)) return false;
  const LinearExpr away = bounds->min == 0 ? expr : expr * -1;
  domain.constraints.push_back({away - LinearExpr::number(1)});
  return true;
}

template <typename T> void append(std::vector<T>&& more, std::vector<T>& all) {
  std::ranges::move(more, std::back_inserter(all));
}

/// Whether sides of an `or` are empty is asked at most so often for a read: `or` in `or` would be
/// asked anew by each that holds it. What is left undecided is taken as possible.
constexpr int kMostSidesAsked = 256;

ReadGuards narrow(ReadGuards guards, affine::IntegerSet& domain, int& asks);

/// A side of `or`: the domain where it holds, and what of it could not narrow that.
struct Side {
  affine::IntegerSet domain;
  ReadGuards left;
};

// The side that alone can hold in the domain, or one of several that cannot; nothing if several
// can.
std::optional<Side> onlySide(const std::vector<ReadGuards>& sides, const affine::IntegerSet& domain,
                             int& asks) {
  std::optional<Side> only;
  bool holds = false;
  for (const ReadGuards& guards : sides) {
    if (--asks < 0) return std::nullopt;
    Side side{domain, {}};
    side.left = narrow(guards, side.domain, asks);
    const bool mayHold = !affine::isEmpty(side.domain);
    if (holds && mayHold) return std::nullopt;
    if (mayHold || !only) only = std::move(side);
    holds = holds || mayHold;
  }
  return only;
}

// Takes one that is decided within the domain out of `guards.either`; whether there was one.
bool decide(ReadGuards& guards, affine::IntegerSet& domain, int& asks) {
  for (auto sides = guards.either.begin(); sides != guards.either.end(); ++sides) {
    std::optional<Side> only = onlySide(*sides, domain, asks);
    if (!only) continue;
    guards.either.erase(sides);
    domain = std::move(only->domain);
    append(std::move(only->left.nonZero), guards.nonZero);
    append(std::move(only->left.either), guards.either);
    return true;
  }
  return false;
}

// Returns what could not narrow the domain.
ReadGuards narrow(ReadGuards guards, affine::IntegerSet& domain, int& asks) {
  append(std::exchange(guards.constraints, {}), domain.constraints);
  // What one condition takes out may leave a domain from which another can: `i != 1` once `i != 0`
  // has made it `i >= 1`.
  const auto cut = [&](const LinearExpr& expr) { return cutZero(expr, domain); };
  while (std::erase_if(guards.nonZero, cut) > 0 || decide(guards, domain, asks)) continue;
  return guards;
}

}  // namespace

ReadGuards readGuards(const Statement& statement, std::size_t read) {
  return GuardReader(statement, read).run();
}

bool addGuards(ReadGuards guards, affine::IntegerSet& domain) {
  int asks = kMostSidesAsked;
  const ReadGuards left = narrow(std::move(guards), domain, asks);
  return left.nonZero.empty() && left.either.empty();
}

std::optional<std::vector<Constraint>> conditionOf(const Kernel& kernel, const Statement& statement,
                                                   std::int32_t condition, bool holds) {
  auto guards = GuardReader(statement, 0).all(condition, holds);
  if (!guards) return std::nullopt;
  affine::IntegerSet domain;
  for (const Loop& loop : kernel.loops) domain.extents.push_back(loop.extent);
  if (!addGuards(*std::move(guards), domain)) return std::nullopt;
  return std::move(domain.constraints);
}

}  // namespace gridloom::kernel
