// SPDX-License-Identifier: Apache-2.0
#include "syntax/kernel_parser_nodes.h"

#include <fmt/format.h>

#include <array>

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

}  // namespace gridloom::syntax
