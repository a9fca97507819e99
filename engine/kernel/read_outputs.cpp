// SPDX-License-Identifier: Apache-2.0
#include "kernel/read_outputs.h"

#include <algorithm>

#include "kernel/copies.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

// A statement of a tensor whose loops, without its `where`, run over all of it; none if another one
// has an index that is not a loop of its own.
const Statement* wholeWriter(const Kernel& kernel, TensorId tensor) {
  const Statement* whole = nullptr;
  for (const Statement& statement : kernel.statements) {
    if (statement.target.tensor != tensor) continue;
    if (!hasLoopPerIndex(statement)) return nullptr;
    std::vector<std::int64_t> extents;
    for (const LoopId loop : targetLoops(statement)) extents.push_back(kernel.loop(loop).extent);
    if (extents == kernel.tensor(tensor).shape) whole = &statement;
  }
  return whole;
}

// A local tensor like an output.
TensorId addValue(Kernel& kernel, TensorId output) {
  Tensor local = tensorLike(kernel, kernel.tensor(output), "_value");
  local.role = TensorRole::Local;
  kernel.tensors.push_back(std::move(local));
  return TensorId::of(kernel.tensors.size() - 1);
}

bool countsDown(const affine::LinearExpr& index) {
  return std::ranges::all_of(index.coefficients,
                             [](std::int64_t c) { return c == 0 || c == -1; }) &&
         std::ranges::count(index.coefficients, -1) == 1;
}

// The output that needs its own elements, and the dimensions along which its statement counts down.
struct Backward {
  std::size_t statement = 0;
  std::vector<std::size_t> dims;
};

std::optional<Backward> backwardIn(const Kernel& kernel) {
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    const Statement& statement = kernel.statements[s];
    const TensorId tensor = statement.target.tensor;
    const auto ofTensor = [&](const Access& access) { return access.tensor == tensor; };
    if (kernel.tensor(tensor).role != TensorRole::Output ||
        std::ranges::none_of(statement.reads, ofTensor)) {
      continue;
    }
    Backward found{s, {}};
    for (std::size_t d = 0; d < statement.target.indices.size(); ++d) {
      if (countsDown(statement.target.indices[d])) found.dims.push_back(d);
    }
    if (!found.dims.empty()) return found;
  }
  return std::nullopt;
}

// Counts the dimensions of an access from the end.
void turn(Access& access, const std::vector<std::size_t>& dims, const Tensor& tensor) {
  for (const std::size_t d : dims) {
    access.indices[d] = affine::LinearExpr::number(tensor.shape[d] - 1) - access.indices[d];
  }
  access.spelling.clear();
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

// One output as a local tensor that counts from the end, and a copy of that.
std::optional<Kernel> turnedForward(const Kernel& kernel, const Backward& backward) {
  const Statement& writer = kernel.statements[backward.statement];
  const TensorId output = writer.target.tensor;
  Kernel draft = kernel;
  const TensorId value = addValue(draft, output);
  for (Statement& statement : draft.statements) {
    if (statement.target.tensor == output) {
      turn(statement.target, backward.dims, kernel.tensor(output));
    }
    for (Access& read : statement.reads) {
      if (read.tensor == output) turn(read, backward.dims, kernel.tensor(output));
    }
  }
  readValue(draft, output, value);
  const Statement* forward = wholeWriter(draft, value);
  if (forward == nullptr) return std::nullopt;
  draft.statements.push_back(copyOf(*forward, writer.target, value));
  return draft;
}

}  // namespace

std::optional<Kernel> withLocalIntermediates(const Kernel& kernel) {
  if (TensorCycles(kernel).any()) return std::nullopt;
  Kernel draft = kernel;
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    const TensorId output = TensorId::of(t);
    const bool isRead = std::ranges::any_of(kernel.statements, [&](const Statement& s) {
      return std::ranges::find(s.reads, output, &Access::tensor) != s.reads.end();
    });
    if (kernel.tensor(output).role != TensorRole::Output || !isRead) continue;
    const Statement* writer = wholeWriter(kernel, output);
    if (writer == nullptr) return std::nullopt;
    const TensorId value = addValue(draft, output);
    readValue(draft, output, value);
    draft.statements.push_back(copyOf(*writer, writer->target, value));
  }
  if (draft.tensors.size() == kernel.tensors.size()) return std::nullopt;
  return draft;
}

std::optional<Kernel> withForwardState(const Kernel& kernel) {
  std::optional<Kernel> forward;
  auto backward = backwardIn(kernel);
  while (backward) {
    forward = turnedForward(forward ? *forward : kernel, *backward);
    if (!forward) return std::nullopt;
    backward = backwardIn(*forward);
  }
  return forward;
}

}  // namespace gridloom::kernel
