// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "cost/edge_tile_fraction.h"
#include "cost/evaluator.h"
#include "cost/tile_counts.h"
#include "mapping/partials.h"

namespace gridloom::cost {

using kernel::LoopId;
using kernel::Operand;
using mapping::DimMask;
using mapping::InputMovement;
using mapping::LoopTiling;
using mapping::MovementKind;

// For an operand with a guard, some tiles need no transfer and some need only part of one: fewer
// transfers, of fewer bytes on average.
void Evaluator::narrow(const TiledCandidate& s, const Operand& operand, const InputMovement& m,
                       Transfer& c) const {
  if (operand.guard.always()) return;
  std::vector<CountedTiles> tiles, transfers;
  double all = 1, allTransfers = 1;
  for (std::size_t l = 0; l < s.tiling.loops.size(); ++l) {
    const LoopTiling& t = s.tiling.loops[l];
    const LoopId loop = LoopId::of(l);
    const bool inside = t.trips > 1 && !isOutside(s, loop, m.level);
    const bool depends = operand.dependsOn(loop);
    CountedTiles one{0, 1, t.tiles, 1};
    if (!depends && (m.along | m.shared) != 0 && t.unroll > 1)
      one = {0, t.unroll, t.trips, t.unroll};
    tiles.push_back(!depends && inside ? allAtOnce(t) : one);
    transfers.push_back(inside ? allAtOnce(t) : one);
    all *= static_cast<double>(tiles.back().count);
    allTransfers *= static_cast<double>(transfers.back().count);
  }
  const double needed = m_counts.where(operand.guard, s.tiling, tiles) / all;
  const double started = m_counts.where(operand.guard, s.tiling, transfers) / allTransfers;
  if (needed <= 0 || started <= 0) {  // no tile ever needs it
    c.weight = c.bytes = c.average = 0;
    c.issues = 1;
    return;
  }
  c.weight *= needed;
  c.issues = std::max(1.0, c.issues * started);
  c.bytes *= std::min(1.0, needed / started);
}

// Bytes per core over the kernel of the transfers at a level.
double Evaluator::bytesOf(const TiledCandidate& s, const Operand& operand, DimMask sharing,
                          int level) const {
  const DimMask without = mapping::finishingDims(m_nest, operand, s.mapping);
  const Transferred& transfer = transferredAt(s, m_hw, operand, sharing | without, level);
  return s.iterations[static_cast<std::size_t>(level)] * transfer.bytes * transfer.filled;
}

// The common part of all transfers towards the cores.
Transfer Evaluator::arriving(const TiledCandidate& s, const Operand& operand, DimMask sharing,
                             int level, int buffers, const traffic::Pattern& p) const {
  Transfer c;
  c.pattern = &p;
  c.level = level;
  c.overlapped = buffers == 2;
  c.issues = s.iterations[static_cast<std::size_t>(level)];
  const DimMask without = mapping::finishingDims(m_nest, operand, s.mapping);
  c.bytes = transferredAt(s, m_hw, operand, sharing | without, level).bytes *
            edgesOf(s, operand, level).transfer;
  c.weight = bytesOf(s, operand, sharing, level);
  c.average = c.bytes;
  return c;
}

Footprint Evaluator::footprint(const TiledCandidate& s, std::size_t index,
                               const InputMovement& m) const {
  const Operand& operand = m_nest.inputs[index];
  return footprintOf(s, mapping::inputBuffers(operand, s.tiling, m, [&](int level) {
                       return bufferBytes(s, operand, level);
                     }));
}

Footprint Evaluator::footprintOf(const TiledCandidate& s,
                                 const mapping::TileBuffers& buffers) const {
  Footprint out{bytesIn(buffers, mapping::Memory::Local, m_hw, s.tiling)};
  for (std::size_t k = 0; k < m_hw.sharedBuffers().size(); ++k) {
    out.shared[k] = bytesIn(buffers, mapping::Memory::shared(k), m_hw, s.tiling);
  }
  return out;
}

MovementCost Evaluator::input(const TiledCandidate& s, std::size_t index,
                              const InputMovement& m) const {
  const Operand& operand = m_nest.inputs[index];
  if (m.kind == MovementKind::Stationary) return kept(s, index, m);
  if (m.kind == MovementKind::Forwarded) return passed(s, index, m);
  if (m.kind == MovementKind::Rotate) return rotating(s, index, m);
  // Cores that read a shared copy in place move nothing, like cores that do not use the operand.
  const DimMask without = mapping::finishingDims(m_nest, operand, s.mapping) | m.shared;
  const traffic::Pattern& p = s.patterns->input(m, sharedDims(operand, s.mapping), without,
                                                windowAt(s, operand, m.level, m.layout));
  MovementCost cost;
  cost.operand = static_cast<int>(index);
  Transfer& c = cost.transfer = arriving(s, operand, m.along | m.shared, m.level, m.buffers, p);
  Load load{m.along | m.shared};
  if (operand.produced) load.made = Made::Stored;
  load.fills = operand.phase != kernel::Phase::Epilogue;
  narrow(s, operand, m, c);
  const bool stream = m.kind == MovementKind::Stream;
  const bool ring = m.kind == MovementKind::AllGather;
  throughChannels(s, operand, m.layout, c, false, ring ? p.hops + 1 : 1);
  load.first = c.allAtOnce();
  const EdgeShares edges = edgesOf(s, operand, m.level);
  for (int k = 0; k < p.stepCount; ++k) {
    const double start = (ring ? p.hops : 1) * (sendFixed() + p.stepLatency[k]);
    c.after += start + edges.transfers * c.moved() * p.stepAlone[k];
    // In a stream, one core per line sends at a time.
    load.first +=
        stream ? (start + c.moved() * p.stepAlone[k]) * p.hops : start + c.moved() * p.stepPeak[k];
  }
  load.ahead = load.first - c.firstBytes() * p.loadPeak;
  c.takeOffEdges(edges);
  // A core in the middle of a stream first receives a tile, then sends it on while it computes.
  c.forwards = stream;
  if (stream) c.other = 2 * c.after;
  if (m_dma.limited()) holdChannels(m, c);
  if (!c.overlapped) load.port = portShare(s, c);
  cost.kind = load;
  return cost;
}

// Tiles that rotate. A round counts as one transfer: every core loads a tile, then the tiles move
// one core on between iterations.
MovementCost Evaluator::rotating(const TiledCandidate& s, std::size_t index,
                                 const InputMovement& m) const {
  const Operand& operand = m_nest.inputs[index];
  const DimMask without = mapping::finishingDims(m_nest, operand, s.mapping);
  const traffic::Pattern& p = s.patterns->input(m, sharedDims(operand, s.mapping), without);
  const auto cores = static_cast<double>(s.active[m.first]);
  MovementCost cost;
  cost.operand = static_cast<int>(index);
  Transfer& c = cost.transfer = arriving(s, operand, m.shared, m.level, m.buffers, p);
  c.issues /= cores;
  c.weight /= cores;
  throughChannels(s, operand, m.layout, c, false);
  Load load{m.along};
  load.fills = operand.phase != kernel::Phase::Epilogue;
  load.first = c.allAtOnce();
  load.ahead = load.first - c.firstBytes() * p.loadPeak;
  load.passed = cores - 1;
  const EdgeShares edges = edgesOf(s, operand, m.level);
  const double step = sendFixed() + p.stepLatency[0];
  c.after = load.passed * (step + edges.transfers * c.moved() * p.stepAlone[0]);
  c.takeOffEdges(edges);
  if (m_dma.limited()) {
    c.dma.first.in = c.start + c.alone() + c.after;
    c.dma.first.out = c.after;
    c.dma.other = c.dma.first;
  }
  cost.kind = load;
  return cost;
}

// The port of a shared memory serves its cores in turn: concurrent sends of all of them take as
// long as the sum of their bytes.
Load::PortShare Evaluator::portShare(const TiledCandidate& s, const Transfer& c) const {
  Load::PortShare port;
  port.along = c.pattern->loaders & m_hw.local().sharedDims;
  if (port.along == 0 || m_hw.local().bandwidth <= 0) return port;
  const double senders = static_cast<double>(m_hw.local().copies(s.active, ~port.along));
  for (int k = 0; k < c.pattern->stepCount; ++k) {
    const double all = senders / m_hw.local().bandwidth;
    port.cycles += c.moved() * std::max(0.0, all - c.pattern->stepAlone[k]);
  }
  return port;
}

// DMA channels of an input. The core that loads a tile sends it; the others receive it, and may
// send it on.
void Evaluator::holdChannels(const InputMovement& m, Transfer& c) const {
  if (m.layout != mapping::TensorLayout::Local) c.dma.first.in = c.start + c.alone();
  if (m.kind == MovementKind::Direct) {
    c.dma.other = c.dma.first;
    return;
  }
  c.dma.first.out = c.after;
  c.dma.other.in = m.kind == MovementKind::TwoStage ? c.after / 2 : c.after;
  if (m.kind != MovementKind::Multicast) c.dma.other.out = c.dma.other.in;
  if (m.kind == MovementKind::AllGather) {
    c.dma.first.in += c.after;
    c.dma.other.in = c.dma.first.in;
  }
}

}  // namespace gridloom::cost
