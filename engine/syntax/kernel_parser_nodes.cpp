// SPDX-License-Identifier: Apache-2.0
#include "syntax/kernel_parser_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kernel/check.h"

namespace gridloom::syntax {

using kernel::ExprNode;
using kernel::ExprOp;

std::int32_t ExprNodes::fail(base::Span span, std::string message, std::string hint) {
  m_scope.fail(span, std::move(message), std::move(hint));
  return kFailed;
}

std::int32_t ExprNodes::add(ExprNode node) {
  if (m_statement.expr.size() >= kernel::kMaxExprNodes) {
    return fail(cursor().peek().span,
                fmt::format("this expression has more than {} operations", kernel::kMaxExprNodes),
                "split it over several `local` tensors");
  }
  m_statement.expr.push_back(std::move(node));
  return static_cast<std::int32_t>(m_statement.expr.size() - 1);
}

std::int32_t ExprNodes::addOp(ExprOp op, std::int32_t lhs, std::int32_t rhs, std::int32_t other) {
  ExprNode node;
  node.op = op;
  node.lhs = lhs;
  node.rhs = rhs;
  node.other = other;
  return add(std::move(node));
}

std::int32_t ExprNodes::addConstant(double value, std::string spelling) {
  ExprNode node;
  node.constant = value;
  node.spelling = std::move(spelling);
  return add(std::move(node));
}

std::int32_t ExprNodes::negated(std::int32_t operand) {
  if (operand < 0) return kFailed;
  ExprNode& node = m_statement.expr[static_cast<std::size_t>(operand)];
  if (node.op == ExprOp::Constant && node.spelling.empty()) {
    node.constant = -node.constant;
    return operand;
  }
  return addOp(ExprOp::Neg, operand);
}

std::int32_t ExprNodes::addIndex(std::size_t loop) {
  ExprNode node;
  node.op = ExprOp::Index;
  node.loop = kernel::LoopId::of(loop);
  return add(std::move(node));
}

std::int32_t ExprNodes::addRead(kernel::Access access, base::Span span) {
  if (!m_scope.hasRoom(m_scope.reads++, kernel::kMaxReads, "reads", span)) return kFailed;
  std::array<std::int32_t, kernel::kMostGathers> indices{-1, -1, -1};
  for (std::size_t g = 0; g < access.gathers.size(); ++g) {
    indices[g] = addRead(access.gathers[g].access, span);
    if (indices[g] < 0) return kFailed;
  }
  ExprNode node;
  node.op = ExprOp::Read;
  node.lhs = indices[0];
  node.rhs = indices[1];
  node.other = indices[2];
  node.read = static_cast<std::int32_t>(m_statement.reads.size());
  m_statement.reads.push_back(std::move(access));
  return add(std::move(node));
}

std::int32_t ExprNodes::addLoops(const affine::LinearExpr& expr) {
  std::int32_t sum = -1;
  for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
    if (!expr.dependsOn(l)) continue;
    std::int32_t term = addIndex(l);
    const auto factor = static_cast<double>(expr.coefficient(l));
    if (factor != 1) term = addOp(ExprOp::Mul, term, addConstant(factor));
    sum = sum < 0 ? term : addOp(ExprOp::Add, sum, term);
  }
  return sum < 0 ? addConstant(0) : sum;
}

std::int32_t ExprNodes::addWrapped(kernel::Access access, base::Span span) {
  const std::vector<WrappedIndex> wrapped = std::exchange(m_scope.wrapped, {});
  access.spelling.clear();
  // That an element exists is what shows that an index wraps around once: all of a dimension.
  const std::vector<std::int64_t>& shape = m_scope.draft.tensor(access.tensor).shape;
  for (const auto& [dim, size, place] : wrapped) {
    if (dim >= shape.size() || shape[dim] == size) continue;
    return fail(
        place, fmt::format("a remainder by {} wraps around in a dimension of {}", size, shape[dim]),
        "an index wraps around at the size of its dimension; within a part of it, write the "
        "choice: `select(i >= 1, A[i - 1], A[i + 3])`");
  }
  return addWrapped(access, wrapped, span);
}

// Where the index may be negative, or beyond the size: a loop alone is neither.
std::int32_t ExprNodes::addWrapped(const kernel::Access& access,
                                   std::span<const WrappedIndex> wrapped, base::Span span) {
  if (wrapped.empty()) return addRead(access, span);
  const auto [dim, size, place] = wrapped.front();
  const affine::LinearExpr index = access.indices[dim];
  const auto choose = [&](const affine::LinearExpr& instead) {
    kernel::Access chosen = access;
    chosen.indices[dim] = instead;
    return addWrapped(chosen, wrapped.subspan(1), span);
  };
  const auto isBelow = [](std::int64_t c) { return c < 0; };
  const auto isAbove = [](std::int64_t c) { return c > 0; };
  const bool mayBeBelow = index.constant < 0 || std::ranges::any_of(index.coefficients, isBelow);
  const bool mayBeBeyond = index.constant > 0 ||
                           std::ranges::count_if(index.coefficients, isAbove) > 1 ||
                           std::ranges::any_of(index.coefficients, [](auto c) { return c > 1; });
  std::int32_t value = choose(index);
  const auto otherwise = [&](ExprOp op, std::int64_t limit, std::int64_t by) {
    if (value < 0) return;
    const std::int32_t loops = addLoops(index);
    const auto least = static_cast<double>(limit - index.constant);
    const std::int32_t isOther = addOp(op, loops, addConstant(least));
    const std::int32_t other = choose(index + affine::LinearExpr::number(by));
    value = other < 0 ? kFailed : addOp(ExprOp::Select, isOther, other, value);
  };
  if (mayBeBeyond) otherwise(ExprOp::GreaterEqual, size, -size);
  if (mayBeBelow) otherwise(ExprOp::Less, 0, size);
  return value;
}

}  // namespace gridloom::syntax
