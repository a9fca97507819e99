// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A statement built node by node. Each function returns the place of the node that it adds.
struct StatementBuilder {
  Statement statement;

  std::int32_t read(const Access& access) {
    const std::int32_t node = addNode(statement.expr, ExprOp::Read);
    statement.expr.back().read = static_cast<std::int32_t>(statement.reads.size());
    statement.reads.push_back(access);
    return node;
  }
  std::int32_t add(ExprOp op, std::int32_t lhs, std::int32_t rhs = -1) {
    return addNode(statement.expr, op, lhs, rhs);
  }

  /// Copies the subtree of a node. `replace` gives the place of what stands for one, if anything.
  using Replace = std::function<std::optional<std::int32_t>(std::int32_t)>;
  std::int32_t copy(const Statement& from, std::int32_t n, const Replace& replace) {
    if (const auto place = replace(n)) return *place;
    const ExprNode& node = nodeOf(from, n);
    std::array<std::int32_t, 3> operands = node.operands();
    for (std::int32_t& operand : operands) {
      if (operand >= 0) operand = copy(from, operand, replace);
    }
    ExprNode copied = node;
    copied.lhs = operands[0];
    copied.rhs = operands[1];
    copied.other = operands[2];
    if (node.op == ExprOp::Read) {
      copied.read = static_cast<std::int32_t>(statement.reads.size());
      statement.reads.push_back(from.reads[static_cast<std::size_t>(node.read)]);
    }
    statement.expr.push_back(std::move(copied));
    return static_cast<std::int32_t>(statement.expr.size()) - 1;
  }
};

}  // namespace gridloom::kernel
