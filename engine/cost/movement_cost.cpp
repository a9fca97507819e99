// SPDX-License-Identifier: Apache-2.0
#include "cost/movement_cost.h"

#include "cost/resource_loads.h"

namespace gridloom::cost {

namespace {

struct Flattener {
  FlatCost& out;

  void operator()(const Load& load) const {
    out.along = load.along;
    out.made = load.made;
    out.fills = load.fills && load.made == Made::Elsewhere;
    out.late = !load.fills && load.made == Made::Elsewhere;
    out.first = load.first;
    out.ahead = load.ahead;
    out.feed = load.feed;
    out.partial = load.passed;
    out.port = load.port;
  }
  void operator()(const Store& store) const {
    out.isStore = true;
    // With one buffer compute waits for every store; only transfers between cores follow it.
    out.drain = out.level == 0 || out.overlapped ? store.last : store.passing;
    if (out.drain == store.last) out.crowded = store.crowded;
    out.work = store.reduction + store.exchange;
    out.partial = store.partial;
    out.split = store.split;
    out.scope = out.level > 0 ? store.split : 0;
    out.joinInStep = store.joinInStep;
  }
  void operator()(const AllReduce& reduce) const {
    out.isAllReduce = true;
    out.along = reduce.along;
    out.work = reduce.reduction + reduce.exchange;
    out.headStart = reduce.headStart;
  }
};

mapping::DimMask contendsAlong(const FlatCost& cost) {
  if (cost.loadsAhead()) return cost.lockstep;
  return cost.port.along | (cost.interleaves ? 0 : cost.pattern->loaders);
}

}  // namespace

FlatCost flatten(const MovementCost& cost, TermSet terms) {
  FlatCost out{cost.transfer};
  out.operand = cost.operand;
  out.continues = cost.stage == Stage::Outer;
  std::visit(Flattener{out}, cost.kind);
  if (!terms.has(TermId::StepContention)) out.average = 0;
  if (out.loadsAhead()) {
    out.pipelined = out.issues * out.chain(out.alone());
    if (out.interleaves && out.after > 0) out.lockstep = out.pattern->loaders;
  }
  if (!terms.has(TermId::PortShare)) out.port = {};
  out.drainsTogether = out.drain > 0 && terms.has(TermId::LastTiles);
  if (out.drainsTogether) {
    out.latency = out.drain - std::max(out.firstBytes() * out.pattern->loadPeak, out.alone());
  }
  out.contends = contendsAlong(out);
  out.paces = cost.stage == Stage::Only || (cost.stage == Stage::Cores && out.along != 0);
  return out;
}

std::size_t paddedRows(const traffic::TrafficPatterns& patterns) {
  return (std::max<std::size_t>(patterns.resourceCount(), 1) + 3) / 4 * 4;
}

LoadedCost loadsOf(const FlatCost& cost, std::span<double> rows) {
  // Resources that never dominate come last; those that fit into the padding do not change the
  // maximum.
  const std::size_t padded = rows.size() / 2;
  const std::size_t count = std::min(padded, cost.pattern->resourceLoads.size());
  std::ranges::fill(rows, 0.0);
  accumulate(rows.data(), cost, cost.weight, count);
  if (!cost.isStore || cost.drainsTogether) {
    accumulateLoad(rows.data() + padded, cost, cost.firstBytes(), count);
  }
  return {&cost, rows.data(), rows.data() + padded};
}

FlatCosts::FlatCosts(const traffic::TrafficPatterns& patterns, std::span<const MovementCost> costs,
                     TermSet terms) {
  const std::size_t rows = 2 * paddedRows(patterns);
  m_rows.resize(rows * costs.size());
  for (const MovementCost& cost : costs) m_costs.push_back(flatten(cost, terms));
  for (std::size_t i = 0; i < costs.size(); ++i) {
    m_all.push_back(loadsOf(m_costs[i], std::span(m_rows).subspan(i * rows, rows)));
  }
}

}  // namespace gridloom::cost
