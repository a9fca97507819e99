// SPDX-License-Identifier: Apache-2.0
#include "kernel/divided_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "base/message_limit.h"
#include "base/units.h"
#include "kernel/check.h"
#include "kernel/copies.h"
#include "kernel/extents.h"
#include "kernel/split_loop.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

void eachAccess(Statement& statement, const std::function<void(Access&)>& visit) {
  const auto withIndices = [&](Access& access) {
    visit(access);
    for (IndexRead& gather : access.gathers) visit(gather.access);
  };
  withIndices(statement.target);
  for (Access& read : statement.reads) withIndices(read);
}

class LoopSplitter {
 public:
  LoopSplitter(Kernel& kernel, base::Diagnostics& errors) : m_kernel(kernel), m_errors(errors) {}

  void run() {
    m_divisors.resize(m_kernel.loops.size());
    for (const DividedLoop& divided : m_kernel.divided) {
      m_divisors[divided.loop.index()].insert(divided.divisor);
    }
    while (spreadOverLocals()) {
    }
    m_splits.resize(m_kernel.loops.size());
    for (std::size_t l = 0; l < m_divisors.size(); ++l) {
      if (!m_divisors[l].empty() && !split(LoopId::of(l))) return;
    }
    placeParts();
    findSplitDims();
    for (Statement& statement : m_kernel.statements) rewrite(statement);
    splitLocals();
    m_kernel.divided.clear();
  }

 private:
  bool isSplit(std::size_t loop) const {
    return loop < m_divisors.size() && !m_divisors[loop].empty();
  }

  bool namesQuotient(const LinearExpr& index) const {
    return std::ranges::any_of(m_kernel.divided, [&](const DividedLoop& divided) {
      return index.dependsOn(divided.quotient.index());
    });
  }

  // The loops that address dimension d of a local, each with or without an offset. The place in a
  // group, `mod(h, 4)`, is one part of a loop.
  std::vector<LoopId> loopsOver(TensorId local, std::size_t d) {
    std::vector<LoopId> loops;
    for (Statement& statement : m_kernel.statements) {
      eachAccess(statement, [&](const Access& access) {
        if (access.tensor != local || d >= access.indices.size()) return;
        if (namesQuotient(access.indices[d])) return;
        for (std::size_t l = 0; l < m_kernel.loops.size(); ++l) {
          const LoopId loop = LoopId::of(l);
          if (!access.indices[d].dependsOn(l)) continue;
          if (!contains(loops, loop)) loops.push_back(loop);
        }
      });
    }
    return loops;
  }

  // Whether a loop got divisors of another that addresses the same dimension of a local.
  bool spreadOverLocals() {
    bool changed = false;
    eachLocalDim([&](TensorId local, std::size_t d) {
      std::set<std::int64_t> all;
      const std::vector<LoopId> loops = loopsOver(local, d);
      for (const LoopId loop : loops) all.merge(std::set(m_divisors[loop.index()]));
      for (const LoopId loop : loops) {
        changed = changed || m_divisors[loop.index()] != all;
        m_divisors[loop.index()] = all;
      }
    });
    return changed;
  }

  void eachLocalDim(const std::function<void(TensorId, std::size_t)>& visit) {
    for (std::size_t t = 0; t < m_kernel.tensors.size(); ++t) {
      if (m_kernel.tensors[t].role != TensorRole::Local) continue;
      for (std::size_t d = m_kernel.tensors[t].shape.size(); d-- > 0;) visit(TensorId::of(t), d);
    }
  }

  bool split(LoopId id) {
    const std::set<std::int64_t>& divisors = m_divisors[id.index()];
    const Loop& loop = m_kernel.loop(id);
    const std::int64_t extent = loop.declared > 0 ? loop.declared : widestExtent(m_kernel, id);
    const auto use = std::ranges::find(m_kernel.divided, id, &DividedLoop::loop);
    const base::Span span = use != m_kernel.divided.end() ? use->span : loop.span;
    std::int64_t last = 1;
    for (const std::int64_t divisor : divisors) {
      if (divisor % last != 0) {
        fail(span, fmt::format("`{}` is divided by {} and by {}", loop.name, last, divisor),
             "one divisor must divide the other, so that loops inside one another give both");
        return false;
      }
      last = divisor;
    }
    if (extent <= 0 || extent % last != 0) {
      fail(
          span,
          extent <= 0
              ? fmt::format("the extent of loop `{}` is unknown", loop.name)
              : fmt::format("`{}` runs to {}, which is no multiple of {}", loop.name, extent, last),
          extent <= 0
              ? fmt::format("declare its range: `for {} in 0..{}`", loop.name,
                            base::saturatingMul(4, last))
              : fmt::format("declare a longer range and narrow it: `for {0} in 0..{1}`, and `where "
                            "{0} < {2}` behind the statement",
                            loop.name, (extent / last + 1) * last, extent));
      return false;
    }
    SplitLoop& split = m_splits[id.index()];
    std::int64_t above = extent;
    for (const std::int64_t divisor : std::vector(divisors.rbegin(), divisors.rend())) {
      split.factors.push_back(divisor);
      split.extents.push_back(above / divisor);
      above = divisor;
    }
    split.factors.push_back(1);
    split.extents.push_back(above);
    return true;
  }

  // The slowest part takes the loop's place, others those of its quotients, or new ones.
  void placeParts() {
    for (std::size_t l = 0; l < m_divisors.size(); ++l) {
      if (!isSplit(l)) continue;
      SplitLoop& split = m_splits[l];
      split.parts = {LoopId::of(l)};
      for (const DividedLoop& divided : m_kernel.divided) {
        if (divided.loop.index() == l) split.parts.push_back(divided.quotient);
      }
      const base::Span span = m_kernel.loops[l].span;
      while (split.parts.size() < split.factors.size()) {
        split.parts.push_back(LoopId::of(m_kernel.loops.size()));
        m_kernel.loops.emplace_back().span = span;
      }
      const std::string name = m_kernel.loops[l].name;
      for (std::size_t p = 0; p < split.parts.size(); ++p) {
        Loop& part = m_kernel.loops[split.parts[p].index()];
        const bool isLast = p + 1 == split.parts.size();
        part.name = freeName(m_kernel, name + (p == 0 ? "_outer" : isLast ? "_inner" : "_middle"));
        part.declared = split.extents[p];
        part.declaredSpelling.clear();
      }
    }
    for (const DividedLoop& divided : m_kernel.divided) {
      m_quotients.emplace_back(divided, over(m_splits[divided.loop.index()], divided.divisor));
    }
  }

  // The loop divided by one of its factors.
  static LinearExpr over(const SplitLoop& split, std::int64_t divisor) {
    LinearExpr sum = LinearExpr::number(0);
    for (std::size_t p = 0; p < split.parts.size(); ++p) {
      if (split.factors[p] % divisor != 0) continue;
      sum = sum + LinearExpr::dim(split.parts[p].index(), split.factors[p] / divisor);
    }
    return sum;
  }

  void findSplitDims() {
    eachLocalDim([&](TensorId local, std::size_t d) {
      std::vector<std::int64_t> widest;
      for (const LoopId loop : loopsOver(local, d)) {
        if (isSplit(loop.index())) widest = std::max(widest, m_splits[loop.index()].extents);
      }
      if (!widest.empty()) m_splitDims.emplace(std::pair(local.index(), d), std::move(widest));
    });
  }

  void splitLocals() {
    eachLocalDim([&](TensorId local, std::size_t d) {
      const auto found = m_splitDims.find({local.index(), d});
      if (found == m_splitDims.end()) return;
      Tensor& tensor = m_kernel.tensors[local.index()];
      replaceAt(tensor.shape, d, found->second);
      tensor.shapeSpelling.clear();
    });
  }

  void rewrite(Access& access) {
    bool changed = false;
    std::vector<LinearExpr> indices;
    for (std::size_t d = 0; d < access.indices.size(); ++d) {
      LinearExpr& index = access.indices[d];
      if (m_splitDims.contains({access.tensor.index(), d})) {
        changed = true;
        if (!addParts(index, indices)) return failOver(access);
      } else {
        changed = substitute(index, access.span) || changed;
        indices.push_back(std::move(index));
      }
    }
    access.indices = std::move(indices);
    if (changed) access.spelling.clear();
  }

  // The index of a split dimension of a local: one for each part.
  bool addParts(const LinearExpr& index, std::vector<LinearExpr>& indices) const {
    for (std::size_t l = 0; l < m_splits.size(); ++l) {
      if (!isSplit(l) || index != LinearExpr::dim(l)) continue;
      for (const LoopId part : m_splits[l].parts) indices.push_back(LinearExpr::dim(part.index()));
      return true;
    }
    return false;
  }

  void failOver(const Access& access) {
    fail(access.span,
         fmt::format("`{}` needs another iteration of a loop that is divided elsewhere",
                     m_kernel.tensor(access.tensor).name),
         "write two loops for the one, as in `A[4 * a + b]` with `for b in 0..4`; of a softmax, "
         "write the maximum and the sum over the loop, `max(j) s[j]`, instead of a recurrence");
  }

  void rewrite(Statement& statement) {
    eachAccess(statement, [&](Access& access) { rewrite(access); });
    for (affine::Constraint& constraint : statement.constraints) {
      if (substitute(constraint.expr, statement.span)) statement.constraintSpelling.clear();
    }
    splitInExpression(statement, m_splits);
  }

  // Whether the expression names a split loop, or a quotient.
  bool substitute(LinearExpr& expr, base::Span span) {
    LinearExpr out = LinearExpr::number(expr.constant);
    bool changed = false;
    for (std::size_t l = 0; l < expr.coefficients.size(); ++l) {
      if (!expr.dependsOn(l)) continue;
      const auto quotient = std::ranges::find_if(
          m_quotients, [&](const auto& q) { return q.first.quotient.index() == l; });
      const bool isQuotient = quotient != m_quotients.end();
      changed = changed || isQuotient || isSplit(l);
      const LinearExpr by = isQuotient   ? quotient->second
                            : isSplit(l) ? over(m_splits[l], 1)
                                         : LinearExpr::dim(l);
      out = out + by * expr.coefficients[l];
    }
    if (!changed) return false;
    const bool isSmall = std::ranges::all_of(
        out.coefficients, [](std::int64_t c) { return std::max(c, -c) <= kMaxCoefficient; });
    if (!isSmall) {
      fail(span, "a divided loop has too large a factor here",
           fmt::format("divisors times factors may be up to {}", kMaxCoefficient));
    }
    expr = std::move(out);
    return true;
  }

  void fail(base::Span span, std::string message, std::string hint) {
    base::report(m_errors,
                 base::errorAt(m_kernel.source, span, std::move(message), std::move(hint)));
  }

  Kernel& m_kernel;
  base::Diagnostics& m_errors;
  std::vector<std::set<std::int64_t>> m_divisors;  ///< per loop, ascending
  std::vector<SplitLoop> m_splits;                 ///< per loop
  std::vector<std::pair<DividedLoop, LinearExpr>> m_quotients;
  /// Dimensions of locals that a split loop addresses, and the extents they are split into.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::int64_t>> m_splitDims;
};

}  // namespace

void splitDividedLoops(Kernel& kernel, base::Diagnostics& errors) {
  if (!kernel.divided.empty()) LoopSplitter(kernel, errors).run();
}

}  // namespace gridloom::kernel
