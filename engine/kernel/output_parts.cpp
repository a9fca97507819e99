// SPDX-License-Identifier: Apache-2.0
#include "kernel/output_parts.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/dependences.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"
#include "kernel/transposed_sums.h"
#include "kernel/undefined_zeros.h"

namespace gridloom::kernel {

namespace {

/// A read of the output, with a writer of what it reads (an index of OutputParts::m_writers).
struct PartRead {
  std::size_t statement = 0, read = 0, writer = 0;
};

/// The statements of one output, in parts of which no read needs two.
class OutputParts {
 public:
  OutputParts(const Kernel& kernel, const TensorCycles& cycles, TensorId output)
      : m_kernel(kernel), m_cycles(cycles), m_output(output) {
    for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
      if (kernel.statements[s].target.tensor == output) m_writers.push_back(s);
    }
    m_part.resize(m_writers.size());
    std::iota(m_part.begin(), m_part.end(), std::size_t{0});
    m_isRead.resize(m_writers.size(), false);
  }

  std::optional<Kernel> run() {
    if (m_writers.size() < 2 || !haveLoops() || !joinByReads()) return std::nullopt;
    joinByEnds();
    if (readParts() < 2) return std::nullopt;
    Kernel draft = m_kernel;
    const std::vector<TensorId> parts = addParts(draft);
    for (const auto& [statement, read, writer] : m_reads)
      draft.statements[statement].reads[read].tensor = parts[m_part[writer]];
    for (std::size_t w = 0; w < m_writers.size(); ++w) {
      const TensorId part = parts[m_part[w]];
      if (part == m_output) continue;
      Statement& writer = draft.statements[m_writers[w]];
      Statement copy = copyIn(draft, writer, part);
      writer.target.tensor = part;
      draft.statements.push_back(std::move(copy));
    }
    addUndefinedZeros(draft);
    return draft;
  }

 private:
  std::ptrdiff_t readParts() const {
    std::set<std::size_t> parts;
    for (const PartRead& read : m_reads) parts.insert(m_part[read.writer]);
    return std::ssize(parts);
  }

  bool haveLoops() const {
    return std::ranges::all_of(m_writers, [&](std::size_t w) {
      return std::ranges::all_of(m_kernel.statements[w].target.indices, isBareLoop);
    });
  }

  // Statements whose sums end at one index are tiled together.
  void joinByEnds() {
    const auto endsOf = [&](std::size_t w) { return sumEnds(m_kernel.statements[m_writers[w]]); };
    for (std::size_t a = 0; a < m_writers.size(); ++a) {
      for (std::size_t b = a + 1; b < m_writers.size(); ++b) {
        if (!endsOf(a).empty() && endsOf(a) == endsOf(b)) join(a, b);
      }
    }
  }

  // False where it takes too long to find out what a read needs.
  bool joinByReads() {
    std::vector<affine::Image> defined;
    for (const std::size_t w : m_writers)
      defined.push_back(definedBy(m_kernel, m_kernel.statements[w]));
    for (std::size_t s = 0; s < m_kernel.statements.size(); ++s) {
      const Statement& statement = m_kernel.statements[s];
      // What only reads the output reads it where it is whole.
      if (!m_cycles.isBetween(m_output, statement.target.tensor)) continue;
      for (std::size_t r = 0; r < statement.reads.size(); ++r) {
        const Access& read = statement.reads[r];
        if (read.tensor != m_output) continue;
        if (read.isGather()) return false;
        if (!joinOne({s, r, 0}, {readDomain(m_kernel, statement, r), read.indices}, defined))
          return false;
      }
    }
    return true;
  }

  bool joinOne(PartRead read, const affine::Image& needed,
               const std::vector<affine::Image>& defined) {
    std::optional<std::size_t> first;
    for (std::size_t w = 0; w < defined.size(); ++w) {
      const affine::FoundElement shared = affine::sharedElement(needed, defined[w]);
      if (shared.gaveUp) return false;
      if (!shared.element) continue;
      m_isRead[m_part[w]] = true;
      if (first) join(*first, w);
      if (!first) first = w;
    }
    if (!first) return true;
    read.writer = *first;
    m_reads.push_back(read);
    return true;
  }

  void join(std::size_t a, std::size_t b) {
    const std::size_t from = m_part[b], to = m_part[a];
    std::ranges::replace(m_part, from, to);
    m_isRead[to] = m_isRead[to] || m_isRead[from];
  }

  // A tensor for each part; the output itself for what is not read.
  std::vector<TensorId> addParts(Kernel& draft) const {
    std::vector<TensorId> parts(m_writers.size(), m_output);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (std::ranges::find(m_part, p) == m_part.end() || !m_isRead[p]) continue;
      Tensor part = tensorLike(draft, m_kernel.tensor(m_output), "_part");
      part.comments.clear();
      draft.tensors.push_back(std::move(part));
      parts[p] = TensorId::of(draft.tensors.size() - 1);
    }
    return parts;
  }

  // The elements that a statement defines, from its part.
  static Statement copyIn(const Kernel& draft, const Statement& writer, TensorId part) {
    Statement copy = copyOf(writer, writer.target, part);
    const std::vector<LoopId> loops = targetLoops(writer);
    std::ranges::copy_if(writer.constraints, std::back_inserter(copy.constraints),
                         [&](const affine::Constraint& bound) {
                           for (std::size_t l = 0; l < draft.loops.size(); ++l) {
                             if (bound.expr.dependsOn(l) && !contains(loops, LoopId::of(l)))
                               return false;
                           }
                           return true;
                         });
    base::Diagnostics errors;
    takeScope(draft, copy, errors);
    return copy;
  }

  const Kernel& m_kernel;
  const TensorCycles& m_cycles;
  TensorId m_output;
  std::vector<std::size_t> m_writers;  ///< statements that define the output
  std::vector<std::size_t> m_part;     ///< per writer: a writer that stands for its part
  std::vector<bool> m_isRead;          ///< per part
  std::vector<PartRead> m_reads;
};

}  // namespace

std::optional<Kernel> withOutputParts(const Kernel& kernel) {
  const TensorCycles cycles(kernel);
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    const TensorId output = TensorId::of(t);
    const bool needsItself =
        kernel.tensor(output).role == TensorRole::Output && cycles.isBetween(output, output);
    if (!needsItself) continue;
    if (auto parts = OutputParts(kernel, cycles, output).run()) return parts;
  }
  return std::nullopt;
}

}  // namespace gridloom::kernel
