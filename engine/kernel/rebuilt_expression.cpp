// SPDX-License-Identifier: Apache-2.0
#include "kernel/rebuilt_expression.h"

#include <algorithm>

namespace gridloom::kernel {

void replaceNodes(Statement& statement, const std::vector<std::int32_t>& instead) {
  std::vector<bool> isNeeded(statement.expr.size(), false);
  isNeeded.back() = true;
  for (std::size_t n = statement.expr.size(); n-- > 0;) {
    if (!isNeeded[n]) continue;
    const auto mark = [&](std::int32_t operand) {
      if (operand >= 0) isNeeded[static_cast<std::size_t>(operand)] = true;
    };
    if (instead[n] >= 0) {
      mark(instead[n]);
    } else {
      std::ranges::for_each(statement.expr[n].operands(), mark);
    }
  }
  std::vector<std::int32_t> placeOf;
  rebuildExpression(statement, [&](ExprNode node, std::vector<ExprNode>& nodes) {
    const std::size_t n = placeOf.size();
    placeOf.push_back(-1);
    if (instead[n] >= 0) placeOf[n] = placeOf[static_cast<std::size_t>(instead[n])];
    if (instead[n] < 0 && isNeeded[n]) placeOf[n] = addNode(nodes, std::move(node));
    return placeOf[n];
  });
}

std::vector<std::int32_t> nodesBelow(const Statement& statement, std::int32_t node) {
  std::vector<std::int32_t> nodes, open{node};
  while (!open.empty()) {
    const std::int32_t n = open.back();
    open.pop_back();
    if (n < 0) continue;
    nodes.push_back(n);
    for (const std::int32_t operand : nodeOf(statement, n).operands()) open.push_back(operand);
  }
  return nodes;
}

void dropUnusedReads(Statement& statement) {
  std::vector<Access> reads;
  for (ExprNode& node : statement.expr) {
    if (node.op != ExprOp::Read) continue;
    reads.push_back(statement.reads[static_cast<std::size_t>(node.read)]);
    node.read = static_cast<std::int32_t>(reads.size()) - 1;
  }
  statement.reads = std::move(reads);
}

}  // namespace gridloom::kernel
