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

// `Y_max[b]` beside `Y[b]`, `Y[b, 0]` and `Y[b + H]`, `Y_max[a, b]` beside `Y[4 * a + b]`: a
// dimension for each loop of the target, and its access.
std::pair<kernel::Tensor, kernel::Access> extremeOf(const KernelScope& scope,
                                                    const kernel::Statement& statement) {
  const kernel::Tensor& target = scope.draft.tensor(statement.target.tensor);
  kernel::Tensor extreme;
  kernel::Access access = statement.target;
  access.tensor = kernel::TensorId::of(scope.draft.tensors.size());
  access.indices.clear();
  access.spelling.clear();
  for (const kernel::LoopId loop : kernel::loopsOf(statement.target)) {
    extreme.shape.push_back(0);
    access.indices.push_back(affine::LinearExpr::dim(loop.index()));
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
  return {std::move(extreme), std::move(access)};
}

// What would be reported of both statements.
bool hasLoops(KernelScope& scope, const kernel::Statement& statement) {
  const std::vector<kernel::LoopId> own = kernel::loopsOf(statement.target);
  const std::string target = toString(scope.draft, statement.target);
  const kernel::LoopId reduced = statement.expr.back().loops.front();
  if (kernel::contains(own, reduced)) {
    scope.fail(statement.span,
               fmt::format("`{}` is reduced, but `{}` is addressed by it",
                           scope.draft.loop(reduced).name, target),
               "use different loops for the result and the reduction");
    return false;
  }
  const auto under = kernel::enclosingReductions(statement);
  for (std::size_t n = 0; n < statement.expr.size(); ++n) {
    if (statement.expr[n].op != ExprOp::Read) continue;
    const kernel::Access& read = statement.reads[static_cast<std::size_t>(statement.expr[n].read)];
    for (const kernel::LoopId loop : kernel::loopsOf(read)) {
      if (kernel::contains(own, loop) || kernel::contains(under[n], loop)) continue;
      scope.fail(read.span,
                 fmt::format("`{}` in `{}` is neither a loop of `{}` nor reduced here",
                             scope.draft.loop(loop).name, toString(scope.draft, read), target),
                 "index the result with it");
      return false;
    }
  }
  return true;
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
  if (!hasLoops(scope, statement)) return false;
  auto [extreme, access] = extremeOf(scope, statement);
  if (!scope.hasRoom(scope.draft.tensors.size(), kernel::kMaxTensors, "tensors", span) ||
      !scope.hasRoom(scope.draft.statements.size() + 1, kernel::kMaxStatements, "statements",
                     span)) {
    return false;
  }
  kernel::Statement first = statement;
  first.target = access;
  scope.reads += first.reads.size() + 1;
  scope.draft.tensors.push_back(std::move(extreme));
  findFirst(statement, std::move(access));
  scope.draft.statements.push_back(std::move(first));
  statement.comments.clear();
  return true;
}

}  // namespace gridloom::syntax
