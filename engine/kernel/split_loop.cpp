// SPDX-License-Identifier: Apache-2.0
#include "kernel/split_loop.h"

#include <utility>

#include "kernel/rebuilt_expression.h"

namespace gridloom::kernel {

namespace {

std::int32_t addValue(const SplitLoop& split, std::vector<ExprNode>& nodes) {
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
  return sum;
}

}  // namespace

void splitInExpression(Statement& statement, std::span<const SplitLoop> splits) {
  rebuildExpression(statement, [&](ExprNode node, std::vector<ExprNode>& nodes) {
    if (node.op == ExprOp::Index && !splits[node.loop.index()].parts.empty()) {
      return addValue(splits[node.loop.index()], nodes);
    }
    for (std::size_t l = node.loops.size(); l-- > 0;) {
      const SplitLoop& split = splits[node.loops[l].index()];
      if (!split.parts.empty()) replaceAt(node.loops, l, split.parts);
    }
    return addNode(nodes, std::move(node));
  });
}

}  // namespace gridloom::kernel
