// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "syntax/kernel_parser_scope.h"

namespace gridloom::syntax {

/// Adds the nodes of an expression to a statement, within the limits of a kernel. Each function
/// returns the index of its node, or kFailed after an error.
class ExprNodes {
 public:
  ExprNodes(KernelScope& scope, kernel::Statement& statement)
      : m_scope(scope), m_statement(statement) {}

 protected:
  static constexpr std::int32_t kFailed = -1;
  TokenCursor& cursor() { return m_scope.cursor; }

  std::int32_t fail(base::Span span, std::string message, std::string hint);
  std::int32_t add(kernel::ExprNode node);
  std::int32_t addOp(kernel::ExprOp op, std::int32_t lhs, std::int32_t rhs = -1,
                     std::int32_t other = -1);
  std::int32_t addConstant(double value, std::string spelling = {});
  std::int32_t negated(std::int32_t operand);
  std::int32_t addIndex(std::size_t loop);
  /// Indices that are read are operands of the node.
  std::int32_t addRead(kernel::Access access, base::Span span);
  /// A read of which indices wrap around (KernelScope::wrapped): a choice between elements.
  std::int32_t addWrapped(kernel::Access access, base::Span span);

 private:
  std::int32_t addWrapped(const kernel::Access& access, std::span<const WrappedIndex> wrapped,
                          base::Span span);
  std::int32_t addLoops(const affine::LinearExpr& expr);

 protected:
  KernelScope& m_scope;
  kernel::Statement& m_statement;
};

}  // namespace gridloom::syntax
