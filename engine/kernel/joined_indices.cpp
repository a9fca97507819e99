// SPDX-License-Identifier: Apache-2.0
#include "kernel/joined_indices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.h"
#include "kernel/extents.h"
#include "kernel/split_loop.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

/// An index as `factor * slow + fast`, with fast in 0..factor. A loop that runs over both is
/// divided.
struct Separated {
  LinearExpr slow, fast;
  LoopId divided;
  std::int64_t extent = 0;  ///< of the divided loop
  std::int64_t size = 0;    ///< what the dimension must have at least
};

bool isPlain(const LinearExpr& index) {
  return isBareLoop(index - LinearExpr::number(index.constant)) || index.isConstant();
}

class IndexSeparator {
 public:
  IndexSeparator(Kernel& kernel, TensorId local, std::size_t dim)
      : m_kernel(kernel), m_local(local), m_dim(dim) {}

  std::optional<std::int64_t> size(bool alsoReads) {
    if (!findFactor()) return std::nullopt;
    std::int64_t most = 0;
    bool fits = true;
    eachIndex(alsoReads, [&](const Access& access) {
      const auto separated = separate(access.indices[m_dim]);
      fits = fits && separated;
      if (separated) most = std::max(most, separated->size);
    });
    return fits ? std::optional(most) : std::nullopt;
  }

  void run() {
    const auto needed = size(true);
    Tensor& tensor = m_kernel.tensors[m_local.index()];
    if (!needed || *needed > tensor.shape[m_dim]) return;
    std::vector<Separated> all;
    eachIndex(true, [&](Access& access) { all.push_back(*separate(access.indices[m_dim])); });
    keepExtents(all);
    std::size_t next = 0;
    eachIndex(true, [&](Access& access) { place(access, all[next++]); });
    replaceAt(tensor.shape, m_dim, {slowExtent(), m_factor});
    tensor.shapeSpelling.clear();
  }

 private:
  template <typename Visit> void eachIndex(bool alsoReads, const Visit& visit) {
    for (Statement& statement : m_kernel.statements) {
      if (statement.target.tensor == m_local) visit(statement.target);
      if (!alsoReads) continue;
      for (Access& read : statement.reads) {
        if (read.tensor == m_local) visit(read);
      }
    }
  }

  // The largest factor on the left of `=`, if an index there is more than a loop, and grows with
  // its loops.
  bool findFactor() {
    const std::vector<std::int64_t>& shape = m_kernel.tensor(m_local).shape;
    bool hasRank = true;
    eachIndex(true, [&](const Access& access) {
      hasRank = hasRank && access.indices.size() == shape.size() && !access.isGather();
    });
    if (!hasRank) return false;
    for (const Statement& statement : m_kernel.statements) {
      if (statement.target.tensor != m_local) continue;
      const LinearExpr& index = statement.target.indices[m_dim];
      // A remainder is one already, whatever group it counts in.
      if (isPlain(index) || remainderOf(index)) continue;
      if (!grows(index)) return false;
      for (const std::int64_t c : index.coefficients) m_factor = std::max(m_factor, std::abs(c));
      m_isOfSingles = isOfSingles(index);
    }
    return (m_factor > 1 && shape[m_dim] > 0) || m_isOfSingles;
  }

  bool grows(const LinearExpr& index) const {
    for (std::size_t l = 0; l < index.coefficients.size(); ++l) {
      if (index.coefficients[l] < 0 && !isQuotient(l)) return false;
    }
    return true;
  }

  // A last group of elements may be a part of one.
  std::int64_t slowExtent() const {
    return base::ceilDiv(m_kernel.tensor(m_local).shape[m_dim], m_factor);
  }

  // A local may be larger than its loops: its new dimensions do not say how far they go.
  void keepExtents(const std::vector<Separated>& all) {
    const auto keep = [&](const LinearExpr& part, std::int64_t dim) {
      if (!isBareLoop(part)) return;
      const LoopId loop = LoopId::of(mainLoop(part));
      const std::int64_t extent = extentOf(loop);
      if (extent > 0 && extent != dim) m_kernel.loops[loop.index()].declared = extent;
    };
    for (const Separated& parts : all) {
      keep(parts.slow, slowExtent());
      keep(parts.fast, m_factor);
    }
  }

  // Whether all loops of an index but one have one step, as those of a window of one element.
  bool isOfSingles(const LinearExpr& index) const {
    for (std::size_t l = 0; l < index.coefficients.size(); ++l) {
      if (index.dependsOn(l) && l != mainLoop(index) && extentOf(LoopId::of(l)) != 1) return false;
    }
    return true;
  }

  // Of an index of loops with one step, the one that has more, or the first one.
  std::size_t mainLoop(const LinearExpr& index) const {
    std::size_t first = index.coefficients.size();
    for (std::size_t l = 0; l < index.coefficients.size(); ++l) {
      if (!index.dependsOn(l)) continue;
      if (extentOf(LoopId::of(l)) != 1) return l;
      first = std::min(first, l);
    }
    return first;
  }

  std::int64_t extentOf(LoopId loop) const {
    const std::int64_t declared = m_kernel.loop(loop).declared;
    return declared > 0 ? declared : widestExtent(m_kernel, loop);
  }

  // `mod(p, 12)` as an index: the loop, and its quotient.
  struct Remainder {
    LoopId loop, quotient;
    std::int64_t divisor = 1;
  };
  std::optional<Remainder> remainderOf(const LinearExpr& index) const {
    for (const DividedLoop& divided : m_kernel.divided) {
      const LinearExpr remainder = LinearExpr::dim(divided.loop.index()) -
                                   LinearExpr::dim(divided.quotient.index(), divided.divisor);
      if (index == remainder) return Remainder{divided.loop, divided.quotient, divided.divisor};
    }
    return std::nullopt;
  }

  bool isQuotient(std::size_t loop) const {
    return std::ranges::any_of(m_kernel.divided, [&](const DividedLoop& divided) {
      return divided.quotient.index() == loop;
    });
  }

  std::optional<Separated> separate(const LinearExpr& index) const {
    if (const auto remainder = remainderOf(index)) {
      if (remainder->divisor % m_factor != 0) return std::nullopt;
      const std::int64_t above = remainder->divisor / m_factor;
      return Separated{LinearExpr::dim(remainder->quotient.index(), -above), LinearExpr::number(0),
                       remainder->loop, extentOf(remainder->loop), 0};
    }
    const std::int64_t within = ((index.constant % m_factor) + m_factor) % m_factor;
    Separated parts{LinearExpr::number((index.constant - within) / m_factor),
                    LinearExpr::number(within),
                    {},
                    0,
                    0};
    std::int64_t last = within, lastSlow = parts.slow.constant;
    for (std::size_t l = 0; l < index.coefficients.size(); ++l) {
      const std::int64_t c = index.coefficients[l];
      if (c == 0) continue;
      if (isQuotient(l)) return std::nullopt;
      const std::int64_t extent = extentOf(LoopId::of(l));
      if (c % m_factor == 0 && (m_factor > 1 || l == mainLoop(index))) {
        parts.slow = parts.slow + LinearExpr::dim(l, c / m_factor);
        lastSlow += std::max(c / m_factor * (extent - 1), std::int64_t{0});
        continue;
      }
      if (c < 0 || extent <= 0) return std::nullopt;
      parts.fast = parts.fast + LinearExpr::dim(l, c);
      last += c * (extent - 1);
    }
    if (last < m_factor) {
      parts.size = lastSlow * m_factor + last + 1;
      return parts;
    }
    if (!isBareLoop(index)) return std::nullopt;
    const auto loop = std::ranges::find(index.coefficients, 1) - index.coefficients.begin();
    parts.divided = LoopId::of(static_cast<std::size_t>(loop));
    parts.size = parts.extent = extentOf(parts.divided);
    return parts;
  }

  void place(Access& access, const Separated& parts) {
    LinearExpr slow = parts.slow, fast = parts.fast;
    if (parts.divided.valid()) {
      const LinearExpr quotient = LinearExpr::dim(quotientOf(parts, access.span).index());
      slow = slow + quotient;
      fast = LinearExpr::dim(parts.divided.index()) - quotient * m_factor;
    }
    replaceAt(access.indices, m_dim, {slow, fast});
    access.spelling.clear();
  }

  LoopId quotientOf(const Separated& parts, base::Span span) {
    const LoopId loop = parts.divided;
    for (const DividedLoop& known : m_kernel.divided) {
      if (known.loop == loop && known.divisor == m_factor) return known.quotient;
    }
    // The dimension says no longer how far the loop goes.
    const std::int64_t whole = base::ceilDiv(parts.extent, m_factor) * m_factor;
    m_kernel.loops[loop.index()].declared = whole;
    if (whole > parts.extent) limit(loop, parts.extent);
    Loop quotient;
    quotient.name = fmt::format("{} / {}", m_kernel.loop(loop).name, m_factor);
    quotient.span = span;
    m_kernel.loops.push_back(std::move(quotient));
    const LoopId id = LoopId::of(m_kernel.loops.size() - 1);
    m_kernel.divided.push_back({loop, m_factor, id, span});
    return id;
  }

  // A loop that is divided runs over whole groups; statements leave out what it did not reach.
  void limit(LoopId loop, std::int64_t extent) {
    const LinearExpr left = LinearExpr::number(extent - 1) - LinearExpr::dim(loop.index());
    for (Statement& statement : m_kernel.statements) {
      if (!names(statement, loop)) continue;
      statement.constraints.push_back({left, false});
      statement.constraintSpelling.clear();
    }
  }

  // Whether the loop is one of the statement's domain: of its target, or of a reduction.
  static bool names(const Statement& statement, LoopId loop) {
    return contains(targetLoops(statement), loop) ||
           std::ranges::any_of(statement.expr,
                               [&](const ExprNode& node) { return contains(node.loops, loop); });
  }

  Kernel& m_kernel;
  TensorId m_local;
  std::size_t m_dim;
  std::int64_t m_factor = 1;  ///< 1: all loops of an index but one have one step
  bool m_isOfSingles = false;
};

}  // namespace

void separateJoinedIndices(Kernel& kernel) {
  for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
    if (kernel.tensors[t].role != TensorRole::Local) continue;
    // The fast part of a dimension may be several loops, too.
    for (std::size_t d = 0; d < kernel.tensors[t].shape.size(); ++d) {
      IndexSeparator(kernel, TensorId::of(t), d).run();
    }
  }
}

std::optional<std::int64_t> separableSize(Kernel kernel, TensorId local, std::size_t dim,
                                          bool alsoReads) {
  return IndexSeparator(kernel, local, dim).size(alsoReads);
}

}  // namespace gridloom::kernel
