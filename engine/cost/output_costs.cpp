// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "cost/edge_tile_fraction.h"
#include "cost/evaluator.h"
#include "mapping/partials.h"
#include "timing/op_cycles.h"

namespace gridloom::cost {

using kernel::contains;
using kernel::LoopId;
using kernel::Operand;
using mapping::DimMask;
using mapping::OutputMovement;
using mapping::ReductionTopology;

// Cost of the reduction of partial results, along one split dimension after the other.
void Evaluator::combination(const TiledCandidate& s, const Operand& operand, ReductionTopology how,
                            Transfer& c, Store& store) const {
  const traffic::Pattern& p = *c.pattern;
  const bool tree = how == ReductionTopology::Tree;
  const EdgeShares edges = edgesOf(s, operand, s.outputLevel);
  const double partial =
      edges.transfer * edges.transfers *
      static_cast<double>(mapping::partialBytes(m_nest, operand, s.tiling, s.mapping.order));
  store.partial = partial / c.bytes;
  const double join = joinCycles(s, operand);
  store.split = mapping::splitDims(m_nest, s.mapping);
  for (std::size_t k = 0; k < p.joins.size(); ++k) {
    const double start = sendFixed() + p.stepLatency[k];
    const double send = partial * p.stepAlone[k];
    if (how == ReductionTopology::ReduceScatter) {
      // The core sends and combines one share after the other.
      const double rounds = p.joins[k];
      store.reduction += c.issues * join * rounds / (rounds + 1);
      store.exchange += c.issues * (rounds * start + send);
      store.joinInStep += std::max(0.0, partial * p.stepPeak[k] - send);
      continue;
    }
    if (!tree) {
      // The next partial result arrives while compute works on its own; the last ones follow after
      // it.
      c.other = std::max(c.other, start + send);
      store.passing += p.joins[k] * (start + send + join);
      store.reduction += c.issues * join;
      store.joinInStep = store.passing;
      // There is one buffer for them: the next dimension's arrives after the previous one is
      // combined.
      if (k > 0) store.exchange += c.issues * (start + send);
      continue;
    }
    // Rounds follow each other: the first time with all pairs at once, later one pair at a time
    // without contention, as the cores that only send have moved on.
    const double rounds = std::ceil(std::log2(p.joins[k] + 1));
    store.reduction += c.issues * join * rounds;
    const double crowded = std::max(0.0, partial * p.stepPeak[k] - rounds * send);
    store.exchange += c.issues * rounds * (start + send) + crowded;
    store.joinInStep += crowded;
  }
  store.last += store.passing;
}

// Cycles to combine the partial results of one output scope from one other core.
double Evaluator::joinCycles(const TiledCandidate& s, const Operand& operand) const {
  const mapping::Partials partials = mapping::partialsOf(m_nest, operand);
  const auto tilesOver = [&](const std::vector<LoopId>& loops) {
    double tiles = 1;
    for (auto at = static_cast<std::size_t>(s.outputLevel); at < s.mapping.order.size(); ++at) {
      const LoopId loop = s.mapping.order[at];
      if (contains(loops, loop)) tiles *= static_cast<double>(s.tiling.loops[loop.index()].trips);
    }
    return tiles;
  };
  double cycles = 0;
  if (m_nest.merge) {
    for (const kernel::TileOp& op : m_nest.merge->ops) {
      cycles += tilesOver(op.loops) * timing::opCycles(op, s.tiling.tileSizes, m_compute);
    }
    return cycles;
  }
  if (partials.tile) {
    cycles += tilesInside(s, operand, s.outputLevel) *
              timing::additionCycles(regionElements(operand, s.tiling.tileSizes), m_compute);
  }
  for (const std::size_t l : partials.locals) {
    const kernel::LocalBuffer& local = m_nest.locals[l];
    cycles += tilesOver(local.loops) *
              timing::additionCycles(mapping::localElements(local, s.tiling), m_compute);
  }
  return cycles;
}

// The common part of all transfers of an output.
Transfer Evaluator::leaving(const TiledCandidate& s, const Operand& operand,
                            const traffic::Pattern& p) const {
  Transfer c;
  c.pattern = &p;
  c.level = s.outputLevel;
  c.issues = s.iterations[static_cast<std::size_t>(s.outputLevel)];
  const DimMask finishing = mapping::finishingDims(m_nest, operand, s.mapping);
  const Transferred& transfer = transferredAt(s, m_hw, operand, finishing, s.outputLevel);
  const EdgeShares edges = edgesOf(s, operand, s.outputLevel);
  c.bytes = transfer.bytes * edges.transfer;
  c.weight = c.issues * transfer.bytes * transfer.filled;
  c.takeOffEdges(edges);
  return c;
}

Footprint Evaluator::footprint(const TiledCandidate& s, std::size_t index,
                               const OutputMovement& m) const {
  return footprintOf(s, outputBuffers(m_nest, s.mapping, s.tiling, index, m));
}

MovementCost Evaluator::output(const TiledCandidate& s, std::size_t index,
                               const OutputMovement& m) const {
  const Operand& operand = m_nest.outputs[index];
  const DimMask finishing = mapping::finishingDims(m_nest, operand, s.mapping);
  MovementCost cost;
  cost.operand = static_cast<int>(index);
  Transfer& c = cost.transfer = leaving(
      s, operand, s.patterns->output(m, finishing, windowAt(s, operand, s.outputLevel, m.layout)));
  c.overlapped = m.buffers == 2;
  const bool ring = m.reduction == ReductionTopology::ReduceScatter;
  throughChannels(s, operand, m.layout, c, true, ring ? c.pattern->joins[0] + 1 : 1);
  Store store{c.allAtOnce(), c.crowding()};
  if (m.reduction != ReductionTopology::None) combination(s, operand, m.reduction, c, store);
  if (m.gather >= 0) gathered(s, m.gather, c, store);
  if (m_dma.limited()) holdChannels(m, store, c);
  cost.kind = store;
  return cost;
}

// The root has one buffer for tiles of others: it requests each in turn and stores it before the
// next. It stores its own tile meanwhile.
void Evaluator::gathered(const TiledCandidate& s, int dim, Transfer& c, Store& store) const {
  const double send = sendFixed() + c.pattern->stepLatency[0] + c.moved() * c.pattern->stepAlone[0];
  const Gathered gathered = gatheredAlong(s, dim, s.outputLevel);
  c.other = 2 * send;
  // A core continues once its own tile is sent, while those of the others follow; except where it
  // all-reduces with them.
  c.forwards = (allReduceDims(s) >> dim & 1) == 0;
  c.repeat = gathered.last;
  c.after = gathered.last * send;
  const double load = c.together(0), crowded = c.togetherIn(c.pattern->loaders);
  store.last = std::max(c.chain(crowded), c.start + crowded);
  store.crowded = store.last - std::max(c.chain(load), c.start + load);
  store.passing = store.last - c.wait(load);
  c.repeat = gathered.average;
  c.after = gathered.average * send;
}

// DMA channels of an output: the core at coordinate 0 receives tiles or partial results from the
// others, and stores.
void Evaluator::holdChannels(const OutputMovement& m, const Store& store, Transfer& c) const {
  const double held = m.layout == mapping::TensorLayout::Local ? 0 : c.start + c.alone();
  c.dma.first.out = c.dma.other.out = held;
  if (m.gather >= 0) {
    c.dma.first.in = c.after;
    c.dma.passes = c.repeat * held;
    c.dma.other.out = c.other / 2;
  } else if (m.reduction != ReductionTopology::None) {
    const double exchanged = std::max(c.other, store.exchange / c.issues);
    c.dma.first.in = c.dma.other.in = c.dma.other.out = exchanged;
    if (m.reduction == ReductionTopology::ReduceScatter)
      c.dma.first.out = c.dma.other.out = held + exchanged;
  }
}

}  // namespace gridloom::cost
