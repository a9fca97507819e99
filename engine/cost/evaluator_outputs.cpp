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
                            MovementCost& c) const {
  const traffic::Pattern& p = *c.pattern;
  const bool tree = how == ReductionTopology::Tree;
  const double partial =
      c.edgeFraction *
      static_cast<double>(mapping::partialBytes(m_nest, operand, s.tiling, s.mapping.order));
  c.partial = partial / c.bytes;
  const double join = joinCycles(s, operand);
  c.split = mapping::splitDims(m_nest, s.mapping);
  for (std::size_t k = 0; k < p.joins.size(); ++k) {
    const double start = sendFixed() + p.stepLatency[k];
    const double send = partial * p.stepAlone[k];
    if (!tree) {
      // The next partial result arrives while compute works on its own; the last ones follow after
      // it.
      c.other = std::max(c.other, start + send);
      c.passing += p.joins[k] * (start + send + join);
      c.reduction += c.issues * join;
      c.joinInStep = c.passing;
      // There is one buffer for them: the next dimension's arrives after the previous one is
      // combined.
      if (k > 0) c.exchange += c.issues * (start + send);
      continue;
    }
    // Rounds follow each other: the first time with all pairs at once, later one pair at a time
    // without contention, as the cores that only send have moved on.
    const double rounds = std::ceil(std::log2(p.joins[k] + 1));
    c.reduction += c.issues * join * rounds;
    const double crowded = std::max(0.0, partial * p.stepPeak[k] - rounds * send);
    c.exchange += c.issues * rounds * (start + send) + crowded;
    c.joinInStep += crowded;
  }
  c.last += c.passing;
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
MovementCost Evaluator::leaving(const TiledCandidate& s, const Operand& operand,
                                const traffic::Pattern& p) const {
  MovementCost c;
  c.output = true;
  c.pattern = &p;
  c.level = s.outputLevel;
  c.issues = s.iterations[static_cast<std::size_t>(s.outputLevel)];
  const DimMask finishing = mapping::finishingDims(m_nest, operand, s.mapping);
  const Transferred& transfer = transferredAt(s, m_hw, operand, finishing, s.outputLevel);
  c.bytes = transfer.bytes;
  c.weight = c.issues * c.bytes * transfer.filled;
  const EdgeShares edges = edgeShares(s, operand);
  c.takeOffEdges(edges.first, edges.all);
  return c;
}

Footprint Evaluator::footprint(const TiledCandidate& s, std::size_t index,
                               const OutputMovement& m) const {
  return footprintOf(s, outputTransfers(m_nest, m_hw, s.mapping, s.tiling, index, m));
}

MovementCost Evaluator::output(const TiledCandidate& s, std::size_t index,
                               const OutputMovement& m) const {
  const Operand& operand = m_nest.outputs[index];
  const DimMask finishing = mapping::finishingDims(m_nest, operand, s.mapping);
  const traffic::Pattern& p =
      m.usesSharedBuffer()
          ? s.patterns->through(mapping::outputSteps(m, 0, m_hw)[0])
          : s.patterns->output(m, finishing, windowAt(s, operand, s.outputLevel, m.layout));
  MovementCost c = leaving(s, operand, p);
  c.overlapped = m.buffers == 2;
  c.localBytes = footprint(s, index, m).local;
  c.turn = m_packet * p.loadPeak;
  if (m.usesSharedBuffer()) {
    c.sharedBuffer = true;
    const Channels channels =
        channelsFor(mapping::TensorLayout::PageInterleaved, c.bytes,
                    tilesInside(s, operand, s.outputLevel), m_hw.global().writeBandwidth);
    // Tiles that leave the shared buffer one after the other also enter it so.
    c.interleaves = c.bytes > m_packet && channels.interleaves;
    c.start = sendFixed() + p.loadLatency;
    c.last = c.start + std::max(c.firstBytes() * p.loadPeak, c.lone());
    c.dma.first.out = c.dma.other.out = c.dma.sharedBuffer.in = c.start + c.lone();
    c.dma.groups = static_cast<double>(mapping::groupsPerInstance(m_hw, s.active, 0));
    return c;
  }
  const Channels channels = channelsFor(m.layout, c.bytes, tilesInside(s, operand, s.outputLevel),
                                        m_hw.global().writeBandwidth);
  c.least = channels.time;
  c.interleaves = channels.interleaves;
  c.start = channels.start + p.loadLatency;
  c.last = c.start + std::max(c.firstBytes() * p.loadPeak, c.lone());
  if (m.reduction != ReductionTopology::None) combination(s, operand, m.reduction, c);
  if (m.gather >= 0) {
    // The root has one buffer for tiles of others: it requests each in turn and stores it before
    // the next. It stores its own tile meanwhile.
    const double send = sendFixed() + p.stepLatency[0] + c.bytes * p.stepAlone[0];
    const Gathered gathered = gatheredAlong(s, m.gather);
    c.other = 2 * send;
    // A core continues once its own tile is sent, while those of the others follow; except where it
    // all-reduces with them.
    c.forwards = (allReduceDims(s) >> m.gather & 1) == 0;
    c.repeat = gathered.last;
    c.after = gathered.last * send;
    c.last = std::max(c.chain(c.load(0)), c.start + c.load(0));
    c.passing = c.last - c.wait(c.load(0));
    c.repeat = gathered.average;
    c.after = gathered.average * send;
  }
  c.busiestChannelCycles =
      channelCycles(s, operand, s.outputLevel, m.layout, c, m_hw.global().writeBandwidth);
  if (m_dma.limited()) holdChannels(m, c);
  return c;
}

// DMA channels of an output: the core at coordinate 0 receives tiles or partial results from the
// others, and stores.
void Evaluator::holdChannels(const OutputMovement& m, MovementCost& c) const {
  const double store = m.layout == mapping::TensorLayout::Local ? 0 : c.start + c.lone();
  c.dma.first.out = c.dma.other.out = store;
  if (m.gather >= 0) {
    c.dma.first.in = c.after;
    c.dma.passes = c.repeat * store;
    c.dma.other.out = c.other / 2;
  } else if (m.reduction != ReductionTopology::None) {
    const double exchanged = std::max(c.other, c.exchange / c.issues);
    c.dma.first.in = c.dma.other.in = c.dma.other.out = exchanged;
  }
}

MovementCost Evaluator::sharedBuffer(const TiledCandidate& s, std::size_t index,
                                     const OutputMovement& m, const MovementCost& before) const {
  const Operand& operand = m_nest.outputs[index];
  const traffic::Pattern& p = s.patterns->through(mapping::outputSteps(m, 0, m_hw)[1]);
  MovementCost c = leaving(s, operand, p);
  c.continues = true;
  c.sharedBuffer = true;
  c.overlapped = true;
  c.sharedBufferBytes = footprint(s, index, m).sharedBuffer;
  const Channels channels =
      channelsFor(mapping::TensorLayout::PageInterleaved, c.bytes,
                  tilesInside(s, operand, s.outputLevel), m_hw.global().writeBandwidth);
  c.least = channels.time;
  c.interleaves = channels.interleaves;
  c.turn = m_packet * p.loadPeak;
  c.start = channels.start + p.loadLatency;
  c.dma.sharedBuffer.out = c.start + c.lone();
  c.busiestChannelCycles =
      channelCycles(s, operand, s.outputLevel, mapping::TensorLayout::PageInterleaved, c,
                    m_hw.global().writeBandwidth);
  c.dma.groups = static_cast<double>(mapping::groupsPerInstance(m_hw, s.active, 0));
  // With a single buffer there, the next tile enters when this one has left.
  if (m.sharedBuffer == 1) c.after = before.start + before.load(0);
  // Finished tiles go through it one after the other, unless their packets interleave.
  const double together = c.start + std::max(c.firstBytes() * p.loadPeak, c.lone());
  c.last = before.interleaves ? before.last + together
                              : std::max(before.last + c.start + c.lone(),
                                         before.start + before.lone() + together);
  return c;
}

}  // namespace gridloom::cost
