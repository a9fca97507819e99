// SPDX-License-Identifier: Apache-2.0
#include "kernel/read_outputs.h"

#include <algorithm>

namespace gridloom::kernel {

namespace {

// Whether an element of a tensor needs other elements of it, directly or through other tensors.
bool needsItself(const Kernel& kernel) {
  const std::size_t tensors = kernel.tensors.size();
  std::vector<std::vector<bool>> needs(tensors, std::vector<bool>(tensors));
  for (const Statement& statement : kernel.statements) {
    for (const Access& read : statement.reads) {
      needs[statement.target.tensor.index()][read.tensor.index()] = true;
    }
  }
  for (std::size_t through = 0; through < tensors; ++through) {
    for (std::vector<bool>& of : needs) {
      if (!of[through]) continue;
      for (std::size_t t = 0; t < tensors; ++t) of[t] = of[t] || needs[through][t];
    }
  }
  for (std::size_t t = 0; t < tensors; ++t) {
    if (needs[t][t]) return true;
  }
  return false;
}

// The one statement of a tensor, if it defines all of it with a loop per index.
const Statement* wholeWriter(const Kernel& kernel, TensorId tensor) {
  const Statement* writer = nullptr;
  for (const Statement& statement : kernel.statements) {
    if (statement.target.tensor != tensor) continue;
    if (writer != nullptr) return nullptr;
    writer = &statement;
  }
  const bool plain = writer != nullptr && std::ranges::all_of(writer->target.indices, isBareLoop) &&
                     targetLoops(*writer).size() == writer->target.indices.size();
  return plain ? writer : nullptr;
}

// Statements that define or read `output` do so of `value`.
void readValue(Kernel& kernel, TensorId output, TensorId value) {
  for (Statement& statement : kernel.statements) {
    if (statement.target.tensor == output) statement.target.tensor = value;
    for (Access& read : statement.reads) {
      if (read.tensor == output) read.tensor = value;
    }
  }
}

Statement copyOf(const Statement& writer, TensorId output, TensorId value) {
  Statement copy;
  copy.target = writer.target;
  copy.target.tensor = output;
  copy.reads = {writer.target};
  copy.reads.front().tensor = value;
  copy.expr.push_back({});
  copy.expr.back().op = ExprOp::Read;
  copy.expr.back().read = 0;
  copy.loops = targetLoops(writer);
  copy.span = writer.span;
  return copy;
}

}  // namespace

std::optional<Kernel> withLocalIntermediates(const Kernel& kernel) {
  if (needsItself(kernel)) return std::nullopt;
  Kernel draft = kernel;
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    const TensorId output = TensorId::of(t);
    const bool isRead = std::ranges::any_of(kernel.statements, [&](const Statement& s) {
      return std::ranges::find(s.reads, output, &Access::tensor) != s.reads.end();
    });
    if (kernel.tensor(output).role != TensorRole::Output || !isRead) continue;
    const Statement* writer = wholeWriter(kernel, output);
    if (writer == nullptr) return std::nullopt;
    const TensorId value = TensorId::of(draft.tensors.size());
    Tensor local = kernel.tensor(output);
    do {
      local.name += "_value";
    } while (std::ranges::find(draft.tensors, local.name, &Tensor::name) != draft.tensors.end());
    local.role = TensorRole::Local;
    draft.tensors.push_back(std::move(local));
    readValue(draft, output, value);
    draft.statements.push_back(copyOf(*writer, output, value));
  }
  if (draft.tensors.size() == kernel.tensors.size()) return std::nullopt;
  return draft;
}

}  // namespace gridloom::kernel
