// SPDX-License-Identifier: Apache-2.0
#include "kernel/copies.h"

#include <algorithm>
#include <utility>

namespace gridloom::kernel {

std::string freeTensorName(const Kernel& kernel, std::string name, std::string_view suffix) {
  while (std::ranges::find(kernel.tensors, name, &Tensor::name) != kernel.tensors.end()) {
    name += suffix;
  }
  return name;
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
