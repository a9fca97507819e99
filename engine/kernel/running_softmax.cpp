// SPDX-License-Identifier: Apache-2.0
#include "kernel/running_softmax.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/softmax_pattern.h"
#include "kernel/statement_builder.h"
#include "kernel/value_type.h"

namespace gridloom::kernel {

namespace {

// The lowest number of all float types with the exponents of f32; -inf minus it is -inf, not NaN.
// Maxima of integers begin with it as well: element types change times, not values.
constexpr double kLowest = -3.0e38;

using affine::LinearExpr;

class RunningSoftmax {
 public:
  RunningSoftmax(const Kernel& kernel, SoftmaxPattern softmax)
      : m_kernel(kernel), m_softmax(std::move(softmax)) {
    for (const SoftmaxPattern::Sum& sum : m_softmax.sums) m_sums.push_back({sum, {}});
  }

  Kernel build() {
    m_draft = m_kernel;
    m_draft.statements.clear();
    addState();
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (s == m_softmax.maximum) {
        addMaximum();
      } else if (std::ranges::find(m_softmax.weights, s) != m_softmax.weights.end()) {
        addWeight(m_kernel.statements[s]);
      } else {
        addReader(s);
      }
    }
    dropCopies();
    return std::move(m_draft);
  }

 private:
  // The maximum over the loop becomes the state; one that is an output, or of another value, too,
  // keeps its own tensor.
  void addState() {
    Tensor state = m_kernel.tensor(m_softmax.tensor);
    state.shape.push_back(m_kernel.loop(m_softmax.loop).extent);
    state.shapeSpelling.clear();
    state.initial = kLowest;
    m_state = m_softmax.tensor;
    if (state.role == TensorRole::Output || !isOfLoop(m_kernel, m_softmax)) {
      m_state = addLocal(state.name + "_max", state.shape, state.dtype, state.initial);
    } else {
      m_draft.tensors[m_state.index()] = state;
    }
    const DType dtype = isInteger(state.dtype) ? DType::F32 : state.dtype;
    m_rescale = addLocal(state.name + "_rescale", state.shape, dtype, std::nullopt);
  }

  const Statement& maximum() const { return m_kernel.statements[m_softmax.maximum]; }

  TensorId addLocal(const std::string& base, std::vector<std::int64_t> shape, DType dtype,
                    std::optional<double> initial) {
    Tensor tensor;
    tensor.name = freeName(m_draft, base);
    tensor.shape = std::move(shape);
    tensor.dtype = dtype;
    tensor.role = TensorRole::Local;
    tensor.initial = initial;
    tensor.span = maximum().span;
    m_draft.tensors.push_back(std::move(tensor));
    return TensorId::of(m_draft.tensors.size() - 1);
  }

  // An element of the maximum, or of how it rescales, at an index of the loop.
  Access elementOf(TensorId tensor, LinearExpr at) const {
    Access access;
    access.tensor = tensor;
    access.indices = maximum().target.indices;
    access.indices.push_back(std::move(at));
    access.span = maximum().span;
    return access;
  }
  LinearExpr now() const { return LinearExpr::dim(m_softmax.loop.index()); }
  LinearExpr before() const { return now() - LinearExpr::number(1); }

  StatementBuilder begin(const Access& target, const Statement& like) const {
    StatementBuilder builder;
    builder.statement.target = target;
    builder.statement.constraints = maximum().constraints;
    builder.statement.span = like.span;
    return builder;
  }
  void finish(StatementBuilder builder) {
    m_draft.statements.push_back(std::move(builder.statement));
  }

  // What a statement that runs along the loop reads instead.
  StatementBuilder::Replace along(const Statement& statement, StatementBuilder& builder) const {
    return [this, &statement, &builder](std::int32_t n) -> std::optional<std::int32_t> {
      if (!readsMaximum(m_kernel, m_softmax, statement, n)) return std::nullopt;
      return builder.read(elementOf(m_state, now()));
    };
  }

  void addMaximum() {
    const Statement& statement = maximum();
    StatementBuilder state = begin(elementOf(m_state, now()), statement);
    const std::int32_t previous = state.read(elementOf(m_state, before()));
    const std::int32_t operand = nodeOf(statement, m_softmax.reduction).lhs;
    const std::int32_t next = state.copy(statement, operand, along(statement, state));
    state.add(ExprOp::Max, previous, next);
    finish(std::move(state));
    StatementBuilder rescale = begin(elementOf(m_rescale, now()), statement);
    const std::int32_t old = rescale.read(elementOf(m_state, before()));
    const std::int32_t grown = rescale.read(elementOf(m_state, now()));
    rescale.add(m_softmax.exp, rescale.add(ExprOp::Sub, old, grown));
    finish(std::move(rescale));
    if (m_state == m_softmax.tensor) return;
    StatementBuilder end;
    end.statement.target = statement.target;
    end.statement.span = statement.span;
    end.copy(statement, rootOf(statement), [&](std::int32_t n) -> std::optional<std::int32_t> {
      if (n != m_softmax.reduction) return std::nullopt;
      return end.read(elementOf(m_state, m_softmax.last));
    });
    finish(std::move(end));
  }

  void addWeight(const Statement& statement) {
    StatementBuilder weight = begin(statement.target, statement);
    weight.copy(statement, rootOf(statement), along(statement, weight));
    finish(std::move(weight));
  }

  struct Sum : SoftmaxPattern::Sum {
    Access state;  ///< at the present index
  };

  // The loops of the statement's target that the summed values run over beside the maximum's.
  std::vector<LoopId> otherLoops(const Statement& statement, std::int32_t n) const {
    std::vector<LoopId> used;
    collectLoops(statement, n, used);
    std::vector<LoopId> others;
    for (const LoopId loop : targetLoops(statement)) {
      const bool isMaximums = kernel::contains(targetLoops(maximum()), loop);
      if (!isMaximums && kernel::contains(used, loop)) others.push_back(loop);
    }
    return others;
  }
  void collectLoops(const Statement& statement, std::int32_t n, std::vector<LoopId>& used) const {
    const ExprNode& node = nodeOf(statement, n);
    if (node.op == ExprOp::Index) used.push_back(node.loop);
    if (node.op == ExprOp::Read) {
      const auto loops = loopsOf(statement.reads[static_cast<std::size_t>(node.read)]);
      used.insert(used.end(), loops.begin(), loops.end());
    }
    for (const std::int32_t operand : node.operands()) {
      if (operand >= 0) collectLoops(statement, operand, used);
    }
  }

  void addSum(Sum& sum) {
    const Statement& statement = m_kernel.statements[sum.statement];
    const Tensor& target = m_kernel.tensor(statement.target.tensor);
    const std::int32_t operand = nodeOf(statement, sum.node).lhs;
    sum.state = elementOf({}, now());
    std::vector<std::int64_t> shape = m_draft.tensor(m_state).shape;
    for (const LoopId loop : otherLoops(statement, operand)) {
      sum.state.indices.push_back(LinearExpr::dim(loop.index()));
      shape.push_back(m_kernel.loop(loop).extent);
    }
    const DType dtype = fractionType(m_kernel, statement, sum.node);
    sum.state.tensor = addLocal(target.name + "_sum", std::move(shape), dtype, 0);
    StatementBuilder state = begin(sum.state, statement);
    const std::int32_t previous = state.read(at(sum.state, before()));
    const std::int32_t factor = state.read(elementOf(m_rescale, now()));
    const std::int32_t scaled = state.add(ExprOp::Mul, previous, factor);
    const std::int32_t next = state.copy(statement, operand, along(statement, state));
    state.add(ExprOp::Add, scaled, next);
    finish(std::move(state));
  }

  Access at(const Access& state, LinearExpr index) const {
    Access access = state;
    access.indices[maximum().target.indices.size()] = std::move(index);
    return access;
  }

  void addReader(std::size_t s) {
    const Statement& statement = m_kernel.statements[s];
    std::vector<Sum*> sums;
    for (Sum& sum : m_sums) {
      if (sum.statement == s) sums.push_back(&sum);
    }
    for (Sum* sum : sums) addSum(*sum);
    StatementBuilder reader;
    reader.statement = statement;
    reader.statement.expr.clear();
    reader.statement.reads.clear();
    if (!sums.empty()) {
      reader.statement.constraints.clear();
      reader.statement.constraintSpelling.clear();
    }
    const auto replace = [&](std::int32_t n) -> std::optional<std::int32_t> {
      for (const Sum* sum : sums) {
        if (sum->node == n) return readSum(reader, *sum);
      }
      if (keepsMaximum() || !readsMaximum(m_kernel, m_softmax, statement, n)) return std::nullopt;
      return reader.read(elementOf(m_state, m_softmax.last));
    };
    reader.copy(statement, rootOf(statement), replace);
    finish(std::move(reader));
  }

  bool keepsMaximum() const { return !isOfLoop(m_kernel, m_softmax); }

  // The sum at the end of the loop: scaled to the whole maximum, if that is of another value, too.
  std::int32_t readSum(StatementBuilder& reader, const Sum& sum) const {
    const std::int32_t value = reader.read(at(sum.state, m_softmax.last));
    if (!keepsMaximum()) return value;
    const std::int32_t ofLoop = reader.read(elementOf(m_state, m_softmax.last));
    const std::int32_t whole = reader.read(maximum().target);
    const std::int32_t factor = reader.add(m_softmax.exp, reader.add(ExprOp::Sub, ofLoop, whole));
    return reader.add(ExprOp::Mul, value, factor);
  }

  // A local that only repeats the end of a sum is read as the sum.
  void dropCopies() {
    for (std::size_t s = m_draft.statements.size(); s-- > 0;) {
      const Statement copy = m_draft.statements[s];
      const bool isEnd = copy.expr.size() == 1 && copy.expr[0].op == ExprOp::Read &&
                         std::ranges::any_of(m_sums, [&](const Sum& sum) {
                           return sum.state.tensor == copy.reads[0].tensor;
                         });
      if (!isEnd || !isPlainLocal(m_draft, copy) || !isReadAsWritten(copy)) continue;
      for (Statement& statement : m_draft.statements) {
        for (Access& read : statement.reads) {
          if (read.tensor == copy.target.tensor) read = copy.reads[0];
        }
      }
      m_draft.statements.erase(m_draft.statements.begin() + static_cast<std::ptrdiff_t>(s));
    }
  }
  bool isReadAsWritten(const Statement& copy) const {
    return std::ranges::all_of(m_draft.statements, [&](const Statement& statement) {
      return std::ranges::all_of(statement.reads, [&](const Access& read) {
        return read.tensor != copy.target.tensor || read.indices == copy.target.indices;
      });
    });
  }

  const Kernel& m_kernel;
  SoftmaxPattern m_softmax;
  TensorId m_state;    ///< the maximum up to an index
  TensorId m_rescale;  ///< how older state shrinks when the maximum grows
  std::vector<Sum> m_sums;
  Kernel m_draft;
};

}  // namespace

std::optional<Kernel> withRunningSoftmax(const Kernel& kernel, std::size_t s) {
  auto softmax = softmaxAt(kernel, s);
  if (!softmax) return std::nullopt;
  return RunningSoftmax(kernel, std::move(*softmax)).build();
}

}  // namespace gridloom::kernel
