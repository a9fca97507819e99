// SPDX-License-Identifier: Apache-2.0
#include "kernel/masked_softmax.h"

#include <algorithm>
#include <limits>

#include "kernel/read_guards.h"
#include "kernel/softmax_pattern.h"

namespace gridloom::kernel {

namespace {

bool isLowest(const Statement& statement, std::int32_t n) {
  const ExprNode& node = nodeOf(statement, n);
  return node.op == ExprOp::Constant && node.constant == -std::numeric_limits<double>::infinity();
}

// The mask of `select(c, x, -inf)` or `select(c, -inf, x)` at the root of a statement.
std::optional<std::vector<affine::Constraint>> maskOf(const Kernel& kernel,
                                                      const Statement& statement) {
  const ExprNode& root = statement.expr.back();
  if (root.op != ExprOp::Select || isLowest(statement, root.rhs) == isLowest(statement, root.other))
    return std::nullopt;
  return conditionOf(kernel, statement, root.lhs, isLowest(statement, root.other));
}

// The statement without its mask: what it chooses becomes the root.
void dropMask(Statement& statement) {
  const ExprNode root = statement.expr.back();
  const std::int32_t chosen = isLowest(statement, root.other) ? root.rhs : root.other;
  std::vector<ExprNode> nodes;
  std::vector<Access> reads;
  const auto copy = [&](const auto& self, std::int32_t n) -> std::int32_t {
    ExprNode node = nodeOf(statement, n);
    for (std::int32_t* operand : {&node.lhs, &node.rhs, &node.other}) {
      if (*operand >= 0) *operand = self(self, *operand);
    }
    if (node.op == ExprOp::Read) {
      reads.push_back(statement.reads[static_cast<std::size_t>(node.read)]);
      node.read = static_cast<std::int32_t>(reads.size()) - 1;
    }
    nodes.push_back(std::move(node));
    return static_cast<std::int32_t>(nodes.size()) - 1;
  };
  copy(copy, chosen);
  statement.expr = std::move(nodes);
  statement.reads = std::move(reads);
}

void limit(Statement& statement, const std::vector<affine::Constraint>& mask) {
  statement.constraints.insert(statement.constraints.end(), mask.begin(), mask.end());
  statement.constraintSpelling.clear();
}

// The statement that defines what the maximum is taken of, element by element.
std::optional<std::size_t> sourceOf(const Kernel& kernel, const SoftmaxPattern& softmax) {
  const Statement& maximum = kernel.statements[softmax.maximum];
  const ExprNode& element = nodeOf(maximum, nodeOf(maximum, softmax.reduction).lhs);
  if (element.op != ExprOp::Read) return std::nullopt;
  const Access& read = maximum.reads[static_cast<std::size_t>(element.read)];
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    const Statement& statement = kernel.statements[s];
    if (statement.target.tensor != read.tensor) continue;
    const bool isElement = statement.target.indices == read.indices;
    return isElement && isPlainLocal(kernel, statement) ? std::optional(s) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Kernel> withMaskedSoftmax(const Kernel& kernel, std::size_t s) {
  const auto softmax = softmaxAt(kernel, s);
  const auto source = softmax ? sourceOf(kernel, *softmax) : std::nullopt;
  const auto mask = source ? maskOf(kernel, kernel.statements[*source]) : std::nullopt;
  if (!mask) return std::nullopt;
  std::vector<std::size_t> readers = softmax->weights;
  for (const SoftmaxPattern::Sum& sum : softmax->sums) readers.push_back(sum.statement);
  readers.push_back(s);
  std::ranges::sort(readers);
  readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
  Kernel draft = kernel;
  for (std::size_t r = 0; r < kernel.statements.size(); ++r) {
    const bool reads = std::ranges::any_of(kernel.statements[r].reads, [&](const Access& read) {
      return read.tensor == kernel.statements[*source].target.tensor;
    });
    const bool isOfSoftmax = std::ranges::binary_search(readers, r);
    if (reads && !isOfSoftmax) return std::nullopt;
    if (isOfSoftmax) limit(draft.statements[r], *mask);
  }
  dropMask(draft.statements[*source]);
  limit(draft.statements[*source], *mask);
  return draft;
}

}  // namespace gridloom::kernel
