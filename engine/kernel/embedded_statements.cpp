// SPDX-License-Identifier: Apache-2.0
#include "kernel/embedded_statements.h"

#include <fmt/format.h>

#include "kernel/statement_ops.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using Loops = std::vector<LoopId>;
using Differences = std::vector<Difference>;

class Embedding {
 public:
  explicit Embedding(const Kernel& kernel) : m_kernel(kernel) {}

  base::Result<EmbeddedStatements> run() {
    findTargets();
    if (m_errors.empty()) placeStatements();
    if (m_errors.empty()) tieLoops();
    if (!m_errors.empty()) return std::move(m_errors);
    return std::move(m_out);
  }

 private:
  const std::string& nameOf(LoopId loop) const { return m_kernel.loop(loop).name; }
  const std::string& targetName(const Statement& s) const {
    return m_kernel.tensor(s.target.tensor).name;
  }
  bool isOutput(TensorId tensor) const {
    return m_kernel.tensor(tensor).role == TensorRole::Output;
  }
  void fail(base::Span span, const std::string& what, std::string hint) {
    m_errors.push_back(notYetMapped(m_kernel, span, what, std::move(hint)));
  }

  // The loops of every output: one per dimension, the same ones for all outputs.
  void findTargets() {
    m_out.targets.resize(m_kernel.tensors.size());
    for (const Statement& statement : m_kernel.statements) {
      if (!isOutput(statement.target.tensor)) {
        return fail(statement.span,
                    fmt::format("`{}` is local in a kernel whose outputs depend on each other",
                                targetName(statement)),
                    "compute the outputs in `local` tensors, too, each part that others need at "
                    "the same index in one of its own, and copy these");
      }
      Loops loops;
      for (const affine::LinearExpr& index : statement.target.indices) {
        const auto plain = plainIndex(index);
        if (!plain || !plain->loop.valid() || plain->offset != 0) break;
        if (!contains(loops, plain->loop)) loops.push_back(plain->loop);
      }
      if (loops.size() == statement.target.indices.size()) {
        Loops& known = m_out.targets[statement.target.tensor.index()];
        if (known.empty()) known = loops;
      }
    }
    const Statement* first = nullptr;
    for (const Statement& statement : m_kernel.statements) {
      const Loops& loops = m_out.targets[statement.target.tensor.index()];
      Loops sorted = loops;
      std::ranges::sort(sorted);
      if (first == nullptr) {
        first = &statement;
        m_out.loops = sorted;
      }
      if (loops.empty()) return failWithoutLoops(statement);
      if (sorted != m_out.loops) return failOtherLoops(*first, statement);
    }
  }

  void failWithoutLoops(const Statement& statement) {
    fail(statement.span,
         fmt::format("`{}` has no statement with a loop for each index", targetName(statement)),
         "outputs that depend on each other are mapped when they share their loops");
  }

  // `D[j]` beside `L[i, j]`.
  void failOtherLoops(const Statement& a, const Statement& b) {
    const auto rank = [&](const Statement& s) {
      return m_out.targets[s.target.tensor.index()].size();
    };
    const Statement& less = rank(b) < rank(a) ? b : a;
    const Statement& more = rank(b) < rank(a) ? a : b;
    const std::string one = toString(m_kernel, less.target),
                      other = toString(m_kernel, more.target);
    if (!TensorCycles(m_kernel).isBetween(less.target.tensor, more.target.tensor)) {
      return fail(less.span,
                  fmt::format("`{}` has other loops than `{}`, in a kernel with an output that "
                              "needs its own elements",
                              one, other),
                  fmt::format("compute `{}` in a kernel of its own", targetName(less)));
    }
    fail(less.span,
         fmt::format("`{}` and `{}` need each other and have different loops", one, other),
         fmt::format("compute both in `local` tensors, with an initial value where an index is "
                     "before the first, and copy these into outputs, as in `{} = local_{}`",
                     one, one));
  }

  void placeStatements() {
    for (const Statement& statement : m_kernel.statements) {
      PlacedStatement placed;
      embed(statement, placed.elements);
      placed.summed = placed.elements;
      for (const affine::Constraint& constraint : statement.constraints) {
        const auto differences = differencesOf(constraint);
        if (!differences) {
          return fail(statement.span,
                      fmt::format("the domain of `{}` is bounded by {}", targetName(statement),
                                  affine::toString(constraint.expr, loopNames(m_kernel))),
                      "bounds like `j < i + 2` are mapped");
        }
        append(placed.summed, *differences);
      }
      for (const affine::Constraint& constraint : domainInside(statement, {})) {
        append(placed.elements, *differencesOf(constraint));
      }
      m_out.placed.push_back(std::move(placed));
    }
  }

  // `L[j, j]` of a tensor written as L[i, j] elsewhere has the domain i = j in the nest.
  void embed(const Statement& statement, Differences& elements) {
    for (std::size_t d = 0; d < statement.target.indices.size(); ++d) {
      const LoopId loop = m_out.targetLoop(statement.target.tensor, d);
      const auto index = plainIndex(statement.target.indices[d]);
      const bool known = index && (!index->loop.valid() || contains(m_out.loops, index->loop));
      if (known && isExchanged(statement, d)) {
        return fail(statement.span,
                    fmt::format("{} lies in another tile than {} at the same indices",
                                toString(m_kernel, statement.target), targetOf(statement)),
                    "make this part of it an output of its own");
      }
      if (!known || (index->loop == loop && index->offset != 0)) {
        return fail(statement.span,
                    fmt::format("{} is not an element of the loops {} runs over",
                                toString(m_kernel, statement.target), targetName(statement)),
                    "write the left sides of a tensor with the same loops");
      }
      if (index->loop != loop) append(elements, equalLoops(loop, index->loop, index->offset));
    }
  }

  std::string targetOf(const Statement& statement) const {
    Access target = statement.target;
    target.spelling.clear();
    for (std::size_t d = 0; d < target.indices.size(); ++d) {
      const LoopId loop = m_out.targetLoop(target.tensor, d);
      target.indices[d] = affine::LinearExpr::dim(loop.index());
    }
    return toString(m_kernel, target);
  }

  // `L[j, i]` of a tensor written as L[i, j] elsewhere lies in another tile.
  bool isExchanged(const Statement& statement, std::size_t d) const {
    const TensorId tensor = statement.target.tensor;
    const auto index = plainIndex(statement.target.indices[d]);
    if (!index->loop.valid() || index->loop == m_out.targetLoop(tensor, d)) return false;
    for (std::size_t other = 0; other < statement.target.indices.size(); ++other) {
      if (m_out.targetLoop(tensor, other) != index->loop) continue;
      const auto there = plainIndex(statement.target.indices[other]);
      return !there || there->loop != index->loop;
    }
    return false;
  }

  // Loops that index one dimension of an output have the same tile size.
  void tieLoops() {
    for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) m_out.group.push_back(LoopId::of(l));
    for (const Statement& statement : m_kernel.statements) {
      tie(statement, statement.target);
      for (const Access& read : statement.reads) {
        if (isOutput(read.tensor)) tie(statement, read);
      }
    }
  }

  void tie(const Statement& statement, const Access& access) {
    const bool isEarlier = readsEarlierStep(m_out, access);
    for (std::size_t d = 0; d < access.indices.size(); ++d) {
      const LoopId loop = m_out.targetLoop(access.tensor, d);
      const auto index = plainIndex(access.indices[d]);
      if (isEarlier && index && index->loop != loop) continue;
      const bool moved = index && index->loop.valid() && index->loop != loop && index->offset != 0;
      if (!index || moved) {
        return fail(statement.span,
                    fmt::format("{} needs {}", toString(m_kernel, statement.target),
                                toString(m_kernel, access)),
                    index && index->offset > 0
                        ? "count that index from the end, or by its distance from another one, so "
                          "that it needs earlier elements only, as the built-in kernel `nussinov` "
                          "does"
                        : "elements like X[i - 1] and X[j] are followed from tile to tile");
      }
      if (!index->loop.valid()) continue;
      if (m_kernel.loop(index->loop).extent != m_kernel.loop(loop).extent) {
        return fail(statement.span,
                    fmt::format("{} and {} index one dimension of {} and differ in extent",
                                nameOf(index->loop), nameOf(loop), targetName(statement)),
                    "give them the same extent");
      }
      const LoopId from = m_out.groupOf(index->loop), to = m_out.groupOf(loop);
      std::ranges::replace(m_out.group, from, to);
    }
  }
  const Kernel& m_kernel;
  EmbeddedStatements m_out;
  base::Diagnostics m_errors;
};

}  // namespace

base::Result<EmbeddedStatements> embedStatements(const Kernel& kernel) {
  return Embedding(kernel).run();
}

base::Diagnostic notYetMapped(const Kernel& kernel, base::Span span, const std::string& what,
                              std::string hint) {
  return base::errorAt(kernel.source, span, "not yet mapped: " + what, std::move(hint));
}

bool readsEarlierStep(const EmbeddedStatements& statements, const Access& access) {
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const auto index = plainIndex(access.indices[d]);
    if (index && index->offset < 0 && index->loop == statements.targetLoop(access.tensor, d)) {
      return true;
    }
  }
  return false;
}

std::optional<PlainIndex> plainIndex(const affine::LinearExpr& expr) {
  PlainIndex index{{}, expr.constant};
  for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
    if (expr.coefficients[l] == 0) continue;
    if (expr.coefficients[l] != 1 || index.loop.valid()) return std::nullopt;
    index.loop = LoopId::of(l);
  }
  return index;
}

std::vector<Difference> equalLoops(LoopId a, LoopId b, std::int64_t by) {
  return {{a, b, by}, {b, a, -by}};
}

}  // namespace gridloom::kernel
