// SPDX-License-Identifier: Apache-2.0
#include "kernel/running_softmax.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gridloom::kernel {

namespace {

// The lowest number of all float types with the exponents of f32; -inf minus it is -inf, not NaN.
constexpr double kLowest = -3.0e38;

using affine::LinearExpr;

bool isBare(const LinearExpr& index) {
  std::size_t loops = 0;
  for (const std::int64_t c : index.coefficients) {
    if (c != 0 && c != 1) return false;
    loops += static_cast<std::size_t>(c);
  }
  return loops == 1 && index.constant == 0;
}

bool hasBareTarget(const Statement& statement) {
  return std::ranges::all_of(statement.target.indices, isBare);
}

/// A statement built node by node.
struct Builder {
  Statement statement;

  std::int32_t read(const Access& access) {
    const std::int32_t node = addNode(statement.expr, ExprOp::Read);
    statement.expr.back().read = static_cast<std::int32_t>(statement.reads.size());
    statement.reads.push_back(access);
    return node;
  }
  std::int32_t add(ExprOp op, std::int32_t lhs, std::int32_t rhs = -1) {
    return addNode(statement.expr, op, lhs, rhs);
  }

  /// Copies a subtree. `replace` gives what stands for a node, if anything.
  using Replace = std::function<std::optional<Access>(std::int32_t)>;
  std::int32_t copy(const Statement& from, std::int32_t n, const Replace& replace) {
    if (const auto access = replace(n)) return read(*access);
    const ExprNode& node = from.expr[static_cast<std::size_t>(n)];
    std::array<std::int32_t, 3> operands = node.operands();
    for (std::int32_t& operand : operands) {
      if (operand >= 0) operand = copy(from, operand, replace);
    }
    ExprNode copied = node;
    copied.lhs = operands[0];
    copied.rhs = operands[1];
    copied.other = operands[2];
    if (node.op == ExprOp::Read) {
      copied.read = static_cast<std::int32_t>(statement.reads.size());
      statement.reads.push_back(from.reads[static_cast<std::size_t>(node.read)]);
    }
    statement.expr.push_back(std::move(copied));
    return static_cast<std::int32_t>(statement.expr.size()) - 1;
  }
};

enum class Scale : std::uint8_t { Free, Scaled, Bad };

class Softmax {
 public:
  Softmax(const Kernel& kernel, std::size_t s) : m_kernel(kernel), m_at(s) {}

  bool find() {
    if (!findMaximum() || !findLast()) return false;
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (s != m_at && names(s, m_tensor) && isOver(s) && !findWeight(s)) return false;
    }
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (s == m_at || contains(m_weights, s)) continue;
      if (!findSums(s)) return false;
    }
    return !m_sums.empty();
  }

  Kernel build() {
    m_draft = m_kernel;
    m_draft.statements.clear();
    Tensor& state = m_draft.tensors[m_tensor.index()];
    state.shape.push_back(m_kernel.loop(m_loop).extent);
    state.shapeSpelling.clear();
    state.initial = kLowest;
    m_rescale = addLocal(state.name + "_rescale", state.shape, state.dtype, std::nullopt);
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      if (s == m_at) {
        addMaximum();
      } else if (contains(m_weights, s)) {
        addWeight(m_kernel.statements[s]);
      } else {
        addReader(s);
      }
    }
    dropCopies();
    return std::move(m_draft);
  }

 private:
  static bool contains(const std::vector<std::size_t>& all, std::size_t s) {
    return std::ranges::find(all, s) != all.end();
  }
  const Statement& maximum() const { return m_kernel.statements[m_at]; }
  const ExprNode& nodeOf(const Statement& statement, std::int32_t n) const {
    return statement.expr[static_cast<std::size_t>(n)];
  }
  bool isOver(std::size_t s) const {
    return kernel::contains(targetLoops(m_kernel.statements[s]), m_loop);
  }
  bool names(std::size_t s, TensorId tensor) const {
    return std::ranges::any_of(m_kernel.statements[s].reads,
                               [&](const Access& read) { return read.tensor == tensor; });
  }
  std::ptrdiff_t writersOf(TensorId tensor) const {
    return std::ranges::count_if(m_kernel.statements, [&](const Statement& statement) {
      return statement.target.tensor == tensor;
    });
  }
  bool isOwnLocal(const Statement& statement) const {
    const Tensor& tensor = m_kernel.tensor(statement.target.tensor);
    return tensor.role == TensorRole::Local && !tensor.initial && hasBareTarget(statement) &&
           writersOf(statement.target.tensor) == 1;
  }

  bool findMaximum() {
    const Statement& statement = maximum();
    const ExprNode& root = statement.expr.back();
    if (root.op != ExprOp::MaxReduce || root.loops.size() != 1 || !isOwnLocal(statement)) {
      return false;
    }
    m_loop = root.loops.front();
    m_tensor = statement.target.tensor;
    return std::ranges::count_if(statement.expr,
                                 [](const ExprNode& n) { return isReduction(n.op); }) == 1;
  }

  // The last index of the loop for each element of the maximum.
  bool findLast() {
    m_last = LinearExpr::number(m_kernel.loop(m_loop).extent - 1);
    bool isBounded = false;
    for (const affine::Constraint& c : maximum().constraints) {
      const std::int64_t coefficient = c.expr.coefficient(m_loop.index());
      if (c.equality || (coefficient != 1 && coefficient != -1)) return false;
      if (coefficient == 1) continue;
      if (std::exchange(isBounded, true)) return false;
      const LinearExpr end = c.expr + LinearExpr::dim(m_loop.index());
      affine::IntegerSet box;
      for (const Loop& loop : m_kernel.loops) box.extents.push_back(loop.extent);
      const auto bounds = affine::boundsOf(box, end);
      if (!bounds || bounds->max > m_last.constant) return false;
      m_last = end;
    }
    return true;
  }

  bool readsMaximum(const Statement& statement, std::int32_t n) const {
    const ExprNode& node = nodeOf(statement, n);
    if (node.op != ExprOp::Read) return false;
    const Access& read = statement.reads[static_cast<std::size_t>(node.read)];
    return read.tensor == m_tensor && read.indices == maximum().target.indices;
  }
  bool readsWeight(const Statement& statement, std::int32_t n) const {
    const ExprNode& node = nodeOf(statement, n);
    if (node.op != ExprOp::Read) return false;
    const Access& read = statement.reads[static_cast<std::size_t>(node.read)];
    return std::ranges::any_of(m_weights, [&](std::size_t w) {
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
      if (tensor == m_tensor || isWeight(tensor)) return false;
    }
    return std::ranges::all_of(node.operands(), [&](std::int32_t operand) {
      return operand < 0 || isFree(statement, operand);
    });
  }
  bool isWeight(TensorId tensor) const {
    return std::ranges::any_of(
        m_weights, [&](std::size_t w) { return m_kernel.statements[w].target.tensor == tensor; });
  }

  // `exp(x - m)`; all with the same function.
  bool isExponential(const Statement& statement, std::int32_t n) {
    const ExprNode& node = nodeOf(statement, n);
    if (node.op != ExprOp::Exp && node.op != ExprOp::Exp2) return false;
    const ExprNode& difference = nodeOf(statement, node.lhs);
    if (difference.op != ExprOp::Sub || !readsMaximum(statement, difference.rhs) ||
        !isFree(statement, difference.lhs)) {
      return false;
    }
    if (m_exp == ExprOp::Constant) m_exp = node.op;
    return m_exp == node.op;
  }

  bool findWeight(std::size_t s) {
    const Statement& statement = m_kernel.statements[s];
    const bool sameDomain =
        statement.constraints.empty() || statement.constraints == maximum().constraints;
    const auto root = static_cast<std::int32_t>(statement.expr.size()) - 1;
    if (!sameDomain || !isOwnLocal(statement) || !isExponential(statement, root)) return false;
    m_weights.push_back(s);
    return true;
  }

  Scale scaleOf(const Statement& statement, std::int32_t n) {
    const ExprNode& node = nodeOf(statement, n);
    if (readsWeight(statement, n) || isExponential(statement, n)) return Scale::Scaled;
    if (isFree(statement, n)) return Scale::Free;
    if (node.op == ExprOp::Neg) return scaleOf(statement, node.lhs);
    if (node.op != ExprOp::Mul && node.op != ExprOp::Div) return Scale::Bad;
    const Scale left = scaleOf(statement, node.lhs), right = scaleOf(statement, node.rhs);
    if (left == Scale::Scaled && right == Scale::Free) return Scale::Scaled;
    const bool swapped = node.op == ExprOp::Mul && left == Scale::Free && right == Scale::Scaled;
    return swapped ? Scale::Scaled : Scale::Bad;
  }

  // The sums of a statement that has weights below them; elsewhere it may read the maximum.
  bool findSums(std::size_t s) {
    const Statement& statement = m_kernel.statements[s];
    const bool isReader =
        names(s, m_tensor) || std::ranges::any_of(statement.reads, [&](const Access& read) {
          return isWeight(read.tensor);
        });
    if (!isReader) return true;
    if (isOver(s)) return false;
    const std::size_t before = m_sums.size();
    const auto root = static_cast<std::int32_t>(statement.expr.size()) - 1;
    if (!findSumsBelow(s, root)) return false;
    const bool hasSums = m_sums.size() > before;
    return !hasSums || statement.constraints == maximum().constraints;
  }

  bool findSumsBelow(std::size_t s, std::int32_t n) {
    const Statement& statement = m_kernel.statements[s];
    const ExprNode& node = nodeOf(statement, n);
    if (isReduction(node.op)) {
      const bool isOwn = node.loops == std::vector<LoopId>{m_loop};
      if (!isOwn) return isFreeBelow(statement, node) && !kernel::contains(node.loops, m_loop);
      if (node.op != ExprOp::Sum || scaleOf(statement, node.lhs) != Scale::Scaled) return false;
      m_sums.push_back({s, n, {}});
      return true;
    }
    if (node.op == ExprOp::Read) {
      const TensorId tensor = statement.reads[static_cast<std::size_t>(node.read)].tensor;
      if (isWeight(tensor)) return false;
      return tensor != m_tensor || readsMaximum(statement, n);
    }
    return std::ranges::all_of(node.operands(), [&](std::int32_t operand) {
      return operand < 0 || findSumsBelow(s, operand);
    });
  }
  bool isFreeBelow(const Statement& statement, const ExprNode& node) const {
    return isFree(statement, node.lhs);
  }

  TensorId addLocal(const std::string& base, std::vector<std::int64_t> shape, DType dtype,
                    std::optional<double> initial) {
    Tensor tensor;
    tensor.name = base;
    const auto isTaken = [&] {
      return std::ranges::any_of(m_draft.tensors,
                                 [&](const Tensor& other) { return other.name == tensor.name; });
    };
    for (int number = 2; isTaken(); ++number) tensor.name = base + std::to_string(number);
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
  LinearExpr now() const { return LinearExpr::dim(m_loop.index()); }
  LinearExpr before() const { return now() - LinearExpr::number(1); }

  Builder begin(const Access& target, const Statement& like) const {
    Builder builder;
    builder.statement.target = target;
    builder.statement.constraints = maximum().constraints;
    builder.statement.span = like.span;
    return builder;
  }
  void finish(Builder builder) { m_draft.statements.push_back(std::move(builder.statement)); }

  // What a statement that runs along the loop reads instead.
  Builder::Replace along(const Statement& statement) const {
    return [this, &statement](std::int32_t n) -> std::optional<Access> {
      if (!readsMaximum(statement, n)) return std::nullopt;
      return elementOf(m_tensor, now());
    };
  }

  void addMaximum() {
    const Statement& statement = maximum();
    Builder state = begin(elementOf(m_tensor, now()), statement);
    const std::int32_t previous = state.read(elementOf(m_tensor, before()));
    const std::int32_t next = state.copy(statement, statement.expr.back().lhs, along(statement));
    state.add(ExprOp::Max, previous, next);
    finish(std::move(state));
    Builder rescale = begin(elementOf(m_rescale, now()), statement);
    const std::int32_t old = rescale.read(elementOf(m_tensor, before()));
    const std::int32_t grown = rescale.read(elementOf(m_tensor, now()));
    rescale.add(m_exp, rescale.add(ExprOp::Sub, old, grown));
    finish(std::move(rescale));
  }

  void addWeight(const Statement& statement) {
    Builder weight = begin(statement.target, statement);
    weight.copy(statement, static_cast<std::int32_t>(statement.expr.size()) - 1, along(statement));
    finish(std::move(weight));
  }

  struct Sum {
    std::size_t statement = 0;
    std::int32_t node = 0;
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
    std::vector<std::int64_t> shape = m_draft.tensor(m_tensor).shape;
    for (const LoopId loop : otherLoops(statement, operand)) {
      sum.state.indices.push_back(LinearExpr::dim(loop.index()));
      shape.push_back(m_kernel.loop(loop).extent);
    }
    const DType dtype = target.dtype == DType::F64 ? DType::F64 : DType::F32;
    sum.state.tensor = addLocal(target.name + "_sum", std::move(shape), dtype, 0);
    Builder state = begin(sum.state, statement);
    const std::int32_t previous = state.read(at(sum.state, before()));
    const std::int32_t factor = state.read(elementOf(m_rescale, now()));
    const std::int32_t scaled = state.add(ExprOp::Mul, previous, factor);
    const std::int32_t next = state.copy(statement, operand, along(statement));
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
    Builder reader;
    reader.statement = statement;
    reader.statement.expr.clear();
    reader.statement.reads.clear();
    if (!sums.empty()) {
      reader.statement.constraints.clear();
      reader.statement.constraintSpelling.clear();
    }
    const auto root = static_cast<std::int32_t>(statement.expr.size()) - 1;
    reader.copy(statement, root, [&](std::int32_t n) -> std::optional<Access> {
      for (const Sum* sum : sums) {
        if (sum->node == n) return at(sum->state, m_last);
      }
      if (readsMaximum(statement, n)) return elementOf(m_tensor, m_last);
      return std::nullopt;
    });
    finish(std::move(reader));
  }

  // A local that only repeats the end of a sum is read as the sum.
  void dropCopies() {
    for (std::size_t s = m_draft.statements.size(); s-- > 0;) {
      const Statement copy = m_draft.statements[s];
      const bool isEnd = copy.expr.size() == 1 && copy.expr[0].op == ExprOp::Read &&
                         std::ranges::any_of(m_sums, [&](const Sum& sum) {
                           return sum.state.tensor == copy.reads[0].tensor;
                         });
      if (!isEnd || !isOwnLocal(copy) || !isReadAsWritten(copy)) continue;
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
  std::size_t m_at = 0;
  LoopId m_loop;
  TensorId m_tensor;   ///< the maximum
  TensorId m_rescale;  ///< how older state shrinks when the maximum grows
  LinearExpr m_last;
  ExprOp m_exp = ExprOp::Constant;
  std::vector<std::size_t> m_weights;
  std::vector<Sum> m_sums;
  Kernel m_draft;
};

}  // namespace

std::optional<Kernel> withRunningSoftmax(const Kernel& kernel, std::size_t s) {
  Softmax softmax(kernel, s);
  if (!softmax.find()) return std::nullopt;
  return softmax.build();
}

}  // namespace gridloom::kernel
