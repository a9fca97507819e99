// SPDX-License-Identifier: Apache-2.0
#include "kernel/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/renumbered_loops.h"
#include "kernel/softmax_pattern.h"

namespace gridloom::kernel {

std::string freeName(const Kernel& kernel, std::string_view wanted) {
  std::string name(wanted);
  const auto isOf = [&](const auto& named) { return named.name == name; };
  const auto isTaken = [&] {
    return std::ranges::any_of(kernel.tensors, isOf) || std::ranges::any_of(kernel.loops, isOf) ||
           std::ranges::any_of(kernel.parameters, isOf);
  };
  for (int number = 2; isTaken(); ++number) name = fmt::format("{}{}", wanted, number);
  return name;
}

Tensor tensorLike(const Kernel& kernel, const Tensor& like, std::string_view suffix) {
  Tensor tensor = like;
  tensor.of = writtenName(like);
  tensor.name = freeName(kernel, fmt::format("{}{}", like.name, suffix));
  return tensor;
}

const std::string& writtenName(const Tensor& tensor) {
  return tensor.of.empty() ? tensor.name : tensor.of;
}

Statement copyOf(const Statement& writer, Access to, TensorId value) {
  Statement copy;
  copy.target = std::move(to);
  copy.reads = {writer.target};
  copy.reads.front().tensor = value;
  copy.expr.push_back({});
  copy.expr.back().op = ExprOp::Read;
  copy.expr.back().read = 0;
  copy.loops = targetLoops(writer);
  copy.span = writer.span;
  return copy;
}

namespace {

bool isLocalCopy(const Kernel& kernel, const Statement& statement) {
  if (statement.expr.size() != 1 || statement.reads.size() != 1 || !hasLoopPerIndex(statement) ||
      !isPlainLocal(kernel, statement)) {
    return false;
  }
  const TensorId source = statement.reads[0].tensor;
  return std::ranges::any_of(kernel.statements, [&](const Statement& writer) {
    return writer.target.tensor == source && isPlainLocal(kernel, writer) &&
           writer.constraints == statement.constraints;
  });
}

}  // namespace

void dropLocalCopies(Kernel& kernel) {
  for (std::size_t s = kernel.statements.size(); s-- > 0;) {
    if (!isLocalCopy(kernel, kernel.statements[s])) continue;
    const Statement copy = kernel.statements[s];
    const std::vector<LoopId> loops = loopPerIndex(copy.target);
    kernel.statements.erase(kernel.statements.begin() + static_cast<std::ptrdiff_t>(s));
    std::vector<affine::LinearExpr> values(kernel.loops.size());
    for (Statement& statement : kernel.statements) {
      for (Access& read : statement.reads) {
        if (read.tensor != copy.target.tensor) continue;
        for (std::size_t d = 0; d < loops.size(); ++d) values[loops[d].index()] = read.indices[d];
        read = withLoopsAt(copy.reads[0], values);
      }
    }
  }
}

}  // namespace gridloom::kernel
