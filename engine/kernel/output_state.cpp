// SPDX-License-Identifier: Apache-2.0
#include "kernel/output_state.h"

#include <algorithm>

#include "kernel/tensor_cycles.h"
#include "kernel/tile_nest.h"
#include "kernel/undefined_zeros.h"

namespace gridloom::kernel {

namespace {

bool isRead(const Kernel& kernel, TensorId tensor) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& s) {
    return std::ranges::find(s.reads, tensor, &Access::tensor) != s.reads.end();
  });
}

auto writersOf(const Kernel& kernel, TensorId tensor) {
  return std::ranges::count(kernel.statements, tensor,
                            [](const Statement& s) { return s.target.tensor; });
}

// The kernel without the copy: the output takes the place of the state.
Kernel withoutCopy(const Kernel& kernel, std::size_t copy) {
  Kernel draft = kernel;
  const TensorId state = kernel.statements[copy].reads.front().tensor;
  const TensorId output = kernel.statements[copy].target.tensor;
  draft.tensors[output.index()].initial = kernel.tensor(state).initial;
  draft.tensors.erase(draft.tensors.begin() + static_cast<std::ptrdiff_t>(state.index()));
  draft.statements.erase(draft.statements.begin() + static_cast<std::ptrdiff_t>(copy));
  const auto rename = [&](Access& access) {
    TensorId& tensor = access.tensor;
    if (tensor == state) tensor = output;
    if (tensor.index() > state.index()) tensor = TensorId::of(tensor.index() - 1);
  };
  for (Statement& statement : draft.statements) {
    rename(statement.target);
    for (Access& read : statement.reads) {
      rename(read);
      for (IndexRead& index : read.gathers) rename(index.access);
    }
  }
  return draft;
}

// As many as the largest of the usual meshes has cores.
constexpr double kManyTiles = 64;

// Whether a step sums over elements of the one before: such work fills a matrix unit, and cores
// gain from sharing it however many parallel loops there are.
bool sumsState(const Kernel& kernel) {
  const TensorCycles cycles(kernel);
  return std::ranges::any_of(kernel.statements, [&](const Statement& s) {
    return !s.reductions.empty() && std::ranges::any_of(s.reads, [&](const Access& read) {
      return cycles.isBetween(read.tensor, s.target.tensor);
    });
  });
}

// Whether cores may share the parallel loops, each with tiles of its own.
bool hasManyParallel(const Kernel& kernel, const TileNest& nest) {
  double tiles = 1;
  for (const LoopId loop : nest.parallel) tiles *= static_cast<double>(kernel.loop(loop).extent);
  return !nest.parallel.empty() && tiles >= kManyTiles;
}

}  // namespace

bool copiesState(const Kernel& kernel, const Statement& copy) {
  const bool plain = copy.expr.size() == 1 && copy.reads.size() == 1 && copy.constraints.empty();
  if (!plain || copy.target.indices.size() < 2) return false;
  const TensorId from = copy.reads.front().tensor, to = copy.target.tensor;
  const Tensor& state = kernel.tensor(from);
  const Tensor& output = kernel.tensor(to);
  if (state.role != TensorRole::Local || output.role != TensorRole::Output) return false;
  if (copy.reads.front().indices != copy.target.indices || state.shape != output.shape ||
      state.dtype != output.dtype) {
    return false;
  }
  const bool alike = std::ranges::any_of(kernel.statements, [&](const Statement& s) {
    return s.target.tensor == from && s.target.indices == copy.target.indices;
  });
  return alike && TensorCycles(kernel).isBetween(from, from) && writersOf(kernel, to) == 1 &&
         !isRead(kernel, to);
}

std::optional<Kernel> withStoredLocals(const Kernel& kernel) {
  const TensorCycles cycles(kernel);
  std::vector<std::vector<std::int64_t>> shapes;
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    const Tensor& output = kernel.tensors[t];
    if (output.role != TensorRole::Output) continue;
    if (cycles.isBetween(TensorId::of(t), TensorId::of(t))) shapes.push_back(output.shape);
  }
  Kernel draft = kernel;
  bool changed = false;
  for (Tensor& tensor : draft.tensors) {
    const bool isBeside = std::ranges::find(shapes, tensor.shape) != shapes.end();
    if (tensor.role != TensorRole::Local || !isBeside) continue;
    tensor.role = TensorRole::Output;
    changed = true;
  }
  if (!changed) return std::nullopt;
  addUndefinedZeros(draft);
  return draft;
}

std::optional<Kernel> withOutputState(const Kernel& kernel) {
  Kernel draft = kernel;
  const auto isCopy = [&](const Statement& s) { return copiesState(draft, s); };
  for (;;) {
    const auto copy = std::ranges::find_if(draft.statements, isCopy);
    if (copy == draft.statements.end()) break;
    draft = withoutCopy(draft, static_cast<std::size_t>(copy - draft.statements.begin()));
  }
  if (draft.statements.size() == kernel.statements.size()) return std::nullopt;
  if (auto stored = withStoredLocals(draft)) draft = *std::move(stored);
  const auto nest = tileNest(kernel);
  if (!nest) return draft;
  if (nest->merge || (hasManyParallel(kernel, *nest) && !sumsState(kernel))) return std::nullopt;
  return draft;
}

}  // namespace gridloom::kernel
