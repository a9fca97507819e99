// SPDX-License-Identifier: Apache-2.0
#include "kernel/pinned_reads.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "kernel/dependences.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

bool differByNumber(const LinearExpr& a, const LinearExpr& b) { return (a - b).isConstant(); }

/// A read, and the number that each of its indices always is, if any.
struct KnownRead {
  Access* access;
  std::vector<std::optional<std::int64_t>> pinned;
};

class ReadPinner {
 public:
  ReadPinner(const Kernel& kernel, TensorRole role) : m_draft(kernel) {
    for (Statement& statement : m_draft.statements) {
      for (std::size_t r = 0; r < statement.reads.size(); ++r) {
        Access& read = statement.reads[r];
        if (kernel.tensor(read.tensor).role != role || read.isGather()) continue;
        m_reads.push_back({&read, pinnedIndices(statement, r)});
      }
    }
  }

  std::optional<Kernel> run() {
    bool changed = false;
    for (const KnownRead& read : m_reads) {
      for (std::size_t d = 0; d < read.pinned.size(); ++d) {
        if (!read.pinned[d] || !isFar(read, d)) continue;
        read.access->indices[d] = LinearExpr::number(*read.pinned[d]);
        read.access->spelling.clear();
        changed = true;
      }
    }
    return changed ? std::optional(std::move(m_draft)) : std::nullopt;
  }

 private:
  std::vector<std::optional<std::int64_t>> pinnedIndices(const Statement& statement,
                                                         std::size_t r) const {
    std::vector<std::optional<std::int64_t>> pinned;
    const affine::IntegerSet domain = readDomain(m_draft, statement, r);
    for (const LinearExpr& index : statement.reads[r].indices) {
      std::optional<std::int64_t>& number = pinned.emplace_back();
      if (index.isConstant() || domain.constraints.empty()) continue;
      const auto bounds = affine::boundsOf(domain, index);
      if (bounds && bounds->min == bounds->max) number = bounds->min;
    }
    return pinned;
  }

  // Whether the other reads of the window lie far away, and there are some.
  bool isFar(const KnownRead& read, std::size_t d) const {
    const LinearExpr& index = read.access->indices[d];
    bool any = false;
    for (const KnownRead& other : m_reads) {
      if (other.access->tensor != read.access->tensor || other.pinned[d]) continue;
      const LinearExpr& from = other.access->indices[d];
      if (!differByNumber(from, index)) continue;
      const std::int64_t distance = std::abs((from - index).constant);
      if (2 * distance < extentOf(index)) return false;
      any = true;
    }
    return any;
  }

  // The elements that an index runs over.
  std::int64_t extentOf(const LinearExpr& index) const {
    std::int64_t extent = 1;
    for (std::size_t l = 0; l < index.coefficients.size(); ++l)
      extent += std::abs(index.coefficients[l]) * (m_draft.loops[l].extent - 1);
    return extent;
  }

  Kernel m_draft;
  std::vector<KnownRead> m_reads;
};

}  // namespace

std::optional<Kernel> withPinnedReads(const Kernel& kernel, TensorRole role) {
  return ReadPinner(kernel, role).run();
}

}  // namespace gridloom::kernel
