// SPDX-License-Identifier: Apache-2.0
#include "kernel/followed_states.h"

#include <algorithm>

#include "kernel/running_read.h"

namespace gridloom::kernel {

namespace {

// Marks the tensors that `statement` reads, directly or through others.
void markSources(const Kernel& kernel, const Statement& statement, std::vector<bool>& isSource) {
  for (const Access& read : statement.reads) {
    if (isSource[read.tensor.index()]) continue;
    isSource[read.tensor.index()] = true;
    for (const Statement& writer : kernel.statements) {
      if (writer.target.tensor == read.tensor) markSources(kernel, writer, isSource);
    }
  }
}

LoopId stateLoop(const Kernel& kernel, const Statement& statement) {
  if (const auto running = runningRead(statement)) return running->loop;
  return rescaledLoop(kernel, statement).value_or(LoopId{});
}

}  // namespace

std::vector<LoopId> followedStates(const Kernel& kernel) {
  std::vector<LoopId> followed(kernel.statements.size());
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    const Statement& state = kernel.statements[s];
    const LoopId loop = stateLoop(kernel, state);
    if (!loop.valid()) continue;
    const bool isFollowed = std::ranges::any_of(kernel.statements, [&](const Statement& reader) {
      if (kernel.tensor(reader.target.tensor).role != TensorRole::Output) return false;
      if (!contains(targetLoops(reader), loop)) return false;
      if (reader.target.tensor == state.target.tensor) return true;
      std::vector<bool> isSource(kernel.tensors.size(), false);
      markSources(kernel, reader, isSource);
      return static_cast<bool>(isSource[state.target.tensor.index()]);
    });
    if (isFollowed) followed[s] = loop;
  }
  return followed;
}

}  // namespace gridloom::kernel
