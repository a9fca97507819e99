// SPDX-License-Identifier: Apache-2.0
#include "kernel/softmax_pattern.h"

#include <algorithm>
#include <utility>

#include "kernel/repeated_values.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

enum class WeightScale : std::uint8_t { Free, Scaled, Bad };

class SoftmaxFinder {
 public:
  SoftmaxFinder(const Kernel& kernel, std::size_t s) : m_kernel(kernel) { m_found.maximum = s; }

  bool find() {
    if (!findMaximum() || !findLast()) return false;
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (s != m_found.maximum && names(s, m_found.tensor) && isOver(s) && !findWeight(s))
        return false;
    }
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (s == m_found.maximum || contains(m_found.weights, s)) continue;
      if (!findSums(s)) return false;
    }
    return !m_found.sums.empty();
  }

  SoftmaxPattern take() { return std::move(m_found); }

 private:
  static bool contains(const std::vector<std::size_t>& all, std::size_t s) {
    return std::ranges::find(all, s) != all.end();
  }
  const Statement& maximum() const { return m_kernel.statements[m_found.maximum]; }
  bool isOver(std::size_t s) const {
    return kernel::contains(targetLoops(m_kernel.statements[s]), m_found.loop);
  }
  bool names(std::size_t s, TensorId tensor) const {
    return std::ranges::any_of(m_kernel.statements[s].reads,
                               [&](const Access& read) { return read.tensor == tensor; });
  }
  bool findMaximum() {
    const Statement& statement = maximum();
    const std::int32_t root = rootOf(statement);
    m_found.tensor = statement.target.tensor;
    m_found.reduction = root;
    if (const ExprNode& max = nodeOf(statement, root); max.op == ExprOp::Max) {
      const bool isLeft = isReduction(nodeOf(statement, max.lhs).op);
      m_found.reduction = isLeft ? max.lhs : max.rhs;
      if (!isFree(statement, isLeft ? max.rhs : max.lhs)) return false;
    }
    const ExprNode& reduction = nodeOf(statement, m_found.reduction);
    if (reduction.op != ExprOp::MaxReduce || reduction.loops.size() != 1 ||
        !isPlain(m_kernel, statement)) {
      return false;
    }
    m_found.loop = reduction.loops.front();
    return std::ranges::count_if(statement.expr,
                                 [](const ExprNode& n) { return isReduction(n.op); }) == 1;
  }

  // The last index of the loop for each element of the maximum.
  bool findLast() {
    m_found.last = LinearExpr::number(m_kernel.loop(m_found.loop).extent - 1);
    bool isBounded = false;
    for (const affine::Constraint& c : maximum().constraints) {
      const std::int64_t coefficient = c.expr.coefficient(m_found.loop.index());
      if (c.equality || (coefficient != 1 && coefficient != -1)) return false;
      if (coefficient == 1) continue;
      if (std::exchange(isBounded, true)) return false;
      const LinearExpr end = c.expr + LinearExpr::dim(m_found.loop.index());
      affine::IntegerSet box;
      for (const Loop& loop : m_kernel.loops) box.extents.push_back(loop.extent);
      const auto bounds = affine::boundsOf(box, end);
      if (!bounds || bounds->max > m_found.last.constant) return false;
      m_found.last = end;
    }
    return true;
  }

  bool readsMaximum(const Statement& statement, std::int32_t n) const {
    return kernel::readsMaximum(m_kernel, m_found, statement, n);
  }
  bool readsWeight(const Statement& statement, std::int32_t n) const {
    const ExprNode& node = nodeOf(statement, n);
    if (node.op != ExprOp::Read) return false;
    const Access& read = statement.reads[static_cast<std::size_t>(node.read)];
    return std::ranges::any_of(m_found.weights, [&](std::size_t w) {
      return m_kernel.statements[w].target.tensor == read.tensor &&
             m_kernel.statements[w].target.indices == read.indices;
    });
  }

  // Whether a subtree reads the maximum or a weight, or reduces.
  bool isFree(const Statement& statement, std::int32_t n) const {
    const ExprNode& node = nodeOf(statement, n);
    if (isReduction(node.op)) return false;
    if (node.op == ExprOp::Read) {
      const TensorId tensor = statement.reads[static_cast<std::size_t>(node.read)].tensor;
      if (tensor == m_found.tensor || isWeight(tensor)) return false;
    }
    return std::ranges::all_of(node.operands(), [&](std::int32_t operand) {
      return operand < 0 || isFree(statement, operand);
    });
  }
  bool isWeight(TensorId tensor) const {
    return std::ranges::any_of(m_found.weights, [&](std::size_t w) {
      return m_kernel.statements[w].target.tensor == tensor;
    });
  }

  // `exp(x - m)` of what the maximum is of; all with the same function. Of another x, it may be too
  // large before the maximum is whole.
  bool isExponential(const Statement& statement, std::int32_t n) {
    const ExprNode& node = nodeOf(statement, n);
    if (node.op != ExprOp::Exp && node.op != ExprOp::Exp2) return false;
    const ExprNode& difference = nodeOf(statement, node.lhs);
    if (difference.op != ExprOp::Sub || !readsMaximum(statement, difference.rhs) ||
        !isFree(statement, difference.lhs) || !isOfMaximum(statement, difference.lhs)) {
      return false;
    }
    if (std::exchange(m_hasExp, true)) return m_found.exp == node.op;
    m_found.exp = node.op;
    return true;
  }

  bool isOfMaximum(const Statement& statement, std::int32_t n) const {
    const std::int32_t operand = nodeOf(maximum(), m_found.reduction).lhs;
    return sameValue(maximum(), operand, statement, n);
  }

  bool findWeight(std::size_t s) {
    const Statement& statement = m_kernel.statements[s];
    const bool sameDomain =
        statement.constraints.empty() || statement.constraints == maximum().constraints;
    if (!sameDomain || !isPlainLocal(m_kernel, statement) ||
        !isExponential(statement, rootOf(statement)))
      return false;
    m_found.weights.push_back(s);
    return true;
  }

  WeightScale scaleOf(const Statement& statement, std::int32_t n) {
    const ExprNode& node = nodeOf(statement, n);
    if (readsWeight(statement, n) || isExponential(statement, n)) return WeightScale::Scaled;
    if (isFree(statement, n)) return WeightScale::Free;
    if (node.op == ExprOp::Neg) return scaleOf(statement, node.lhs);
    if (node.op != ExprOp::Mul && node.op != ExprOp::Div) return WeightScale::Bad;
    const WeightScale left = scaleOf(statement, node.lhs), right = scaleOf(statement, node.rhs);
    if (left == WeightScale::Scaled && right == WeightScale::Free) return WeightScale::Scaled;
    const bool swapped =
        node.op == ExprOp::Mul && left == WeightScale::Free && right == WeightScale::Scaled;
    return swapped ? WeightScale::Scaled : WeightScale::Bad;
  }

  // The sums of a statement that has weights below them; elsewhere it may read the maximum.
  bool findSums(std::size_t s) {
    const Statement& statement = m_kernel.statements[s];
    const bool isReader =
        names(s, m_found.tensor) || std::ranges::any_of(statement.reads, [&](const Access& read) {
          return isWeight(read.tensor);
        });
    if (!isReader) return true;
    if (isOver(s)) return false;
    const std::size_t before = m_found.sums.size();
    if (!findSumsBelow(s, rootOf(statement))) return false;
    const bool hasSums = m_found.sums.size() > before;
    return !hasSums || statement.constraints == maximum().constraints;
  }

  bool findSumsBelow(std::size_t s, std::int32_t n) {
    const Statement& statement = m_kernel.statements[s];
    const ExprNode& node = nodeOf(statement, n);
    if (isReduction(node.op)) {
      const bool isOwn = node.loops == std::vector<LoopId>{m_found.loop};
      if (!isOwn)
        return isFreeBelow(statement, node) && !kernel::contains(node.loops, m_found.loop);
      if (node.op != ExprOp::Sum || scaleOf(statement, node.lhs) != WeightScale::Scaled)
        return false;
      m_found.sums.push_back({s, n});
      return true;
    }
    if (node.op == ExprOp::Read) {
      const TensorId tensor = statement.reads[static_cast<std::size_t>(node.read)].tensor;
      if (isWeight(tensor)) return false;
      return tensor != m_found.tensor || readsMaximum(statement, n);
    }
    return std::ranges::all_of(node.operands(), [&](std::int32_t operand) {
      return operand < 0 || findSumsBelow(s, operand);
    });
  }
  bool isFreeBelow(const Statement& statement, const ExprNode& node) const {
    return isFree(statement, node.lhs);
  }

  const Kernel& m_kernel;
  SoftmaxPattern m_found;
  bool m_hasExp = false;
};

}  // namespace

bool isOfLoop(const Kernel& kernel, const SoftmaxPattern& softmax) {
  return softmax.reduction == rootOf(kernel.statements[softmax.maximum]);
}

bool readsMaximum(const Kernel& kernel, const SoftmaxPattern& softmax, const Statement& statement,
                  std::int32_t node) {
  const ExprNode& n = nodeOf(statement, node);
  if (n.op != ExprOp::Read) return false;
  const Access& read = statement.reads[static_cast<std::size_t>(n.read)];
  return read.tensor == softmax.tensor &&
         read.indices == kernel.statements[softmax.maximum].target.indices;
}

bool isPlain(const Kernel& kernel, const Statement& statement) {
  const TensorId target = statement.target.tensor;
  const auto writers = std::ranges::count_if(
      kernel.statements, [&](const Statement& other) { return other.target.tensor == target; });
  return !kernel.tensor(target).initial && writers == 1 &&
         std::ranges::all_of(statement.target.indices, isBareLoop);
}

bool isPlainLocal(const Kernel& kernel, const Statement& statement) {
  return kernel.tensor(statement.target.tensor).role == TensorRole::Local &&
         isPlain(kernel, statement);
}

std::optional<SoftmaxPattern> softmaxAt(const Kernel& kernel, std::size_t s) {
  SoftmaxFinder finder(kernel, s);
  if (!finder.find()) return std::nullopt;
  return finder.take();
}

}  // namespace gridloom::kernel
