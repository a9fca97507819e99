// SPDX-License-Identifier: Apache-2.0
#include "kernel/split_choices.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "kernel/read_guards.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::Constraint;
using affine::LinearExpr;

// More cases than the borders of a box have are not told apart.
constexpr std::size_t kMostSplitStatements = 32;

/// A statement that is a choice: where the limits hold, one value, and elsewhere another one.
struct Choice {
  std::vector<Constraint> limits;
  std::int32_t inside = -1;
  std::int32_t outside = -1;
};

bool areOfTarget(const Statement& statement, const std::vector<Constraint>& limits) {
  return std::ranges::none_of(limits, [&](const Constraint& limit) {
    return std::ranges::any_of(statement.reductions,
                               [&](LoopId loop) { return limit.expr.dependsOn(loop.index()); });
  });
}

std::optional<Choice> choiceOf(const Kernel& kernel, const Statement& statement) {
  const ExprNode& root = statement.expr.back();
  if (root.op != ExprOp::Select) return std::nullopt;
  for (const bool holds : {true, false}) {
    auto limits = conditionOf(kernel, statement, root.lhs, holds);
    if (!limits || !areOfTarget(statement, *limits)) continue;
    return Choice{*std::move(limits), holds ? root.rhs : root.other, holds ? root.other : root.rhs};
  }
  return std::nullopt;
}

// The sets that together are where a limit does not hold.
std::vector<Constraint> opposites(const Constraint& limit) {
  const LinearExpr one = LinearExpr::number(1);
  std::vector<Constraint> sets{{limit.expr * -1 - one}};
  if (limit.equality) sets.push_back({limit.expr - one});
  return sets;
}

class ChoiceSplitter {
 public:
  explicit ChoiceSplitter(const Kernel& kernel) : m_kernel(kernel) {}

  // The cases of a statement; none if it is no choice.
  std::vector<Statement> casesOf(const Statement& statement) {
    m_cases.clear();
    const auto choice = choiceOf(m_kernel, statement);
    if (!choice) return {};
    add(statement, choice->inside, choice->limits);
    std::vector<Constraint> before;
    for (const Constraint& limit : choice->limits) {
      for (const Constraint& opposite : opposites(limit)) {
        std::vector<Constraint> limits = before;
        limits.push_back(opposite);
        add(statement, choice->outside, limits);
      }
      before.push_back(limit);
    }
    return std::move(m_cases);
  }

 private:
  void add(Statement statement, std::int32_t value, const std::vector<Constraint>& limits) {
    std::ranges::copy(limits, std::back_inserter(statement.constraints));
    statement.constraintSpelling.clear();
    if (affine::isEmpty(targetDomainOf(m_kernel, statement))) return;
    std::vector<std::int32_t> instead(statement.expr.size(), -1);
    instead.back() = value;
    replaceNodes(statement, instead);
    dropUnusedReads(statement);
    dropUnusedBounds(statement);
    base::Diagnostics errors;
    takeScope(m_kernel, statement, errors);
    m_cases.push_back(std::move(statement));
  }

  // Those of reductions that the case does not have.
  static void dropUnusedBounds(Statement& statement) {
    std::vector<LoopId> gone = statement.reductions;
    std::erase_if(gone, [&](LoopId loop) {
      return std::ranges::any_of(statement.expr,
                                 [&](const ExprNode& node) { return contains(node.loops, loop); });
    });
    std::erase_if(statement.constraints, [&](const Constraint& bound) {
      return std::ranges::any_of(gone,
                                 [&](LoopId loop) { return bound.expr.dependsOn(loop.index()); });
    });
  }

  const Kernel& m_kernel;
  std::vector<Statement> m_cases;
};

bool computes(const Statement& statement, std::int32_t n) {
  return !isLeaf(nodeOf(statement, n).op) || nodeOf(statement, n).op == ExprOp::Index;
}

// Whether a statement is a choice between elements, or between a value and an element: cases share
// no work.
bool isOfElements(const Statement& statement) {
  const ExprNode& root = statement.expr.back();
  return root.op == ExprOp::Select &&
         !(computes(statement, root.rhs) && computes(statement, root.other));
}

template <typename Test>
std::optional<Kernel> withCases(const Kernel& kernel, const Test& mayBeSplit) {
  ChoiceSplitter splitter(kernel);
  Kernel draft = kernel;
  for (std::size_t s = 0; s < draft.statements.size();) {
    std::vector<Statement> cases;
    if (mayBeSplit(draft.statements[s])) cases = splitter.casesOf(draft.statements[s]);
    if (cases.empty()) {
      ++s;
      continue;
    }
    const auto at = draft.statements.begin() + static_cast<std::ptrdiff_t>(s);
    draft.statements.insert(draft.statements.erase(at), cases.begin(), cases.end());
    if (draft.statements.size() > kMostSplitStatements) return std::nullopt;
  }
  if (draft.statements.size() == kernel.statements.size()) return std::nullopt;
  return draft;
}

}  // namespace

std::optional<Kernel> withSplitChoices(const Kernel& kernel) {
  const TensorCycles cycles(kernel);
  return withCases(kernel, [&](const Statement& statement) {
    return cycles.isBetween(statement.target.tensor, statement.target.tensor);
  });
}

std::optional<Kernel> withSplitBorders(const Kernel& kernel) {
  if (TensorCycles(kernel).any()) return std::nullopt;
  return withCases(kernel, [&](const Statement& statement) {
    return kernel.tensor(statement.target.tensor).role == TensorRole::Output &&
           isOfElements(statement);
  });
}

}  // namespace gridloom::kernel
