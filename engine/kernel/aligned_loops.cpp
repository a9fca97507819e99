// SPDX-License-Identifier: Apache-2.0
#include "kernel/aligned_loops.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

#include "kernel/copies.h"
#include "kernel/dependences.h"
#include "kernel/loop_classes.h"
#include "kernel/renumbered_loops.h"
#include "kernel/scopes.h"
#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

using affine::LinearExpr;

// The loop of an index that is one loop, or its neighbour.
LoopId loopIn(const LinearExpr& index) {
  if (!isBareLoop(index - LinearExpr::number(index.constant))) return {};
  const auto at = std::ranges::find(index.coefficients, 1);
  return LoopId::of(static_cast<std::size_t>(at - index.coefficients.begin()));
}

class LoopAligner {
 public:
  LoopAligner(const Kernel& kernel, Reads reads)
      : m_kernel(kernel), m_draft(kernel), m_reads(reads) {}

  std::optional<Kernel> run() {
    const TensorCycles cycles(m_kernel);
    const std::vector<Statement>& all = m_kernel.statements;
    for (std::size_t s = 0; s < all.size(); ++s) {
      const TensorId target = all[s].target.tensor;
      if (!cycles.isBetween(target, target)) continue;
      for (const LoopId loop : targetLoops(all[s])) m_classes.add({s, loop});
    }
    if (m_reads == Reads::NamesCount)
      joinNames(cycles);
    else
      joinReads();
    joinTargets();
    for (const std::set<LoopUse>& uses : m_classes.all()) place(uses);
    return rename(cycles) && m_changed ? std::optional(std::move(m_draft)) : std::nullopt;
  }

 private:
  void joinReads() {
    std::vector<FlowDependence> flows = flowDependences(m_kernel);
    if (m_reads == Reads::LastCounts) std::ranges::reverse(flows);
    // What reads a diagonal says less than what runs over all elements.
    const bool first = m_reads == Reads::DiagonalsCount;
    for (const bool isDiagonal : {first, !first}) {
      for (const FlowDependence& flow : flows) {
        const Access& read = m_kernel.statements[flow.reader.index()].reads[flow.read];
        if ((loopsOf(read).size() < read.indices.size()) == isDiagonal) joinAlong(flow);
      }
    }
  }

  // One loop of statements of one recurrence.
  void joinNames(const TensorCycles& cycles) {
    const std::vector<Statement>& all = m_kernel.statements;
    for (std::size_t s = 0; s < all.size(); ++s) {
      for (std::size_t t = 0; t < s; ++t) {
        if (!cycles.isBetween(all[s].target.tensor, all[t].target.tensor)) continue;
        for (const LoopId loop : targetLoops(all[s])) m_classes.join({s, loop}, {t, loop});
      }
    }
  }

  // Statements of one tensor, such as zeros that nothing reads, index it alike.
  void joinTargets() {
    const std::vector<Statement>& all = m_kernel.statements;
    for (std::size_t s = 0; s < all.size(); ++s) {
      for (std::size_t t = 0; t < s; ++t) {
        if (all[t].target.tensor == all[s].target.tensor)
          joinIndices(t, all[t].target, s, all[s].target);
      }
    }
  }

  void joinAlong(const FlowDependence& flow) {
    const std::size_t from = flow.writer.index(), to = flow.reader.index();
    joinIndices(from, m_kernel.statements[from].target, to,
                m_kernel.statements[to].reads[flow.read]);
  }

  void joinIndices(std::size_t from, const Access& target, std::size_t to, const Access& access) {
    for (std::size_t d = 0; d < target.indices.size(); ++d) {
      const LoopId written = loopIn(target.indices[d]), used = loopIn(access.indices[d]);
      if (written.valid() && used.valid()) m_classes.join({from, written}, {to, used});
    }
  }

  // One loop for all uses: that of the longest, if no other class has taken it.
  void place(const std::set<LoopUse>& uses) {
    const auto extentOf = [&](const LoopUse& use) { return m_kernel.loop(use.second).extent; };
    const std::int64_t extent = std::ranges::max(uses | std::views::transform(extentOf));
    const auto isFree = [&](const LoopUse& use) {
      return extentOf(use) == extent && !m_taken.contains(use.second);
    };
    const auto free = std::ranges::find_if(uses, isFree);
    LoopId loop = free == uses.end() ? uses.begin()->second : free->second;
    if (!m_taken.insert(loop).second) loop = another(loop, extent);
    for (const LoopUse& use : uses) {
      m_loopOf[use] = loop;
      m_changed = m_changed || use.second != loop;
    }
  }

  // A further loop like this one.
  LoopId another(LoopId loop, std::int64_t extent) {
    Loop own = m_kernel.loop(loop);
    own.extent = own.declared = extent;
    own.name = freeName(m_draft, own.name);
    m_draft.loops.push_back(std::move(own));
    return LoopId::of(m_draft.loops.size() - 1);
  }

  // The new loops of a statement. A sum over a loop that targets take now has one of its own, sums
  // of statements that need each other have the same.
  std::map<LoopId, LoopId> newLoops(std::size_t s, const TensorCycles& cycles) {
    const Statement& statement = m_draft.statements[s];
    std::map<LoopId, LoopId> loops;
    std::set<LoopId> taken;
    for (const LoopId loop : targetLoops(statement)) {
      const auto at = m_loopOf.find({s, loop});
      loops[loop] = at == m_loopOf.end() ? loop : at->second;
      taken.insert(loops[loop]);
    }
    for (const LoopId sum : statement.reductions) {
      if (taken.contains(sum) || m_taken.contains(sum))
        loops[sum] = sumInstead(sum, statement, loops);
      else
        loops[sum] = sharedSum(sum, statement, loops, cycles);
      m_sums.emplace_back(statement.target.tensor, loops[sum]);
    }
    return loops;
  }

  // The sum of an earlier statement of the recurrence, so that both end together; else itself.
  LoopId sharedSum(LoopId sum, const Statement& statement, const std::map<LoopId, LoopId>& loops,
                   const TensorCycles& cycles) {
    for (const auto& [target, loop] : m_sums) {
      const auto isIt = [&](const auto& each) { return each.second == loop; };
      const bool isFree =
          loop == sum || !(contains(statement.loops, loop) || std::ranges::any_of(loops, isIt));
      if (!isFree || !cycles.isBetween(target, statement.target.tensor) ||
          m_draft.loop(loop).extent != m_draft.loop(sum).extent)
        continue;
      m_changed = m_changed || loop != sum;
      return loop;
    }
    return sum;
  }

  // The loop of another sum, so that sums end together; else the same for all statements.
  LoopId sumInstead(LoopId sum, const Statement& statement, const std::map<LoopId, LoopId>& loops) {
    const std::int64_t extent = m_draft.loop(sum).extent;
    for (const Statement& other : m_kernel.statements) {
      for (const LoopId loop : other.reductions) {
        const auto isIt = [&](const auto& each) { return each.second == loop; };
        const bool isTaken = m_taken.contains(loop) || contains(statement.loops, loop) ||
                             std::ranges::any_of(loops, isIt);
        if (!isTaken && m_kernel.loop(loop).extent == extent) return loop;
      }
    }
    const auto known = m_sumInstead.find(sum);
    if (known != m_sumInstead.end()) return known->second;
    return m_sumInstead[sum] = another(sum, extent);
  }

  bool rename(const TensorCycles& cycles) {
    for (std::size_t s = 0; s < m_draft.statements.size(); ++s) {
      const std::map<LoopId, LoopId> loops = newLoops(s, cycles);
      Statement& statement = m_draft.statements[s];
      for (const LoopId loop : targetLoops(statement)) limit(statement, {s, loop});
      renumberLoops(statement, [&](LoopId loop) {
        const auto at = loops.find(loop);
        return at == loops.end() ? loop : at->second;
      });
      base::Diagnostics errors;
      takeScope(m_draft, statement, errors);
      if (!errors.empty()) return false;
    }
    eraseUnusedLoops(m_draft);
    return true;
  }

  // A statement with fewer steps keeps to them.
  void limit(Statement& statement, const LoopUse& use) const {
    const auto at = m_loopOf.find(use);
    const std::int64_t steps = m_kernel.loop(use.second).extent;
    if (at == m_loopOf.end() || m_draft.loop(at->second).extent == steps) return;
    const LinearExpr last = LinearExpr::number(steps - 1);
    statement.constraints.push_back({last - LinearExpr::dim(use.second.index())});
    statement.constraintSpelling.clear();
  }

  const Kernel& m_kernel;
  Kernel m_draft;
  Reads m_reads;
  LoopClasses m_classes;
  std::set<LoopId> m_taken;
  std::map<LoopUse, LoopId> m_loopOf;
  std::map<LoopId, LoopId> m_sumInstead;
  std::vector<std::pair<TensorId, LoopId>> m_sums;  ///< new ones, by the tensor they make
  bool m_changed = false;
};

}  // namespace

std::optional<Kernel> withAlignedLoops(const Kernel& kernel, Reads reads) {
  return LoopAligner(kernel, reads).run();
}

}  // namespace gridloom::kernel
