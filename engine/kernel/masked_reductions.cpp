// SPDX-License-Identifier: Apache-2.0
#include "kernel/masked_reductions.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "kernel/read_guards.h"
#include "kernel/rebuilt_expression.h"

namespace gridloom::kernel {

namespace {

/// A choice directly below a reduction, between a value and that of an empty reduction.
struct Mask {
  std::int32_t choice = -1;
  std::int32_t value = -1;
  std::vector<affine::Constraint> limits;
};

bool isNeutral(const Statement& statement, std::int32_t n, ExprOp reduction) {
  const ExprNode& node = nodeOf(statement, n);
  return node.op == ExprOp::Constant && node.constant == neutralOf(reduction);
}

// Whether only this reduction runs over the loops.
bool areIts(const Statement& statement, const ExprNode& reduction) {
  return std::ranges::all_of(reduction.loops, [&](LoopId loop) {
    return std::ranges::count_if(statement.expr, [&](const ExprNode& node) {
             return contains(node.loops, loop);
           }) == 1;
  });
}

bool limits(const affine::Constraint& limit, const std::vector<LoopId>& loops) {
  return std::ranges::any_of(loops,
                             [&](LoopId loop) { return limit.expr.dependsOn(loop.index()); });
}

std::optional<Mask> maskOf(const Kernel& kernel, const Statement& statement,
                           const ExprNode& reduction) {
  if (!isReduction(reduction.op) || !areIts(statement, reduction)) return std::nullopt;
  const ExprNode& choice = nodeOf(statement, reduction.lhs);
  if (choice.op != ExprOp::Select) return std::nullopt;
  const bool holds = isNeutral(statement, choice.other, reduction.op);
  if (!holds && !isNeutral(statement, choice.rhs, reduction.op)) return std::nullopt;
  auto condition = conditionOf(kernel, statement, choice.lhs, holds);
  if (!condition || !std::ranges::all_of(*condition, [&](const affine::Constraint& limit) {
        return limits(limit, reduction.loops);
      })) {
    return std::nullopt;
  }
  return Mask{reduction.lhs, holds ? choice.rhs : choice.other, *std::move(condition)};
}

}  // namespace

std::optional<Kernel> withMaskedReductions(const Kernel& kernel) {
  Kernel draft = kernel;
  bool changed = false;
  for (Statement& statement : draft.statements) {
    std::vector<std::int32_t> instead(statement.expr.size(), -1);
    std::vector<affine::Constraint> found;
    for (const ExprNode& node : statement.expr) {
      const auto mask = maskOf(kernel, statement, node);
      if (!mask) continue;
      instead[static_cast<std::size_t>(mask->choice)] = mask->value;
      std::ranges::copy(mask->limits, std::back_inserter(found));
    }
    if (found.empty()) continue;
    statement.constraintSpelling.clear();
    std::ranges::move(found, std::back_inserter(statement.constraints));
    replaceNodes(statement, instead);
    changed = true;
  }
  return changed ? std::optional(std::move(draft)) : std::nullopt;
}

}  // namespace gridloom::kernel
