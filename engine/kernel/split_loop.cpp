// SPDX-License-Identifier: Apache-2.0
#include "kernel/split_loop.h"

#include <utility>

namespace gridloom::kernel {

namespace {

void addValue(const SplitLoop& split, std::vector<ExprNode>& nodes) {
  std::int32_t sum = -1;
  for (std::size_t p = 0; p < split.parts.size(); ++p) {
    std::int32_t term = addNode(nodes, ExprOp::Index);
    nodes.back().loop = split.parts[p];
    if (split.factors[p] != 1) {
      const std::int32_t factor = addNode(nodes, ExprOp::Constant);
      nodes.back().constant = static_cast<double>(split.factors[p]);
      term = addNode(nodes, ExprOp::Mul, factor, term);
    }
    sum = sum < 0 ? term : addNode(nodes, ExprOp::Add, sum, term);
  }
}

}  // namespace

void splitInExpression(Statement& statement, std::span<const SplitLoop> splits) {
  std::vector<ExprNode> nodes;
  std::vector<std::int32_t> now;
  const auto at = [&](std::int32_t old) {
    return old < 0 ? old : now[static_cast<std::size_t>(old)];
  };
  for (ExprNode& node : statement.expr) {
    if (node.op == ExprOp::Index && !splits[node.loop.index()].parts.empty()) {
      addValue(splits[node.loop.index()], nodes);
    } else {
      node.lhs = at(node.lhs);
      node.rhs = at(node.rhs);
      node.other = at(node.other);
      for (std::size_t l = node.loops.size(); l-- > 0;) {
        const SplitLoop& split = splits[node.loops[l].index()];
        if (!split.parts.empty()) replaceAt(node.loops, l, split.parts);
      }
      nodes.push_back(std::move(node));
    }
    now.push_back(static_cast<std::int32_t>(nodes.size()) - 1);
  }
  statement.expr = std::move(nodes);
}

}  // namespace gridloom::kernel
