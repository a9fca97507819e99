// SPDX-License-Identifier: Apache-2.0
#include "kernel/element_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gridloom::kernel {

namespace {

affine::IntegerSet domainOf(const Kernel& kernel, const std::vector<Difference>& differences,
                            const std::vector<LoopId>& loops) {
  affine::IntegerSet domain;
  for (std::size_t l = 0; l < kernel.loops.size(); ++l) {
    const bool runs = contains(loops, LoopId::of(l));
    domain.extents.push_back(runs ? kernel.loops[l].extent : 1);
  }
  for (const Difference& d : differences) domain.constraints.push_back(constraintOf(d));
  return domain;
}

/// Whether stepping along loops respects a dependence: always, where the statements of one step are
/// in the right order, or not.
enum class Order { Kept, Open, Broken };

Order orderOf(const FlowDependence& flow, const std::vector<LoopId>& steps) {
  for (const LoopId loop : steps) {
    const std::optional<std::int64_t> least = flow.distance.perLoop[loop.index()].min;
    if (!least || *least < 0) return Order::Broken;
    if (*least > 0) return Order::Kept;
  }
  return Order::Open;
}

bool isKept(const FlowDependence& flow, const std::vector<LoopId>& steps) {
  const Order order = orderOf(flow, steps);
  return order == Order::Kept || (order == Order::Open && flow.writer < flow.reader);
}

/// The fewest loops to step along, the first of the loops outermost where there are several, for
/// which `holds`.
template <typename Holds> class ShortestSteps {
 public:
  ShortestSteps(const std::vector<FlowDependence>& flows, const std::vector<LoopId>& loops,
                const Holds& holds)
      : m_flows(flows), m_loops(loops), m_holds(holds) {}

  std::optional<std::vector<LoopId>> run() {
    for (std::size_t length = 0; length <= m_loops.size(); ++length) {
      if (extend(length)) return std::move(m_steps);
    }
    return std::nullopt;
  }

 private:
  bool extend(std::size_t more) {
    const auto isBroken = [&](const auto& f) { return orderOf(f, m_steps) == Order::Broken; };
    if (std::ranges::any_of(m_flows, isBroken)) return false;
    if (more == 0) return m_holds(m_steps);
    for (const LoopId loop : m_loops) {
      if (contains(m_steps, loop)) continue;
      m_steps.push_back(loop);
      if (extend(more - 1)) return true;
      m_steps.pop_back();
    }
    return false;
  }

  const std::vector<FlowDependence>& m_flows;
  const std::vector<LoopId>& m_loops;
  const Holds& m_holds;
  std::vector<LoopId> m_steps;
};

/// Orders of statements in which each step computes what it reads.
class StatementSorter {
 public:
  StatementSorter(const std::vector<FlowDependence>& flows, std::size_t statements)
      : m_flows(flows), m_statements(statements) {}

  std::optional<std::vector<std::size_t>> orderFor(const std::vector<LoopId>& steps) const {
    std::vector<std::size_t> left(m_statements), order;
    std::iota(left.begin(), left.end(), std::size_t{0});
    const auto needsNone = [&](std::size_t s) {
      return std::ranges::none_of(m_flows, [&](const FlowDependence& flow) {
        return flow.reader.index() == s && orderOf(flow, steps) == Order::Open &&
               std::ranges::find(left, flow.writer.index()) != left.end();
      });
    };
    while (!left.empty()) {
      const auto next = std::ranges::find_if(left, needsNone);
      if (next == left.end()) return std::nullopt;
      order.push_back(*next);
      left.erase(next);
    }
    return order;
  }

 private:
  const std::vector<FlowDependence>& m_flows;
  std::size_t m_statements;
};

}  // namespace

std::vector<FlowDependence> placedFlows(const Kernel& kernel,
                                        const std::vector<PlacedStatement>& placed,
                                        const std::vector<std::vector<LoopId>>& targets,
                                        const std::vector<LoopId>& loops) {
  std::vector<FlowDependence> flows;
  for (std::size_t r = 0; r < kernel.statements.size(); ++r) {
    const Statement& reader = kernel.statements[r];
    std::vector<LoopId> around = loops;
    around.insert(around.end(), reader.reductions.begin(), reader.reductions.end());
    for (std::size_t read = 0; read < reader.reads.size(); ++read) {
      const bool sums = std::ranges::any_of(loopsOf(reader.reads[read]), [&](LoopId loop) {
        return contains(reader.reductions, loop);
      });
      const auto& points = sums ? placed[r].summed : placed[r].elements;
      for (std::size_t w = 0; w < kernel.statements.size(); ++w) {
        const Statement& writer = kernel.statements[w];
        if (writer.target.tensor != reader.reads[read].tensor) continue;
        std::vector<affine::LinearExpr> made;
        for (const LoopId loop : targets[writer.target.tensor.index()]) {
          made.push_back(affine::LinearExpr::dim(loop.index()));
        }
        FlowDependence flow{StatementId::of(w), StatementId::of(r), read, loops, {}};
        flow.distance =
            affine::dependence(domainOf(kernel, placed[w].elements, loops), made,
                               domainOf(kernel, points, around), reader.reads[read].indices);
        if (flow.distance.exists) flows.push_back(std::move(flow));
      }
    }
  }
  return flows;
}

StepsOrOpenFlow stepsFor(const std::vector<FlowDependence>& flows,
                         const std::vector<LoopId>& loops) {
  std::size_t open = 0;
  const auto keepsAll = [&](const std::vector<LoopId>& steps) {
    const auto lost = std::ranges::find_if_not(
        flows, [&](const FlowDependence& flow) { return isKept(flow, steps); });
    if (lost != flows.end()) open = static_cast<std::size_t>(lost - flows.begin());
    return lost == flows.end();
  };
  auto steps = ShortestSteps(flows, loops, keepsAll).run();
  if (!steps) return open;
  return *std::move(steps);
}

std::optional<std::vector<std::size_t>> orderOfFewestSteps(const std::vector<FlowDependence>& flows,
                                                           const std::vector<LoopId>& loops,
                                                           std::size_t statements) {
  const StatementSorter sorter(flows, statements);
  const auto hasOrder = [&](const std::vector<LoopId>& steps) {
    return sorter.orderFor(steps).has_value();
  };
  const auto steps = ShortestSteps(flows, loops, hasOrder).run();
  return steps ? sorter.orderFor(*steps) : std::nullopt;
}

}  // namespace gridloom::kernel
