// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernel/check.h"
#include "kernel/dtype.h"
#include "syntax/kernel_parser_scope.h"

namespace gridloom::syntax {

namespace {

using kernel::addNode;
using kernel::ExprNode;
using kernel::ExprOp;

bool isArgReduction(const kernel::Statement& statement) {
  const auto isReduction = [](const ExprNode& node) {
    return node.op == ExprOp::MaxReduce || node.op == ExprOp::MinReduce;
  };
  return isReduction(statement.expr.back()) &&
         std::ranges::count_if(statement.expr, isReduction) == 1;
}

// What the extremes have: the elements' own type, if elements are compared as they are.
kernel::DType valueType(const KernelScope& scope, const kernel::Statement& statement) {
  const bool isElement = statement.expr.size() == 2 && statement.reads.size() == 1;
  return isElement ? scope.draft.tensor(statement.reads.front().tensor).dtype : kernel::DType::F32;
}

// A loop, or one that is moved, as in `Y[t + 1]`.
bool isLoop(const affine::LinearExpr& index) {
  const auto loops = std::ranges::count_if(index.coefficients, [](auto c) { return c != 0; });
  return loops == 1 && std::ranges::max(index.coefficients) == 1;
}

// `Y_max[b]` beside `Y[b]` and `Y[b, 0]`, and its access; none where an index of the target is
// neither a loop nor a number.
std::optional<std::pair<kernel::Tensor, kernel::Access>>
extremeOf(const KernelScope& scope, const kernel::Statement& statement) {
  const kernel::Tensor& target = scope.draft.tensor(statement.target.tensor);
  kernel::Tensor extreme;
  kernel::Access access = statement.target;
  access.tensor = kernel::TensorId::of(scope.draft.tensors.size());
  access.indices.clear();
  access.spelling.clear();
  for (std::size_t d = 0; d < std::min(statement.target.indices.size(), target.shape.size()); ++d) {
    const affine::LinearExpr& index = statement.target.indices[d];
    if (index.isConstant()) continue;
    if (!isLoop(index)) return std::nullopt;
    extreme.shape.push_back(target.shape[d]);
    access.indices.push_back(index);
  }
  if (access.indices.empty()) {
    extreme.shape = {1};
    access.indices = {affine::LinearExpr::number(0)};
  }
  extreme.name = target.name + (statement.expr.back().op == ExprOp::MaxReduce ? "_max" : "_min");
  while (scope.tensorNamed(extreme.name) || scope.parameterNamed(extreme.name)) extreme.name += "_";
  extreme.role = kernel::TensorRole::Local;
  extreme.dtype = valueType(scope, statement);
  extreme.span = statement.target.span;
  return std::pair(std::move(extreme), std::move(access));
}

// The first index at which the body is the extreme.
void findFirst(kernel::Statement& statement, kernel::Access extreme) {
  std::vector<ExprNode>& nodes = statement.expr;
  const ExprNode root = std::move(nodes.back());
  nodes.pop_back();
  const std::int32_t read = addNode(nodes, ExprOp::Read);
  nodes.back().read = static_cast<std::int32_t>(statement.reads.size());
  statement.reads.push_back(std::move(extreme));
  const std::int32_t isIt = addNode(nodes, ExprOp::Equal, root.lhs, read);
  const std::int32_t index = addNode(nodes, ExprOp::Index);
  nodes.back().loop = root.loops.front();
  const std::int32_t none = addNode(nodes, ExprOp::Constant);
  nodes.back().constant = std::numeric_limits<double>::infinity();
  const std::int32_t candidate = addNode(nodes, ExprOp::Select, isIt, index, none);
  addNode(nodes, ExprOp::MinReduce, candidate);
  nodes.back().loops = root.loops;
}

}  // namespace

bool splitArgReduction(KernelScope& scope, kernel::Statement& statement, base::Span span) {
  if (!isArgReduction(statement) || statement.expr.back().loops.size() != 1) {
    scope.fail(span, "an index of an extreme is a statement of its own, over one loop",
               "write `Y[i] = argmax(j) X[i, j]`, with Y a tensor or a local, and read `Y`");
    return false;
  }
  auto extreme = extremeOf(scope, statement);
  if (!extreme) {
    scope.fail(statement.target.span,
               "the target of an index of an extreme is addressed by loops and numbers alone",
               "write it into a local first: `local y[N]: i32`, `y[i] = argmax(j) X[i, j]`");
    return false;
  }
  if (!scope.hasRoom(scope.draft.tensors.size(), kernel::kMaxTensors, "tensors", span) ||
      !scope.hasRoom(scope.draft.statements.size() + 1, kernel::kMaxStatements, "statements",
                     span)) {
    return false;
  }
  kernel::Statement first = statement;
  first.target = extreme->second;
  scope.reads += first.reads.size() + 1;
  scope.draft.tensors.push_back(std::move(extreme->first));
  findFirst(statement, std::move(extreme->second));
  scope.draft.statements.push_back(std::move(first));
  statement.comments.clear();
  return true;
}

}  // namespace gridloom::syntax
