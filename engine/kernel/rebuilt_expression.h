// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "kernel/kernel.h"

namespace gridloom::kernel {

/// Builds the expression of a statement anew, node by node, so that several nodes may take the
/// place of one. `build(node, nodes)` appends what replaces a node, whose operands are already
/// places in `nodes`, and returns the place of its value.
template <class Build> void rebuildExpression(Statement& statement, const Build& build) {
  std::vector<ExprNode> nodes;
  std::vector<std::int32_t> placeOf;
  for (ExprNode& node : statement.expr) {
    for (std::int32_t* operand : {&node.lhs, &node.rhs, &node.other}) {
      if (*operand >= 0) *operand = placeOf[static_cast<std::size_t>(*operand)];
    }
    placeOf.push_back(build(std::move(node), nodes));
  }
  statement.expr = std::move(nodes);
}

/// Appends a whole node; returns its place.
inline std::int32_t addNode(std::vector<ExprNode>& nodes, ExprNode node) {
  nodes.push_back(std::move(node));
  return static_cast<std::int32_t>(nodes.size()) - 1;
}

/// Puts nodes below others into their place (-1: the node stays), and leaves out what only those
/// needed.
void replaceNodes(Statement& statement, const std::vector<std::int32_t>& instead);

/// The node and all below it.
std::vector<std::int32_t> nodesBelow(const Statement& statement, std::int32_t node);

/// Takes reads that the expression does not have out of the statement.
void dropUnusedReads(Statement& statement);

}  // namespace gridloom::kernel
