// SPDX-License-Identifier: Apache-2.0
#include "kernel/statement_ops.h"

#include <algorithm>
#include <optional>

#include "kernel/expr_summary.h"
#include "kernel/repeated_values.h"

namespace gridloom::kernel {

namespace {

// A factor of a product, with the operation that applies it.
struct Factor {
  std::int32_t node = -1;
  VectorFn fn = VectorFn::Mul;
};

class OpBuilder {
 public:
  OpBuilder(const Kernel& kernel, const Statement& statement)
      : m_kernel(kernel), m_statement(statement), m_summary(statement) {}

  std::vector<StatementOp> build(bool stepped) {
    const auto root = static_cast<std::int32_t>(m_statement.expr.size()) - 1;
    if (stepped) {
      visit(root, {});
    } else if (const auto loop = rescaledLoop(m_kernel, m_statement)) {
      m_useful = false;
      m_collapsed = {*loop};
      visit(root, {});
    } else if (!buildRunning()) {
      visit(root, {});
    }
    return std::move(m_ops);
  }

 private:
  const ExprNode& node(std::int32_t n) const {
    return m_statement.expr[static_cast<std::size_t>(n)];
  }
  const Loops& loopsOfNode(std::int32_t n) const { return m_summary.loopsOf(n); }
  bool isComputed(std::int32_t n) const { return m_summary.isComputed(n); }

  void addVector(VectorFn fn, const Loops& loops, const Loops& under) {
    StatementOp step;
    step.op.unit = UnitKind::Vector;
    step.op.fn = fn;
    step.op.loops = without(loops, m_collapsed);
    step.op.useful = m_useful;
    step.under = under;
    m_ops.push_back(std::move(step));
  }

  void visit(std::int32_t n, const Loops& under) {
    const ExprNode& at = node(n);
    if (!isComputed(n) || at.op == ExprOp::Read || isRepeated(n, under)) return;
    if (isReduction(at.op)) {
      reduce(at.op, at.lhs, at.loops, under);
      return;
    }
    for (const std::int32_t child : at.operands()) {
      if (child >= 0) visit(child, under);
    }
    const int count = std::max(1, multiplicationsOf(m_statement, at));
    for (int i = 0; i < count; ++i) {
      addVector(functionOf(at), loopsOfNode(n), under);
      m_ops.back().recurs = m_summary.recurs(n);
    }
  }

  // What is written twice is computed once.
  bool isRepeated(std::int32_t n, const Loops& under) {
    const bool repeated = std::ranges::any_of(m_values, [&](const Value& value) {
      return value.under == under && sameValue(m_statement, value.node, n);
    });
    if (!repeated) m_values.push_back({n, under});
    return repeated;
  }

  // One meaning has one cost: `x / 4` is a product, as is `pow(x, 2)`.
  VectorFn functionOf(const ExprNode& at) const {
    if (multiplicationsOf(m_statement, at) > 0) return VectorFn::Mul;
    if (isRootPower(m_statement, at)) return VectorFn::Sqrt;
    if (at.op == ExprOp::Div) return quotient(at.rhs);
    return infoOf(at.op).fn;
  }
  VectorFn quotient(std::int32_t divisor) const {
    return loopsOfNode(divisor).empty() && !isComputed(divisor) ? VectorFn::Mul : VectorFn::Div;
  }

  void reduce(ExprOp op, std::int32_t body, const Loops& loops, const Loops& under) {
    const Loops inside = unite(under, common(loops, m_statement.reductions));
    if (op != ExprOp::Sum) {
      visit(body, inside);
      addVector(infoOf(op).fn, unite(loopsOfNode(body), loops), inside);
      return;
    }
    sum(body, loops, inside, under);
  }

  // The sum over `loops`, all inside `inside`. Factors that do not depend on them apply to the
  // result, under `under`.
  void sum(std::int32_t body, const Loops& loops, const Loops& inside, const Loops& under) {
    std::vector<Factor> summed;
    std::vector<Factor> once;
    collectFactors(body, VectorFn::Mul, loops, summed, once);
    const Loops result = without(loopsOfNode(body), loops);
    if (summed.size() == 1 && isSumOfProducts(summed.front().node, loops)) {
      const ExprNode& terms = node(summed.front().node);
      sum(terms.lhs, loops, inside, under);
      sum(terms.rhs, loops, inside, under);
      addVector(infoOf(terms.op).fn, without(loopsOfNode(summed.front().node), loops), under);
    } else {
      for (const Factor& factor : summed) visit(factor.node, inside);
      sumProduct(summed, loops, inside);
    }
    applyOnce(once, result, under);
  }

  // A sum of products is the sum of each, and the matrix unit computes that of a product of two
  // matrices.
  bool isSumOfProducts(std::int32_t n, const Loops& loops) const {
    if (node(n).op != ExprOp::Add && node(n).op != ExprOp::Sub) return false;
    return isProduct(node(n).lhs, loops) && isProduct(node(n).rhs, loops);
  }

  bool isProduct(std::int32_t n, const Loops& loops) const {
    if (isSumOfProducts(n, loops)) return true;
    std::vector<Factor> summed;
    std::vector<Factor> once;
    collectFactors(n, VectorFn::Mul, loops, summed, once);
    const auto roles = summed.size() == 2 ? rolesOf(summed, 0, loops) : std::nullopt;
    return roles && !roles->m.empty() && !roles->n.empty();
  }

  // Splits a product into the factors that depend on the summed `loops` and those that do not.
  void collectFactors(std::int32_t n, VectorFn fn, const Loops& loops, std::vector<Factor>& summed,
                      std::vector<Factor>& once) const {
    const ExprNode& at = node(n);
    if (common(loopsOfNode(n), loops).empty()) {
      once.push_back({n, fn});
    } else if (at.op == ExprOp::Mul && fn == VectorFn::Mul) {
      collectFactors(at.lhs, fn, loops, summed, once);
      collectFactors(at.rhs, fn, loops, summed, once);
    } else if (at.op == ExprOp::Div && common(loopsOfNode(at.rhs), loops).empty()) {
      collectFactors(at.lhs, fn, loops, summed, once);
      once.push_back({at.rhs, quotient(at.rhs)});
    } else {
      summed.push_back({n, fn});
    }
  }

  void applyOnce(const std::vector<Factor>& once, const Loops& result, const Loops& under) {
    bool constant = false;
    for (const Factor& factor : once) {
      if (!isComputed(factor.node)) {
        constant =
            constant || node(factor.node).op != ExprOp::Constant || node(factor.node).constant != 1;
        continue;
      }
      visit(factor.node, under);
      addVector(factor.fn, result, under);
    }
    if (constant) addVector(VectorFn::Mul, result, under);
  }

  // Rows, columns, depth and batch of left times right.
  struct Roles {
    Loops m, n, k, batch;
    double productElements = 0;
  };

  std::optional<Roles> rolesOf(const std::vector<Factor>& factors, std::size_t left,
                               const Loops& loops) const {
    Loops rightLoops;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      if (f != left) rightLoops = unite(rightLoops, loopsOfNode(factors[f].node));
    }
    const Loops& leftLoops = loopsOfNode(factors[left].node);
    const Loops shared = common(leftLoops, rightLoops);
    if (common(loops, shared).size() != loops.size()) return std::nullopt;
    Roles roles;
    roles.k = sorted(loops);
    roles.m = without(leftLoops, shared);
    roles.n = without(rightLoops, shared);
    roles.batch = without(shared, loops);
    roles.productElements = factors.size() > 2 ? elements(rightLoops) : 0;
    return roles;
  }

  double elements(const Loops& loops) const {
    double count = 1;
    for (const LoopId loop : loops) count *= static_cast<double>(m_kernel.loop(loop).extent);
    return count;
  }

  void sumProduct(const std::vector<Factor>& factors, const Loops& loops, const Loops& inside) {
    std::size_t best = factors.size();
    std::optional<Roles> roles;
    for (std::size_t left = 0; factors.size() >= 2 && left < factors.size(); ++left) {
      auto candidate = rolesOf(factors, left, loops);
      // A matrix times a vector is a product with one column; three factors must leave both.
      if (!candidate || candidate->m.empty() || (candidate->n.empty() && factors.size() > 2)) {
        continue;
      }
      if (!roles || candidate->productElements < roles->productElements) {
        best = left;
        roles = std::move(candidate);
      }
    }
    if (roles) {
      addMatrix(factors, best, std::move(*roles), inside);
    } else {
      const Loops all = multiply(factors, factors.size(), inside);
      addVector(VectorFn::SumReduce, unite(all, loops), inside);
    }
  }

  // Elementwise product of all factors but one; returns its loops.
  Loops multiply(const std::vector<Factor>& factors, std::size_t except, const Loops& inside) {
    Loops all;
    bool first = true;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      if (f == except) continue;
      all = unite(all, loopsOfNode(factors[f].node));
      if (!first) addVector(VectorFn::Mul, all, inside);
      first = false;
    }
    return all;
  }

  void addMatrix(const std::vector<Factor>& factors, std::size_t left, Roles roles,
                 const Loops& inside) {
    StatementOp step;
    if (node(factors[left].node).op != ExprOp::Read) {
      step.computedOperands.push_back(loopsOfNode(factors[left].node));
    }
    const Loops right = multiply(factors, left, inside);
    const std::size_t other = left == 0 ? 1 : 0;
    if (factors.size() > 2 || node(factors[other].node).op != ExprOp::Read) {
      step.computedOperands.push_back(right);
    }
    step.op.unit = UnitKind::Matrix;
    step.op.m = std::move(roles.m);
    step.op.n = std::move(roles.n);
    step.op.k = std::move(roles.k);
    step.op.batch = std::move(roles.batch);
    step.op.useful = m_useful;
    step.under = inside;
    m_ops.push_back(std::move(step));
  }

  // `state[j - 1] * factor + e` and `max(state[j - 1], e)` reduce e along j within a tile.
  bool buildRunning() {
    const auto form = runningForm(m_statement);
    if (!form) return false;
    if (form->factor >= 0) rescale(form->factor, form->loop);
    reduce(form->join == ExprOp::Sum ? ExprOp::Sum : ExprOp::MaxReduce, form->rest, {form->loop},
           {});
    return true;
  }

  void rescale(std::int32_t factor, LoopId loop) {
    m_useful = false;
    m_collapsed = {loop};
    visit(factor, {});
    addVector(VectorFn::Mul, sorted(targetLoops(m_statement)), {});
    m_collapsed.clear();
    m_useful = true;
    m_values.clear();
  }

  const Kernel& m_kernel;
  const Statement& m_statement;
  ExprSummary m_summary;
  struct Value {
    std::int32_t node = -1;
    Loops under;
  };
  std::vector<StatementOp> m_ops;
  std::vector<Value> m_values;  ///< computed so far
  bool m_useful = true;
  Loops m_collapsed;
};

}  // namespace

std::vector<StatementOp> statementOps(const Kernel& kernel, const Statement& statement,
                                      bool stepped) {
  return OpBuilder(kernel, statement).build(stepped);
}

}  // namespace gridloom::kernel
