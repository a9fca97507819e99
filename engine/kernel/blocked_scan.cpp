// SPDX-License-Identifier: Apache-2.0
#include "kernel/blocked_scan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/units.h"
#include "kernel/copies.h"
#include "kernel/local_state.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/repeated_values.h"
#include "kernel/scopes.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;
using Nodes = std::vector<ExprNode>;

/// Enough blocks for the cores of the usual meshes, each long enough to be worth its own transfers.
constexpr std::int64_t kFewestBlocks = 32, kMostBlocks = 256, kShortestBlock = 64;

/// `p[i] = p[i - 1] + x`, in any order of its terms.
struct RunningSum {
  const Statement* step = nullptr;
  Statement added;         ///< holds x
  std::int32_t root = -1;  ///< its node in there
  LoopId loop;
};

bool isReadOf(const Statement& statement, std::int32_t n, TensorId tensor) {
  const ExprNode& node = nodeOf(statement, n);
  return node.op == ExprOp::Read &&
         statement.reads[static_cast<std::size_t>(node.read)].tensor == tensor;
}

// The sum that has the state before as one of its terms.
std::int32_t sumWith(const Statement& statement, std::int32_t n, TensorId state) {
  const ExprNode& node = nodeOf(statement, n);
  if (node.op != ExprOp::Add) return -1;
  if (isReadOf(statement, node.lhs, state) || isReadOf(statement, node.rhs, state)) return n;
  const std::int32_t left = sumWith(statement, node.lhs, state);
  return left >= 0 ? left : sumWith(statement, node.rhs, state);
}

// The statement without that term, as a sum of all others.
RunningSum withoutState(const Statement& step, std::int32_t sum, LoopId loop) {
  RunningSum running{&step, step, -1, loop};
  const bool isLeft = isReadOf(step, nodeOf(step, sum).lhs, step.target.tensor);
  std::int32_t at = 0;
  rebuildExpression(running.added, [&](ExprNode node, Nodes& nodes) {
    const bool isSum = at++ == sum;
    running.root = !isSum ? addNode(nodes, std::move(node)) : isLeft ? node.rhs : node.lhs;
    return running.root;
  });
  return running;
}

std::optional<RunningSum> runningSum(const Statement& statement) {
  const std::vector<LoopId> loops = loopPerIndex(statement.target);
  if (loops.size() != 1 || statement.loops != loops) return std::nullopt;
  const TensorId state = statement.target.tensor;
  const auto root = static_cast<std::int32_t>(statement.expr.size()) - 1;
  const std::int32_t sum = sumWith(statement, root, state);
  if (sum < 0) return std::nullopt;
  const auto before = std::ranges::find(statement.reads, state, &Access::tensor);
  const auto reads = std::ranges::count(statement.reads, state, &Access::tensor);
  const LinearExpr last = statement.target.indices[0] - LinearExpr::number(1);
  const bool isGather = std::ranges::any_of(statement.reads, &Access::isGather);
  if (reads != 1 || isGather || !(before->indices[0] == last)) return std::nullopt;
  return withoutState(statement, sum, loops.front());
}

// The statement with the reads that it has at the first index of the loop.
Statement atFirst(Statement statement, LoopId loop) {
  for (Access& read : statement.reads) {
    for (LinearExpr& index : read.indices) {
      index = index - LinearExpr::dim(loop.index(), index.coefficient(loop.index()));
    }
  }
  return statement;
}

// The sum that all statements of a kernel with one state make; the last one copies it.
std::optional<RunningSum> runningSumOf(const Kernel& kernel) {
  const std::vector<Statement>& all = kernel.statements;
  if (all.size() < 2 || all.size() > 3) return std::nullopt;
  const Statement& copy = all.back();
  const auto sum = runningSum(all[all.size() - 2]);
  if (!sum) return std::nullopt;
  const TensorId state = sum->step->target.tensor;
  const Tensor& tensor = kernel.tensor(state);
  const bool isCopied = copy.expr.size() == 1 && isReadOf(copy, 0, state) &&
                        copy.reads[0].indices == copy.target.indices && copy.constraints.empty();
  if (!isCopied || tensor.role != TensorRole::Local || tensor.initial != 0.0) return std::nullopt;
  if (all.size() == 2) return sum->step->constraints.empty() ? sum : std::nullopt;
  // `p[i] = x where i < 1` begins as the state does.
  const Statement& first = all.front();
  const auto root = static_cast<std::int32_t>(first.expr.size()) - 1;
  const affine::Image begun = definedBy(kernel, first);
  const auto bounds = affine::boundsOf(begun.domain, LinearExpr::dim(sum->loop.index()));
  const bool begins =
      first.target.tensor == state && bounds && bounds->max == 0 &&
      sameValue(atFirst(first, sum->loop), root, atFirst(sum->added, sum->loop), sum->root);
  return begins ? sum : std::nullopt;
}

struct Blocks {
  std::int64_t count = 0, length = 0;
};

// Of one length where there are such; else the last one is shorter.
std::optional<Blocks> blocksOf(std::int64_t length) {
  for (std::int64_t blocks = kMostBlocks; blocks >= kFewestBlocks; --blocks) {
    if (length % blocks == 0 && length / blocks >= kShortestBlock)
      return Blocks{blocks, length / blocks};
  }
  if (length < kFewestBlocks * kShortestBlock) return std::nullopt;
  const std::int64_t each = std::max(kShortestBlock, base::ceilDiv(length, kMostBlocks));
  return Blocks{base::ceilDiv(length, each), each};
}

class BlockedScan {
 public:
  BlockedScan(const Kernel& kernel, const RunningSum& sum, Blocks blocks)
      : m_kernel(kernel),
        m_draft(kernel),
        m_sum(sum),
        m_blocks(blocks.count),
        m_length(blocks.length) {
    m_block = addLoop("block", m_blocks);
    m_place = addLoop("place", m_length);
    m_sums = addState("sums", {m_blocks, m_length});
    m_before = addState("before", {m_blocks});
  }

  Kernel build() {
    const LinearExpr b = LinearExpr::dim(m_block.index()), r = LinearExpr::dim(m_place.index());
    const LinearExpr one = LinearExpr::number(1);
    Access output = m_kernel.statements.back().target;
    output.indices = {index()};
    output.spelling.clear();
    const Access here = of(m_sums, {b, r});
    const Access last = of(m_sums, {b, r - one});
    m_draft.statements = {running(here, last),
                          sumOf(of(m_before, {b}), of(m_before, {b - one}),
                                of(m_sums, {b - one, LinearExpr::number(m_length - 1)})),
                          sumOf(output, here, of(m_before, {b}))};
    endWithRow(here, last);
    base::Diagnostics errors;
    for (Statement& statement : m_draft.statements) {
      statement.span = m_sum.step->span;
      takeScope(m_draft, statement, errors);
    }
    return std::move(m_draft);
  }

 private:
  LoopId addLoop(std::string_view name, std::int64_t extent) {
    Loop loop;
    loop.name = freeName(m_draft, name);
    loop.extent = loop.declared = extent;
    loop.span = m_sum.step->span;
    m_draft.loops.push_back(std::move(loop));
    return LoopId::of(m_draft.loops.size() - 1);
  }

  TensorId addState(const std::string& name, std::vector<std::int64_t> shape) {
    Tensor state = m_kernel.tensor(m_sum.step->target.tensor);
    state.name = freeName(m_draft, name);
    state.shape = std::move(shape);
    state.shapeSpelling.clear();
    state.initial = 0;
    m_draft.tensors.push_back(std::move(state));
    return TensorId::of(m_draft.tensors.size() - 1);
  }

  // The last block may be shorter than the others: behind it, its sum stays.
  void endWithRow(const Access& here, const Access& last) {
    const std::int64_t row = m_kernel.loop(m_sum.loop).extent;
    if (m_blocks * m_length == row) return;
    Statement rest;
    rest.target = here;
    rest.reads = {last};
    addNode(rest.expr, ExprOp::Read);
    rest.expr.back().read = 0;
    rest.constraints = {{index() - LinearExpr::number(row)}};
    m_draft.statements.insert(m_draft.statements.begin() + 1, std::move(rest));
    const affine::Constraint inside{LinearExpr::number(row - 1) - index()};
    m_draft.statements.front().constraints = {inside};
    m_draft.statements.back().constraints = {inside};
  }

  LinearExpr index() const {
    return LinearExpr::dim(m_block.index(), m_length) + LinearExpr::dim(m_place.index());
  }

  Access of(TensorId tensor, std::vector<LinearExpr> indices) const {
    return {tensor, std::move(indices), m_sum.step->span, {}, {}};
  }

  static Statement sumOf(Access target, Access a, Access b) {
    Statement statement;
    statement.target = std::move(target);
    statement.reads = {std::move(a), std::move(b)};
    for (const std::int32_t read : {0, 1}) {
      addNode(statement.expr, ExprOp::Read);
      statement.expr.back().read = read;
    }
    addNode(statement.expr, ExprOp::Add, 0, 1);
    return statement;
  }

  // The step of the sum, within a block.
  Statement running(const Access& target, const Access& last) const {
    Statement statement = *m_sum.step;
    statement.target = target;
    statement.constraints.clear();
    statement.constraintSpelling.clear();
    for (Access& read : statement.reads) {
      if (read.tensor == m_sum.step->target.tensor) {
        read = last;
        continue;
      }
      for (LinearExpr& i : read.indices) {
        i = LinearExpr::number(i.constant) + index() * i.coefficient(m_sum.loop.index());
      }
      read.spelling.clear();
    }
    rebuildExpression(statement, [&](ExprNode node, Nodes& nodes) {
      return node.op == ExprOp::Index ? addIndex(nodes) : addNode(nodes, std::move(node));
    });
    return statement;
  }

  std::int32_t addIndex(Nodes& nodes) const {
    const std::int32_t length = addNode(nodes, ExprOp::Constant);
    nodes.back().constant = static_cast<double>(m_length);
    const std::int32_t block = addNode(nodes, ExprOp::Index);
    nodes.back().loop = m_block;
    const std::int32_t begin = addNode(nodes, ExprOp::Mul, length, block);
    const std::int32_t place = addNode(nodes, ExprOp::Index);
    nodes.back().loop = m_place;
    return addNode(nodes, ExprOp::Add, begin, place);
  }

  const Kernel& m_kernel;
  Kernel m_draft;
  RunningSum m_sum;
  std::int64_t m_blocks, m_length;
  LoopId m_block, m_place;
  TensorId m_sums, m_before;
};

}  // namespace

std::optional<Kernel> withBlockedScan(const Kernel& kernel) {
  const std::optional<Kernel> onOutput = withLocalState(kernel);
  const Kernel& state = onOutput ? *onOutput : kernel;
  const auto sum = runningSumOf(state);
  if (!sum) return std::nullopt;
  const auto blocks = blocksOf(state.loop(sum->loop).extent);
  if (!blocks) return std::nullopt;
  return BlockedScan(state, *sum, *blocks).build();
}

}  // namespace gridloom::kernel
