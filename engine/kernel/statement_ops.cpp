// SPDX-License-Identifier: Apache-2.0
#include "kernel/statement_ops.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;

Loops sorted(Loops loops) {
  std::ranges::sort(loops);
  loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
  return loops;
}
Loops unite(const Loops& a, const Loops& b) {
  Loops all = a;
  all.insert(all.end(), b.begin(), b.end());
  return sorted(std::move(all));
}
Loops without(Loops loops, const Loops& removed) {
  std::erase_if(loops, [&](LoopId loop) { return contains(removed, loop); });
  return loops;
}
Loops common(Loops loops, const Loops& kept) {
  std::erase_if(loops, [&](LoopId loop) { return !contains(kept, loop); });
  return loops;
}

VectorFn vectorFnOf(ExprOp op) {
  switch (op) {
  case ExprOp::Exp:
    return VectorFn::Exp;
  case ExprOp::Log:
    return VectorFn::Log;
  case ExprOp::Sqrt:
  case ExprOp::Rsqrt:
    return VectorFn::Sqrt;
  case ExprOp::Tanh:
    return VectorFn::Tanh;
  case ExprOp::Sigmoid:
    return VectorFn::Sigmoid;
  case ExprOp::Relu:
    return VectorFn::Relu;
  case ExprOp::Abs:
    return VectorFn::Abs;
  case ExprOp::Add:
    return VectorFn::Add;
  case ExprOp::Sub:
    return VectorFn::Sub;
  case ExprOp::Div:
    return VectorFn::Div;
  case ExprOp::Max:
  case ExprOp::Min:
    return VectorFn::Max;
  case ExprOp::Sum:
    return VectorFn::SumReduce;
  case ExprOp::MaxReduce:
  case ExprOp::MinReduce:
    return VectorFn::MaxReduce;
  case ExprOp::Constant:
  case ExprOp::Read:
  case ExprOp::Neg:
  case ExprOp::Mul:
    break;
  }
  return VectorFn::Mul;
}

// A factor of a product, with the operation that applies it.
struct Factor {
  std::int32_t node = -1;
  VectorFn fn = VectorFn::Mul;
};

class OpBuilder {
 public:
  OpBuilder(const Kernel& kernel, const Statement& statement)
      : m_kernel(kernel),
        m_statement(statement),
        m_nodeLoops(statement.expr.size()),
        m_reads(statement.expr.size()) {
    for (std::size_t n = 0; n < statement.expr.size(); ++n) summarise(n);
  }

  std::vector<StatementOp> build() {
    const auto root = static_cast<std::int32_t>(m_statement.expr.size()) - 1;
    if (const auto loop = rescaledLoop(m_kernel, m_statement)) {
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
  const Loops& loopsOfNode(std::int32_t n) const {
    return m_nodeLoops[static_cast<std::size_t>(n)];
  }
  bool hasReads(std::int32_t n) const { return m_reads[static_cast<std::size_t>(n)]; }

  void summarise(std::size_t n) {
    const ExprNode& at = m_statement.expr[n];
    Loops loops;
    if (at.op == ExprOp::Read) {
      loops = loopsOf(m_statement.reads[static_cast<std::size_t>(at.read)]);
      m_reads[n] = true;
    }
    for (const std::int32_t child : {at.lhs, at.rhs}) {
      if (child < 0) continue;
      loops = unite(loops, loopsOfNode(child));
      m_reads[n] = m_reads[n] || hasReads(child);
    }
    m_nodeLoops[n] = without(sorted(std::move(loops)), at.loops);
  }

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
    if (!hasReads(n) || at.op == ExprOp::Read) return;
    if (isReduction(at.op)) {
      reduce(at.op, at.lhs, at.loops, under);
      return;
    }
    visit(at.lhs, under);
    if (at.rhs >= 0) visit(at.rhs, under);
    addVector(vectorFnOf(at.op), loopsOfNode(n), under);
  }

  void reduce(ExprOp op, std::int32_t body, const Loops& loops, const Loops& under) {
    const Loops inside = unite(under, common(loops, m_statement.reductions));
    if (op != ExprOp::Sum) {
      visit(body, inside);
      addVector(vectorFnOf(op), unite(loopsOfNode(body), loops), inside);
      return;
    }
    std::vector<Factor> summed;
    std::vector<Factor> once;
    collectFactors(body, VectorFn::Mul, loops, summed, once);
    for (const Factor& factor : summed) visit(factor.node, inside);
    sumProduct(summed, loops, inside);
    const Loops result = without(loopsOfNode(body), loops);
    applyOnce(once, result, under);
  }

  // Splits a product into the factors that depend on the summed `loops` and those that do not.
  void collectFactors(std::int32_t n, VectorFn fn, const Loops& loops, std::vector<Factor>& summed,
                      std::vector<Factor>& once) {
    const ExprNode& at = node(n);
    if (common(loopsOfNode(n), loops).empty()) {
      once.push_back({n, fn});
    } else if (at.op == ExprOp::Mul && fn == VectorFn::Mul) {
      collectFactors(at.lhs, fn, loops, summed, once);
      collectFactors(at.rhs, fn, loops, summed, once);
    } else if (at.op == ExprOp::Div && common(loopsOfNode(at.rhs), loops).empty()) {
      collectFactors(at.lhs, fn, loops, summed, once);
      once.push_back({at.rhs, VectorFn::Div});
    } else {
      summed.push_back({n, fn});
    }
  }

  void applyOnce(const std::vector<Factor>& once, const Loops& result, const Loops& under) {
    bool constant = false;
    for (const Factor& factor : once) {
      if (!hasReads(factor.node)) {
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
  }

  const Kernel& m_kernel;
  const Statement& m_statement;
  std::vector<Loops> m_nodeLoops;
  std::vector<bool> m_reads;
  std::vector<StatementOp> m_ops;
  bool m_useful = true;
  Loops m_collapsed;
};

}  // namespace

std::optional<RunningRead> lagBehind(const Access& target, const Access& read) {
  std::optional<RunningRead> lag;
  for (std::size_t d = 0; d < target.indices.size(); ++d) {
    const affine::LinearExpr behind = target.indices[d] - read.indices[d];
    if (!behind.isConstant()) return std::nullopt;
    if (behind.constant == 0) continue;
    const auto loops =
        std::ranges::find_if(target.indices[d].coefficients, [](std::int64_t c) { return c != 0; });
    if (lag || behind.constant < 0 || loops == target.indices[d].coefficients.end()) {
      return std::nullopt;
    }
    const auto loop = loops - target.indices[d].coefficients.begin();
    lag = RunningRead{0, LoopId::of(static_cast<std::size_t>(loop)), behind.constant};
  }
  return lag;
}

std::optional<RunningRead> runningRead(const Statement& statement) {
  std::optional<RunningRead> running;
  for (std::size_t r = 0; r < statement.reads.size(); ++r) {
    if (statement.reads[r].tensor != statement.target.tensor) continue;
    const auto lag = lagBehind(statement.target, statement.reads[r]);
    if (!lag || running) return std::nullopt;
    running = lag;
    running->read = r;
  }
  return running;
}

namespace {

// `state[j - 1]`, or times a factor: the factor's node, or -1. Nothing for any other form.
std::optional<std::int32_t> stateFactor(const Statement& statement, std::int32_t n,
                                        std::size_t read) {
  const auto at = [&](std::int32_t i) -> const ExprNode& {
    return statement.expr[static_cast<std::size_t>(i)];
  };
  const auto isSelf = [&](std::int32_t i) {
    return at(i).op == ExprOp::Read && at(i).read == static_cast<std::int32_t>(read);
  };
  if (isSelf(n)) return -1;
  if (at(n).op != ExprOp::Mul) return std::nullopt;
  if (isSelf(at(n).lhs)) return at(n).rhs;
  if (isSelf(at(n).rhs)) return at(n).lhs;
  return std::nullopt;
}

}  // namespace

std::optional<RunningForm> runningForm(const Statement& statement) {
  const auto running = runningRead(statement);
  const ExprNode& root = statement.expr.back();
  const bool sum = root.op == ExprOp::Add;
  const bool choice = root.op == ExprOp::Max || root.op == ExprOp::Min;
  if (!running || (!sum && !choice)) return std::nullopt;
  const ExprOp join = sum                      ? ExprOp::Sum
                      : root.op == ExprOp::Max ? ExprOp::MaxReduce
                                               : ExprOp::MinReduce;
  for (const bool left : {true, false}) {
    const auto factor = stateFactor(statement, left ? root.lhs : root.rhs, running->read);
    if (!factor) continue;
    if (choice && *factor >= 0) return std::nullopt;
    return RunningForm{running->loop, running->distance, join, *factor, left ? root.rhs : root.lhs};
  }
  return std::nullopt;
}

std::optional<LoopId> rescaledLoop(const Kernel& kernel, const Statement& statement) {
  if (kernel.tensor(statement.target.tensor).role != TensorRole::Local) return std::nullopt;
  std::optional<LoopId> loop;
  for (const Access& read : statement.reads) {
    const auto writer = std::ranges::find_if(kernel.statements, [&](const Statement& s) {
      return s.target.tensor == read.tensor && runningRead(s).has_value();
    });
    if (writer == kernel.statements.end() || read.tensor == statement.target.tensor) {
      return std::nullopt;
    }
    const LoopId running = runningRead(*writer)->loop;
    const auto lag = lagBehind(writer->target, read);
    if (lag && lag->loop == running) loop = running;
  }
  return loop;
}

std::vector<StatementOp> statementOps(const Kernel& kernel, const Statement& statement) {
  return OpBuilder(kernel, statement).build();
}

}  // namespace gridloom::kernel
