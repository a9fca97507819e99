// SPDX-License-Identifier: Apache-2.0
#include "kernel/split_locals.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

// More are no gates.
constexpr std::int64_t kMostValues = 8;

/// A dimension of a local, of which each index is a value of its own.
struct SplitDim {
  TensorId local;
  std::size_t dim = 0;
  std::size_t writer = 0;
  LoopId loop;
};

std::optional<std::size_t> onlyWriter(const Kernel& kernel, TensorId tensor) {
  std::optional<std::size_t> writer;
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    if (kernel.statements[s].target.tensor != tensor) continue;
    if (writer) return std::nullopt;
    writer = s;
  }
  return writer;
}

bool isReadByNumber(const Kernel& kernel, TensorId tensor, std::size_t dim) {
  return std::ranges::all_of(kernel.statements, [&](const Statement& statement) {
    return std::ranges::all_of(statement.reads, [&](const Access& read) {
      return read.tensor != tensor || read.indices[dim].isConstant();
    });
  });
}

std::optional<SplitDim> splitDimOf(const Kernel& kernel, TensorId tensor) {
  const auto writer = onlyWriter(kernel, tensor);
  if (!writer) return std::nullopt;
  const Statement& statement = kernel.statements[*writer];
  const std::vector<LoopId> loops = loopPerIndex(statement.target);
  for (std::size_t d = 0; d < loops.size() && loops.size() > 1; ++d) {
    const auto limits = [&](const auto& c) { return c.expr.dependsOn(loops[d].index()); };
    const bool isShort = kernel.tensor(tensor).shape[d] <= kMostValues;
    if (isShort && isReadByNumber(kernel, tensor, d) &&
        std::ranges::none_of(statement.constraints, limits)) {
      return SplitDim{tensor, d, *writer, loops[d]};
    }
  }
  return std::nullopt;
}

std::optional<SplitDim> nextSplit(const Kernel& kernel) {
  const TensorCycles cycles(kernel);
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    const TensorId id = TensorId::of(t);
    const Tensor& tensor = kernel.tensors[t];
    if (tensor.role != TensorRole::Local || tensor.initial || !cycles.isBetween(id, id)) continue;
    if (const auto split = splitDimOf(kernel, id)) return split;
  }
  return std::nullopt;
}

class LocalSplitter {
 public:
  LocalSplitter(const Kernel& kernel, const SplitDim& split) : m_draft(kernel), m_split(split) {
    for (std::size_t l = 0; l < kernel.loops.size(); ++l) m_values.push_back(LinearExpr::dim(l));
  }

  Kernel run() {
    const std::int64_t count = m_draft.tensor(m_split.local).shape[m_split.dim];
    for (std::int64_t v = 0; v < count; ++v) m_parts.push_back(addPart(v));
    for (Statement& statement : m_draft.statements) {
      for (Access& read : statement.reads) {
        if (read.tensor == m_split.local) takePart(read, read.indices[m_split.dim].constant);
      }
    }
    // It may read values of its own.
    const Statement writer = m_draft.statements[m_split.writer];
    const auto at = m_draft.statements.begin() + static_cast<std::ptrdiff_t>(m_split.writer);
    m_draft.statements.erase(at);
    for (std::int64_t v = count; v-- > 0;) {
      m_draft.statements.insert(m_draft.statements.begin() +
                                    static_cast<std::ptrdiff_t>(m_split.writer),
                                valueOf(writer, v));
    }
    eraseUnusedLoops(m_draft);
    return std::move(m_draft);
  }

 private:
  TensorId addPart(std::int64_t value) {
    Tensor part = tensorLike(m_draft, m_draft.tensor(m_split.local), std::to_string(value));
    part.shape.erase(part.shape.begin() + static_cast<std::ptrdiff_t>(m_split.dim));
    part.shapeSpelling.clear();
    m_draft.tensors.push_back(std::move(part));
    return TensorId::of(m_draft.tensors.size() - 1);
  }

  void takePart(Access& access, std::int64_t value) const {
    access.tensor = m_parts[static_cast<std::size_t>(value)];
    access.indices.erase(access.indices.begin() + static_cast<std::ptrdiff_t>(m_split.dim));
    access.spelling.clear();
  }

  Statement valueOf(Statement statement, std::int64_t value) {
    m_values[m_split.loop.index()] = LinearExpr::number(value);
    takePart(statement.target, value);
    for (Access& read : statement.reads) read = withLoopsAt(std::move(read), m_values);
    for (ExprNode& node : statement.expr) {
      if (node.op != ExprOp::Index || node.loop != m_split.loop) continue;
      node = {};
      node.constant = static_cast<double>(value);
    }
    base::Diagnostics errors;
    takeScope(m_draft, statement, errors);
    return statement;
  }

  Kernel m_draft;
  SplitDim m_split;
  std::vector<TensorId> m_parts;     ///< per value
  std::vector<LinearExpr> m_values;  ///< per loop: its number in a part, or itself
};

}  // namespace

std::optional<Kernel> withSplitLocals(const Kernel& kernel) {
  std::optional<Kernel> draft;
  while (const auto split = nextSplit(draft ? *draft : kernel)) {
    draft = LocalSplitter(draft ? *draft : kernel, *split).run();
  }
  return draft;
}

}  // namespace gridloom::kernel
