// SPDX-License-Identifier: Apache-2.0
#include "kernel/read_copies.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/dependences.h"
#include "kernel/embedded_statements.h"
#include "kernel/output_state.h"
#include "kernel/rebuilt_expression.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using Nodes = std::vector<ExprNode>;

// The indices of a read that may be before the first element; none if one is no loop + constant.
std::optional<std::vector<PlainIndex>> earlyIndices(const Kernel& kernel,
                                                    const Statement& statement, std::size_t read) {
  std::vector<PlainIndex> early;
  const affine::IntegerSet domain = readDomain(kernel, statement, read);
  for (const affine::LinearExpr& index : statement.reads[read].indices) {
    const auto bounds = affine::boundsOf(domain, index);
    if (!bounds || bounds->min >= 0) continue;
    const auto plain = plainIndex(index);
    if (!plain || !plain->loop.valid()) return std::nullopt;
    early.push_back(*plain);
  }
  return early;
}

// `loop >= -offset` for all of them.
std::int32_t addCondition(Nodes& nodes, const std::vector<PlainIndex>& early) {
  std::int32_t condition = -1;
  for (const PlainIndex& index : early) {
    const std::int32_t loop = addNode(nodes, ExprOp::Index);
    nodes.back().loop = index.loop;
    const std::int32_t first = addNode(nodes, ExprOp::Constant);
    nodes.back().constant = static_cast<double>(-index.offset);
    const std::int32_t holds = addNode(nodes, ExprOp::GreaterEqual, loop, first);
    condition = condition < 0 ? holds : addNode(nodes, ExprOp::And, condition, holds);
  }
  return condition;
}

// Chooses the initial value where an index of the read is before the first element.
void guardRead(Statement& statement, std::size_t read, const std::vector<PlainIndex>& early,
               double initial) {
  if (early.empty()) return;
  rebuildExpression(statement, [&](ExprNode node, Nodes& nodes) {
    const bool isGuarded = node.op == ExprOp::Read && node.read == static_cast<std::int32_t>(read);
    const std::int32_t place = addNode(nodes, std::move(node));
    if (!isGuarded) return place;
    const std::int32_t condition = addCondition(nodes, early);
    const std::int32_t otherwise = addNode(nodes, ExprOp::Constant);
    nodes.back().constant = initial;
    return addNode(nodes, ExprOp::Select, condition, place, otherwise);
  });
}

bool readInstead(const Kernel& kernel, Statement& statement, TensorId state, TensorId output) {
  const double initial = *kernel.tensor(state).initial;
  for (std::size_t r = 0; r < statement.reads.size(); ++r) {
    if (statement.reads[r].tensor != state) continue;
    const auto early = earlyIndices(kernel, statement, r);
    if (!early) return false;
    guardRead(statement, r, *early, initial);
    statement.reads[r].tensor = output;
  }
  return true;
}

// Other statements read the output that statement `at` copies from state. Nothing where none does.
std::optional<Kernel> readCopy(const Kernel& kernel, std::size_t at) {
  const TensorId state = kernel.statements[at].reads.front().tensor;
  const TensorId output = kernel.statements[at].target.tensor;
  const TensorCycles cycles(kernel);
  Kernel draft = kernel;
  std::size_t last = 0;
  bool isRead = false;
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    Statement& statement = draft.statements[s];
    if (statement.target.tensor == state) last = s;
    const auto reads = std::ranges::find(statement.reads, state, &Access::tensor);
    if (s == at || reads == statement.reads.end() ||
        cycles.isBetween(statement.target.tensor, state)) {
      continue;
    }
    if (!readInstead(kernel, statement, state, output)) return std::nullopt;
    isRead = true;
  }
  if (!isRead || at < last) return std::nullopt;
  const auto first = draft.statements.begin() + static_cast<std::ptrdiff_t>(last + 1);
  const auto copy = draft.statements.begin() + static_cast<std::ptrdiff_t>(at);
  std::rotate(first, copy, copy + 1);
  return draft;
}

// Whether a statement outside of its recurrence reads state at every index. A copy of state that is
// read at its end alone would store all of it.
bool isReadThroughout(const Kernel& kernel, const TensorCycles& cycles, TensorId state) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& s) {
    return !cycles.isBetween(s.target.tensor, state) &&
           std::ranges::any_of(s.reads, [&](const Access& read) {
             return read.tensor == state && !loopPerIndex(read).empty();
           });
  });
}

// Whether it needs earlier elements along several loops: then the copy is a wavefront, which cores
// share, while the state stays in one core.
bool isWavefront(const Kernel& kernel, TensorId state) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& s) {
    const auto isSequential = [&](LoopId loop) {
      return kernel.loop(loop).kind == LoopKind::Sequential;
    };
    return s.target.tensor == state && std::ranges::count_if(targetLoops(s), isSequential) >= 2;
  });
}

// State without a copy, of which all elements are defined.
bool isStateToCopy(const Kernel& kernel, const TensorCycles& cycles, TensorId id) {
  const Tensor& state = kernel.tensor(id);
  if (state.role != TensorRole::Local || !state.initial || !cycles.isBetween(id, id) ||
      !(isReadThroughout(kernel, cycles, id) || isWavefront(kernel, id))) {
    return false;
  }
  const auto undefined = affine::missingPieces(state.shape, definitionsOf(kernel, id));
  return undefined && undefined->empty() &&
         std::ranges::none_of(kernel.statements, [&](const Statement& s) {
           return s.target.tensor != id && s.expr.size() == 1 && s.reads.size() == 1 &&
                  s.reads.front().tensor == id && !loopPerIndex(s.reads.front()).empty();
         });
}

// The last statement of state that has a loop for each index; none if there is no such statement.
std::optional<std::size_t> lastWriter(const Kernel& kernel, TensorId state) {
  std::optional<std::size_t> last;
  bool isPlain = false;
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    const Statement& statement = kernel.statements[s];
    if (statement.target.tensor != state) continue;
    last = s;
    isPlain = hasLoopPerIndex(statement);
  }
  return isPlain ? last : std::nullopt;
}

// A copy of state that statements outside of its recurrence read.
std::optional<Kernel> addCopy(const Kernel& kernel, TensorId state) {
  const auto last = lastWriter(kernel, state);
  if (!last) return std::nullopt;
  Kernel draft = kernel;
  Tensor copy = tensorLike(kernel, kernel.tensor(state), "_value");
  copy.initial.reset();
  copy.comments.clear();
  draft.tensors.push_back(std::move(copy));
  const Statement& writer = kernel.statements[*last];
  Access to = writer.target;
  to.tensor = TensorId::of(draft.tensors.size() - 1);
  const auto behind = draft.statements.begin() + static_cast<std::ptrdiff_t>(*last + 1);
  draft.statements.insert(behind, copyOf(writer, std::move(to), state));
  return readCopy(draft, *last + 1);
}

}  // namespace

Kernel withCopiesRead(const Kernel& kernel) {
  Kernel draft = kernel;
  const TensorCycles cycles(kernel);
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    if (!isStateToCopy(kernel, cycles, TensorId::of(t))) continue;
    if (auto form = addCopy(draft, TensorId::of(t))) draft = *std::move(form);
  }
  for (std::size_t s = 0; s < draft.statements.size(); ++s) {
    if (!copiesState(draft, draft.statements[s])) continue;
    if (!draft.tensor(draft.statements[s].reads.front().tensor).initial) continue;
    if (auto form = readCopy(draft, s)) draft = *std::move(form);
  }
  return draft;
}

}  // namespace gridloom::kernel
