// SPDX-License-Identifier: Apache-2.0
#include "kernel/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

}  // namespace gridloom::kernel
