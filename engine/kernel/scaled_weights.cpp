// SPDX-License-Identifier: Apache-2.0
#include "kernel/scaled_weights.h"

#include <algorithm>

#include "kernel/loop_sets.h"
#include "kernel/softmax_pattern.h"

namespace gridloom::kernel {

namespace {

// `exp(x) / l`, of a divisor that is one element and does not depend on all loops of the quotient.
bool isScaled(const Statement& statement) {
  const ExprNode& root = statement.expr.back();
  if (root.op != ExprOp::Div || nodeOf(statement, root.rhs).op != ExprOp::Read) return false;
  const ExprOp weight = nodeOf(statement, root.lhs).op;
  return weight == ExprOp::Exp || weight == ExprOp::Exp2;
}

class WholeWeights {
 public:
  WholeWeights(const Kernel& kernel, std::size_t s)
      : m_kernel(kernel), m_weights(kernel.statements[s]), m_draft(kernel), m_place(s) {}

  std::optional<Kernel> build() {
    if (!isScaled(m_weights) || !isPlainLocal(m_kernel, m_weights)) return std::nullopt;
    const ExprNode& divisor = nodeOf(m_weights, m_weights.expr.back().rhs);
    m_divisor = m_weights.reads[static_cast<std::size_t>(divisor.read)];
    m_summed = without(targetLoops(m_weights), loopsOf(m_divisor));
    if (m_summed.empty() || !hasAllRows()) return std::nullopt;
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (!place(s)) return std::nullopt;
    }
    return std::move(m_draft);
  }

 private:
  // An empty sum is 0, but divided by its divisor it has no value.
  bool hasAllRows() const {
    const affine::Image rows{domainOver(m_kernel, m_weights, targetLoops(m_weights)),
                             m_divisor.indices};
    const auto missing =
        affine::missingPieces(m_kernel.tensor(m_divisor.tensor).shape, {&rows, 1});
    return missing && missing->empty();
  }

  bool place(std::size_t s) {
    const Statement& from = m_kernel.statements[s];
    const std::int32_t root = static_cast<std::int32_t>(from.expr.size()) - 1;
    if (s == m_place) {
      copyTo(m_draft.statements[s], from, from.expr.back().lhs);
    } else if (readsWeights(from, root)) {
      if (!isSummed(from, root)) return false;
      copyTo(m_draft.statements[s], from, root);
    }
    return true;
  }

  bool isWeight(const Statement& from, std::int32_t n) const {
    const ExprNode& node = nodeOf(from, n);
    return node.op == ExprOp::Read &&
           from.reads[static_cast<std::size_t>(node.read)].tensor == m_weights.target.tensor;
  }

  bool readsWeights(const Statement& from, std::int32_t n) const {
    if (n < 0) return false;
    return isWeight(from, n) ||
           std::ranges::any_of(nodeOf(from, n).operands(),
                               [&](std::int32_t operand) { return readsWeights(from, operand); });
  }

  // Whether all weights below are factors of sums over the loops that the divisor does not have.
  bool isSummed(const Statement& from, std::int32_t n) const {
    const ExprNode& node = nodeOf(from, n);
    if (!readsWeights(from, n)) return true;
    if (node.op == ExprOp::Sum && common(m_summed, node.loops).size() == m_summed.size()) {
      return common(node.loops, loopsOf(m_divisor)).empty() && isFactor(from, node.lhs);
    }
    return !isReduction(node.op) && node.op != ExprOp::Read &&
           std::ranges::all_of(node.operands(), [&](std::int32_t operand) {
             return operand < 0 || isSummed(from, operand);
           });
  }

  // Whether the node is a product of which one factor is a weight of the element of its loops.
  bool isFactor(const Statement& from, std::int32_t n) const {
    const ExprNode& node = nodeOf(from, n);
    if (isWeight(from, n)) {
      return from.reads[static_cast<std::size_t>(node.read)].indices == m_weights.target.indices;
    }
    if (node.op != ExprOp::Mul) return false;
    const bool left = readsWeights(from, node.lhs), right = readsWeights(from, node.rhs);
    return left != right && isFactor(from, left ? node.lhs : node.rhs);
  }

  void copyTo(Statement& to, const Statement& from, std::int32_t root) {
    to.expr.clear();
    to.reads.clear();
    copy(to, from, root);
  }

  static std::int32_t addRead(Statement& to, const Access& access) {
    const std::int32_t n = addNode(to.expr, ExprOp::Read);
    to.expr.back().read = static_cast<std::int32_t>(to.reads.size());
    to.reads.push_back(access);
    return n;
  }

  std::int32_t copy(Statement& to, const Statement& from, std::int32_t n) {
    ExprNode node = nodeOf(from, n);
    if (node.op == ExprOp::Read && node.lhs < 0) {
      return addRead(to, from.reads[static_cast<std::size_t>(node.read)]);
    }
    const bool divides = node.op == ExprOp::Sum && readsWeights(from, n);
    for (std::int32_t* operand : {&node.lhs, &node.rhs, &node.other}) {
      if (*operand >= 0) *operand = copy(to, from, *operand);
    }
    if (node.op == ExprOp::Read) {
      to.reads.push_back(from.reads[static_cast<std::size_t>(node.read)]);
      node.read = static_cast<std::int32_t>(to.reads.size()) - 1;
    }
    to.expr.push_back(std::move(node));
    const auto copied = static_cast<std::int32_t>(to.expr.size()) - 1;
    if (!divides) return copied;
    const std::int32_t divisor = addRead(to, m_divisor);
    return addNode(to.expr, ExprOp::Div, copied, divisor);
  }

  const Kernel& m_kernel;
  const Statement& m_weights;
  Kernel m_draft;
  std::size_t m_place;
  Access m_divisor;
  Loops m_summed;  ///< loops of the weights that the divisor does not have
};

}  // namespace

std::optional<Kernel> withWholeWeights(const Kernel& kernel, std::size_t s) {
  return WholeWeights(kernel, s).build();
}

}  // namespace gridloom::kernel
