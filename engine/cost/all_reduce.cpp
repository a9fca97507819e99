// SPDX-License-Identifier: Apache-2.0
#include "mapping/all_reduce.h"

#include <cmath>

#include "cost/evaluator.h"
#include "timing/op_cycles.h"
#include "traffic/collective_traffic.h"

namespace gridloom::cost {

using mapping::DimMask;
using mapping::ReductionTopology;

namespace {

// Rounds of a tree and the sum of their distances, in multiples of the longest one: distances
// double from round to round.
struct Rounds {
  double count = 0, unroll = 0;
};
Rounds roundsOf(double others) {
  const double count = std::ceil(std::log2(others + 1));
  return {count, 2 - std::exp2(1 - count)};
}

}  // namespace

Footprint Evaluator::footprint(const TiledCandidate& s, std::size_t index,
                               ReductionTopology how) const {
  const auto transfers = allReduceTransfers(m_nest, m_hw, s.mapping, s.tiling, index, how);
  return footprintOf(s, transfers.buffers);
}

DimMask Evaluator::allReduceDims(const TiledCandidate& s) const {
  DimMask dims = 0;
  for (const kernel::AllReduce& reduce : m_nest.allReduces)
    dims |= mapping::allReduceDims(reduce, s.mapping);
  return dims;
}

// All cores of a group wait until the result is back. Nothing overlaps: the next stage of the work
// needs the result, and the previous stage has ended.
MovementCost Evaluator::allReduce(const TiledCandidate& s, std::size_t index,
                                  ReductionTopology how) const {
  const kernel::AllReduce& reduce = m_nest.allReduces[index];
  const DimMask dims = mapping::allReduceDims(reduce, s.mapping);
  const traffic::Pattern& p = s.patterns->allReduce(how, dims);
  MovementCost cost;
  cost.operand = static_cast<int>(index);
  Transfer& c = cost.transfer;
  c.pattern = &p;
  c.level = static_cast<int>(s.mapping.order.size());
  c.issues = s.iterations.back();
  const auto bytes = static_cast<double>(resultBytes(reduce, s.tiling.tileSizes));
  c.weight = c.issues * bytes;
  AllReduce terms{dims};
  for (const kernel::TileOp& op : m_nest.ops) {
    if (op.stage > cost.operand) continue;
    terms.headStart += timing::opCycles(op, s.tiling.tileSizes, m_compute);
  }
  double join = 0;
  for (const kernel::TileOp& op : reduce.ops)
    join += timing::opCycles(op, s.tiling.tileSizes, m_compute);
  double joins = 0, waits = 0;
  for (std::size_t k = 0; k < p.joins.size(); ++k) {
    const double send = sendFixed() + bytes * p.stepAlone[k];
    const Rounds rounds =
        how == ReductionTopology::Tree ? roundsOf(p.joins[k]) : Rounds{p.joins[k], p.joins[k]};
    joins += rounds.count;
    waits += rounds.count * send + rounds.unroll * p.stepLatency[k];
  }
  std::size_t k = p.joins.size();
  const DimMask wide = dims & traffic::wideDims(s.active);
  for (const mapping::TransferStep& step : mapping::allReduceSteps(how, wide, m_hw)) {
    if (step.reduces()) continue;
    const bool streams = step.kind == mapping::TransferStep::Kind::Stream;
    const double hops = streams ? static_cast<double>(s.active[step.first] - 1) : 1;
    waits += hops * (sendFixed() + p.stepLatency[k] + bytes * p.stepAlone[k]);
    ++k;
  }
  terms.reduction = c.issues * joins * join;
  terms.exchange = c.issues * waits;
  cost.kind = terms;
  return cost;
}

}  // namespace gridloom::cost
