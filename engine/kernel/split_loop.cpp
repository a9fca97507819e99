// SPDX-License-Identifier: Apache-2.0
#include "kernel/split_loop.h"

#include <algorithm>
#include <utility>

#include "kernel/rebuilt_expression.h"

namespace gridloom::kernel {

namespace {

/// The loop divided by a number, or the remainder: a sum of some of its parts.
struct Share {
  const SplitLoop* split = nullptr;
  std::int64_t divisor = 1;
  bool isRemainder = false;
};

// Whether it is that of the loop whose value is below a node: `div(h, 4)`, `mod(h, 4)`.
Share shareAt(const Statement& statement, const ExprNode& node, std::span<const SplitLoop> splits) {
  if (node.op == ExprOp::Index) return {&splits[node.loop.index()]};
  if (node.op != ExprOp::FloorDiv && node.op != ExprOp::Mod) return {};
  const ExprNode &loop = nodeOf(statement, node.lhs), &by = nodeOf(statement, node.rhs);
  if (loop.op != ExprOp::Index || by.op != ExprOp::Constant) return {};
  const SplitLoop& split = splits[loop.loop.index()];
  const auto isIt = [&](std::int64_t f) { return static_cast<double>(f) == by.constant && f > 1; };
  const auto factor = std::ranges::find_if(split.factors, isIt);
  if (factor == split.factors.end()) return {};
  return {&split, *factor, node.op == ExprOp::Mod};
}

std::int32_t addValue(const Share& share, std::vector<ExprNode>& nodes) {
  const SplitLoop& split = *share.split;
  std::int32_t sum = -1;
  for (std::size_t p = 0; p < split.parts.size(); ++p) {
    if (share.isRemainder == (split.factors[p] >= share.divisor)) continue;
    const std::int64_t by = share.isRemainder ? split.factors[p] : split.factors[p] / share.divisor;
    std::int32_t term = addNode(nodes, ExprOp::Index);
    nodes.back().loop = split.parts[p];
    if (by != 1) {
      const std::int32_t factor = addNode(nodes, ExprOp::Constant);
      nodes.back().constant = static_cast<double>(by);
      term = addNode(nodes, ExprOp::Mul, factor, term);
    }
    sum = sum < 0 ? term : addNode(nodes, ExprOp::Add, sum, term);
  }
  return sum;
}

}  // namespace

void splitInExpression(Statement& statement, std::span<const SplitLoop> splits) {
  std::vector<Share> shares;
  for (const ExprNode& node : statement.expr) shares.push_back(shareAt(statement, node, splits));
  std::size_t n = 0;
  rebuildExpression(statement, [&](ExprNode node, std::vector<ExprNode>& nodes) {
    const Share& share = shares[n++];
    if (share.split != nullptr && !share.split->parts.empty()) return addValue(share, nodes);
    for (std::size_t l = node.loops.size(); l-- > 0;) {
      const SplitLoop& split = splits[node.loops[l].index()];
      if (!split.parts.empty()) replaceAt(node.loops, l, split.parts);
    }
    return addNode(nodes, std::move(node));
  });
  replaceNodes(statement, std::vector<std::int32_t>(statement.expr.size(), -1));
}

}  // namespace gridloom::kernel
