// SPDX-License-Identifier: Apache-2.0
#include "kernel/statement_order.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "kernel/tensor_cycles.h"

namespace gridloom::kernel {

namespace {

// Whether an index of the loops, the first one outermost, comes after the one it needs: -1 where it
// may not, 0 where it is the same.
int directionOf(const FlowDependence& flow, const std::vector<LoopId>& loops) {
  for (const LoopId loop : loops) {
    const auto& least = flow.distance.perLoop[loop.index()].min;
    if (!least || *least < 0) return -1;
    if (*least > 0) return 1;
  }
  return 0;
}

std::vector<LoopId> targetLoopsInOrder(const Statement& statement) {
  std::vector<LoopId> loops = statement.loops;
  std::erase_if(loops, [&](LoopId loop) { return contains(statement.reductions, loop); });
  return loops;
}

/// Per tensor: how many tensors lie before it, one needing the other; those of a cycle together.
std::vector<std::size_t> depthsOf(const Kernel& kernel, const TensorCycles& cycles) {
  std::vector<std::size_t> depths(kernel.tensors.size(), 0);
  for (std::size_t round = 0; round < kernel.tensors.size(); ++round) {
    for (const Statement& statement : kernel.statements) {
      const TensorId target = statement.target.tensor;
      std::size_t& depth = depths[target.index()];
      for (const Access& read : statement.reads) {
        if (read.tensor == target) continue;
        const std::size_t step = cycles.isBetween(read.tensor, target) ? 0 : 1;
        depth = std::max(depth, depths[read.tensor.index()] + step);
      }
    }
  }
  return depths;
}

/// Which statements read what others define in the same step of the loops that run index by index.
class StepOrder {
 public:
  explicit StepOrder(const Kernel& kernel) : m_before(kernel.statements.size()) {
    const std::vector<FlowDependence> flows = flowDependences(kernel);
    const std::vector<LoopId> running = runningLoops(kernel, flows);
    for (const FlowDependence& flow : flows) {
      const Statement& writer = kernel.statements[flow.writer.index()];
      const int direction = directionOf(flow, runningLoopsOf(writer, running));
      if (flow.writer == flow.reader || direction != 0) continue;
      m_before[flow.reader.index()].push_back(flow.writer.index());
    }
  }

  // Within each row of statements that have one place.
  template <typename PlaceOf> void sort(Kernel& kernel, const PlaceOf& placeOf) {
    std::vector<Statement> sorted;
    for (std::size_t begin = 0, end = 0; begin < m_before.size(); begin = end) {
      const auto place = placeOf(kernel.statements[begin]);
      while (end < m_before.size() && placeOf(kernel.statements[end]) == place) ++end;
      for (const std::size_t s : orderOf(begin, end)) sorted.push_back(kernel.statements[s]);
    }
    kernel.statements = std::move(sorted);
  }

 private:
  // The first of those left that needs none of them; the first, if all do.
  std::vector<std::size_t> orderOf(std::size_t begin, std::size_t end) const {
    std::vector<std::size_t> left(end - begin), order;
    std::iota(left.begin(), left.end(), begin);
    const auto needsNone = [&](std::size_t s) {
      return std::ranges::none_of(m_before[s], [&](std::size_t before) {
        return std::ranges::find(left, before) != left.end();
      });
    };
    while (!left.empty()) {
      auto next = std::ranges::find_if(left, needsNone);
      if (next == left.end()) next = left.begin();
      order.push_back(*next);
      left.erase(next);
    }
    return order;
  }

  std::vector<std::vector<std::size_t>> m_before;  ///< per statement: those it reads from
};

}  // namespace

std::vector<LoopId> runningLoops(const Kernel& kernel, const std::vector<FlowDependence>& flows) {
  std::vector<LoopId> loops = forwardLoops(kernel, flows);
  const auto isStepOf = [&](const FlowDependence& flow, LoopId loop) {
    return std::ranges::any_of(flow.shared, [&](LoopId other) {
      return other != loop && contains(loops, other) &&
             flow.distance.perLoop[other.index()].min.value_or(0) >= 1;
    });
  };
  for (std::size_t at = loops.size(); at-- > 0;) {
    const LoopId loop = loops[at];
    bool carries = false, needed = false;
    for (const FlowDependence& flow : flows) {
      if (!flow.carriedBy(loop)) continue;
      carries = true;
      needed = needed || !isStepOf(flow, loop);
    }
    if (carries && !needed) loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return loops;
}

std::vector<LoopId> runningLoopsOf(const Statement& statement, const std::vector<LoopId>& running) {
  std::vector<LoopId> loops = targetLoopsInOrder(statement);
  std::erase_if(loops, [&](LoopId loop) { return !contains(running, loop); });
  std::ranges::sort(loops);
  return loops;
}

StatementOrder::StatementOrder(const Kernel& kernel, const std::vector<FlowDependence>& flows) {
  const std::vector<LoopId> running = runningLoops(kernel, flows);
  for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
    m_running.push_back(runningLoopsOf(kernel.statements[s], running));
    m_points.push_back(targetLoopsInOrder(kernel.statements[s]));
    const bool joins = s > 0 && !m_running[s].empty() && m_running[s - 1] == m_running[s];
    m_first.push_back(joins ? m_first[s - 1] : s);
  }
}

bool StatementOrder::keeps(const FlowDependence& flow) const {
  const std::size_t writer = flow.writer.index(), reader = flow.reader.index();
  if (m_first[writer] != m_first[reader]) return writer < reader;
  const int direction = directionOf(flow, m_running[writer]);
  if (direction != 0) return direction > 0;
  return writer == reader ? directionOf(flow, m_points[writer]) > 0 : writer < reader;
}

bool runsInOrder(const Kernel& kernel) {
  const std::vector<FlowDependence> flows = flowDependences(kernel);
  const StatementOrder order(kernel, flows);
  return std::ranges::all_of(flows, [&](const FlowDependence& flow) { return order.keeps(flow); });
}

void sortStatements(Kernel& kernel) {
  const TensorCycles cycles(kernel);
  const std::vector<std::size_t> depths = depthsOf(kernel, cycles);
  const auto placeOf = [&](const Statement& statement) {
    const TensorId target = statement.target.tensor;
    const bool isOnCycle = std::ranges::any_of(
        statement.reads, [&](const Access& read) { return cycles.isBetween(read.tensor, target); });
    return std::pair(depths[target.index()], isOnCycle);
  };
  std::ranges::stable_sort(kernel.statements, {}, placeOf);
  StepOrder(kernel).sort(kernel, placeOf);
}

std::optional<Kernel> withSortedStatements(const Kernel& kernel) {
  Kernel draft = kernel;
  sortStatements(draft);
  const auto at = [](const Statement& s) { return std::pair(s.target.tensor, s.span.begin); };
  const bool isSorted = std::ranges::equal(draft.statements, kernel.statements, {}, at, at);
  return isSorted ? std::nullopt : std::optional(std::move(draft));
}

}  // namespace gridloom::kernel
