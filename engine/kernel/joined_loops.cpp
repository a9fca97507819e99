// SPDX-License-Identifier: Apache-2.0
#include "kernel/joined_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "kernel/renumbered_loops.h"
#include "kernel/tensor_cycles.h"
#include "kernel/tile_nest.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

/// Two loops of different statements that index one output alike.
struct LoopPair {
  LoopId first;
  LoopId second;
  TensorId output;
};

/// The second loop becomes the first one in all statements. Of loops with different extents, the
/// shorter one becomes the longer one in the statements of the output alone: those of other outputs
/// would get tiles over the longer loop.
class LoopJoin {
 public:
  LoopJoin(Kernel& kernel, LoopPair pair)
      : m_kernel(kernel), m_kept(pair.first), m_gone(pair.second), m_output(pair.output) {
    m_differ = extentOf(m_kept) != extentOf(m_gone);
    if (m_differ && extentOf(m_kept) < extentOf(m_gone)) std::swap(m_kept, m_gone);
  }

  void run() {
    for (Statement& statement : m_kernel.statements) {
      statement.constraintSpelling = spellingsOf(m_kernel, statement);
      if (m_differ && statement.target.tensor != m_output) continue;
      if (m_differ && contains(statement.loops, m_gone)) limit(statement);
      renumberLoops(statement, [this](LoopId loop) { return loop == m_gone ? m_kept : loop; });
    }
    const auto uses = [&](const Statement& s) { return contains(s.loops, m_gone); };
    if (std::ranges::none_of(m_kernel.statements, uses)) eraseLoop(m_kernel, m_gone);
  }

 private:
  std::int64_t extentOf(LoopId loop) const { return m_kernel.loop(loop).extent; }

  // Statements of the loop with fewer steps keep to them.
  void limit(Statement& statement) const {
    const std::int64_t steps = extentOf(m_gone);
    const LinearExpr last = LinearExpr::number(steps - 1) - LinearExpr::dim(m_gone.index());
    statement.constraints.push_back({last});
    statement.constraintSpelling.push_back(
        fmt::format("{} < {}", m_kernel.loop(m_gone).name, steps));
  }

  Kernel& m_kernel;
  LoopId m_kept, m_gone;
  TensorId m_output;
  bool m_differ = false;
};

bool runTogether(const Kernel& kernel, LoopId a, LoopId b) {
  return std::ranges::any_of(kernel.statements, [&](const Statement& statement) {
    return contains(statement.loops, a) && contains(statement.loops, b);
  });
}

// Whether the loops take the same steps along an index of an output: all of them, or, where each is
// the whole index, those of the longer one as far as the other goes.
bool stepAlike(const Kernel& kernel, const LinearExpr& a, const LinearExpr& b, LoopId one,
               LoopId other) {
  if (a.coefficient(one.index()) != b.coefficient(other.index())) return false;
  return kernel.loop(one).extent == kernel.loop(other).extent || (isBareLoop(a) && isBareLoop(b));
}

LoopId shorterOf(const Kernel& kernel, const LoopPair& pair) {
  const bool isFirst = kernel.loop(pair.first).extent < kernel.loop(pair.second).extent;
  return isFirst ? pair.first : pair.second;
}

// A loop of each index, if they step alike.
std::optional<LoopPair> pairOf(const Kernel& kernel, const LinearExpr& a, const LinearExpr& b) {
  for (std::size_t x = 0; x < a.coefficients.size(); ++x) {
    for (std::size_t y = 0; y < b.coefficients.size(); ++y) {
      const LoopId one = LoopId::of(x), other = LoopId::of(y);
      if (x == y || !a.dependsOn(x) || !stepAlike(kernel, a, b, one, other)) continue;
      if (!runTogether(kernel, one, other)) {
        return LoopPair{std::min(one, other), std::max(one, other), {}};
      }
    }
  }
  return std::nullopt;
}

bool areOfOneRank(const Access& a, const Access& b) { return a.indices.size() == b.indices.size(); }

// Of the statements of one output, or of outputs that need each other.
std::optional<LoopPair> pairIn(const Kernel& kernel) {
  const TensorCycles cycles(kernel);
  for (const Statement& one : kernel.statements) {
    const TensorId output = one.target.tensor;
    if (kernel.tensor(output).role != TensorRole::Output) continue;
    for (const Statement& other : kernel.statements) {
      const TensorId beside = other.target.tensor;
      const bool isBeside = cycles.isBetween(output, beside) &&
                            kernel.tensor(beside).role == TensorRole::Output &&
                            areOfOneRank(one.target, other.target);
      if (beside != output && !isBeside) continue;
      for (std::size_t d = 0; d < one.target.indices.size(); ++d) {
        auto pair = pairOf(kernel, one.target.indices[d], other.target.indices[d]);
        if (!pair) continue;
        const LoopId shorter = shorterOf(kernel, *pair);
        pair->output = one.target.indices[d].dependsOn(shorter.index()) ? output : beside;
        return pair;
      }
    }
  }
  return std::nullopt;
}

std::vector<Access> accessesOf(const Kernel& kernel) {
  std::vector<Access> all;
  for (const Statement& statement : kernel.statements) {
    all.push_back(statement.target);
    all.insert(all.end(), statement.reads.begin(), statement.reads.end());
  }
  return all;
}

// The loop of one access that stands where `loop` does in another.
std::optional<LoopId> sameLoop(const Access& before, std::size_t loop, const Access& after) {
  for (std::size_t d = 0; d < before.indices.size(); ++d) {
    const std::int64_t factor = before.indices[d].coefficient(loop);
    const auto& now = after.indices[d].coefficients;
    const auto same = std::ranges::find(now, factor);
    if (factor != 0 && same != now.end())
      return LoopId::of(static_cast<std::size_t>(same - now.begin()));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Kernel> withAlikeLoops(const Kernel& kernel) {
  std::optional<Kernel> draft;
  while (const auto pair = pairIn(draft ? *draft : kernel)) {
    if (!draft) draft = kernel;
    LoopJoin(*draft, *pair).run();
  }
  return draft;
}

std::optional<Kernel> withJoinedLoops(const Kernel& kernel) {
  std::optional<Kernel> draft = withAlikeLoops(kernel);
  if (!draft) return std::nullopt;
  const auto before = tileNest(kernel), after = tileNest(*draft);
  if (!after || (before && after->whole.size() >= before->whole.size())) return std::nullopt;
  return draft;
}

std::optional<LoopId> joinedLoop(const Kernel& kernel, std::string_view name) {
  const std::vector<Loop>& loops = kernel.asWritten().loops;
  const auto at = std::ranges::find(loops, name, &Loop::name);
  if (at == loops.end() || std::ranges::find(kernel.loops, name, &Loop::name) != kernel.loops.end())
    return std::nullopt;
  const auto index = static_cast<std::size_t>(at - loops.begin());
  for (const Access& before : accessesOf(kernel.asWritten())) {
    for (const Access& after : accessesOf(kernel)) {
      if (after.span.begin != before.span.begin || after.indices.size() != before.indices.size())
        continue;
      if (const auto loop = sameLoop(before, index, after)) return loop;
    }
  }
  return std::nullopt;
}

}  // namespace gridloom::kernel
