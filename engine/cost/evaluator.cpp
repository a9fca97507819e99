// SPDX-License-Identifier: Apache-2.0
#include "cost/evaluator.h"

#include <algorithm>
#include <cmath>

#include "cost/channel_balance.h"
#include "cost/edge_tile_fraction.h"
#include "cost/recursion.h"
#include "cost/tile_counts.h"
#include "mapping/partials.h"
#include "timing/interleaving.h"

namespace gridloom::cost {

using base::ceilDiv;
using kernel::LoopId;
using kernel::Operand;
using mapping::DimMask;
using mapping::InputMovement;
using mapping::LoopTiling;
using mapping::MovementKind;

namespace {

// Loads of single resources counted in the time of a step of a search, about 0.3 us.
constexpr double kLoadsPerStep = 24;

traffic::PatternScope patternScope(const kernel::TileNest& nest, const hardware::Topology& hw,
                                   traffic::LayoutScope places) {
  const auto follows = [](const Operand& o) { return o.phase == kernel::Phase::Epilogue; };
  const bool splits =
      std::ranges::any_of(nest.reductions,
                          [&](LoopId loop) { return mapping::isJoined(nest, loop); }) ||
      nest.merge;
  const bool finishing =
      std::ranges::any_of(nest.inputs, follows) || std::ranges::any_of(nest.outputs, follows);
  const DimMask without = splits && finishing ? ~DimMask{0} : hw.local().sharedDims;
  return {places, splits, finishing, nest.hasProduced(), !nest.allReduces.empty(), without};
}

}  // namespace

Evaluator::Evaluator(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                     const hardware::Topology& hw, const hardware::ComputeModel& compute,
                     const base::Progress* progress, traffic::LayoutScope scope)
    : m_kernel(kernel),
      m_nest(nest),
      m_hw(hw),
      m_compute(compute),
      m_traffic(hw, progress, patternScope(nest, hw, scope)),
      m_counts(nest),
      m_windows(kernel, nest, hw),
      m_dma(hw) {
  for (const hardware::Network& n : hw.networks()) {
    m_sync = std::max(m_sync, n.sync);
    m_setup = std::max(m_setup, n.setup);
    m_packet = std::max(m_packet, static_cast<double>(n.packet));
  }
  m_flops = kernel::flopCount(kernel);
}

TiledCandidate Evaluator::candidate(const mapping::Mapping& mapping) const {
  TiledCandidate s;
  s.mapping = mapping;
  s.tiling = tilingOf(mapping, m_kernel, m_hw);
  s.active = s.tiling.active;
  s.compute = compute(s.tiling);
  s.patterns = &m_traffic.of(patternsFor(s));
  if (m_dma.limited()) s.dma = &m_dma;
  setOrder(s, mapping.order);
  return s;
}

traffic::TrafficCache::Key Evaluator::patternsFor(const TiledCandidate& s) const {
  return {s.active, m_windows.all({s.mapping, s.tiling, s.active}, m_tilePlaces)};
}

traffic::TrafficCache::Key Evaluator::patternsFor(const mapping::Mapping& mapping) const {
  TiledCandidate s;
  s.mapping = mapping;
  s.tiling = tilingOf(mapping, m_kernel, m_hw);
  s.active = s.tiling.active;
  return patternsFor(s);
}

std::int64_t Evaluator::patternWork() const {
  return static_cast<std::int64_t>(m_traffic.loads() / kLoadsPerStep);
}

void Evaluator::setOrder(TiledCandidate& s, std::vector<LoopId> order) const {
  s.mapping.order = std::move(order);
  s.walk.reset();
  s.outside.assign(1, 0);
  s.iterations.assign(1, 1.0);
  for (const LoopId loop : s.mapping.order) {
    s.outside.push_back(s.outside.back() | std::uint64_t{1} << loop.index());
    s.iterations.push_back(s.iterations.back() *
                           static_cast<double>(s.tiling.loops[loop.index()].trips));
  }
  s.outputLevel = mapping::outputLevel(m_nest, s.mapping.order);
}

// Times of the memory channels for one transfer. A transfer of few pages or tiles cannot use all
// channels.
Evaluator::Channels Evaluator::channelsFor(mapping::TensorLayout layout, double bytes, double tiles,
                                           double rate) const {
  if (layout == mapping::TensorLayout::Local) return {};
  const hardware::GlobalMemory& g = m_hw.global();
  const auto channels = static_cast<double>(g.channels);
  const double unit = timing::unitBytes(layout, g, bytes / tiles, bytes);
  double used = channels;
  if (layout == mapping::TensorLayout::TileInterleaved) used = std::min(tiles, channels);
  if (layout == mapping::TensorLayout::NearestChannel) used = 1;
  const double time =
      bytes <= unit ? bytes / rate : std::ceil(std::ceil(bytes / unit) / channels) * unit / rate;
  return {time, g.setup + g.latency, bytes > m_packet * used};
}

std::size_t Evaluator::windowAt(const TiledCandidate& s, const Operand& operand, int level,
                                mapping::TensorLayout layout) const {
  if (!s.patterns->hasWindows()) return 0;
  return s.patterns->numberOf(m_windows.of({s.mapping, s.tiling, s.active}, operand,
                                           s.outside[static_cast<std::size_t>(level)], layout));
}

// Few tiles of few pages leave some channels with more of them (timing/interleaving.h).
double Evaluator::channelCycles(const TiledCandidate& s, const Operand& operand, int level,
                                mapping::TensorLayout layout, const MovementCost& c,
                                double rate) const {
  if (!timing::isInterleaved(layout) || c.bytes <= 0) return 0;
  const hardware::GlobalMemory& g = m_hw.global();
  // In a duplex memory, reads and writes do not add up; only reads count.
  if (g.duplex && c.output) return 0;
  const bool byTile = layout == mapping::TensorLayout::TileInterleaved;
  const double tile = byTile ? c.bytes / tilesInside(s, operand, level) : c.bytes;
  const double pages = c.bytes / timing::unitBytes(layout, g, tile, c.bytes);
  if (std::fmod(pages, static_cast<double>(g.channels)) == 0) return 0;
  const double share = busiestShare(firstChannels(s, operand, level, g.channels), pages);
  return c.weight * c.pattern->transfers * share / rate;
}

// For an operand with a guard, some tiles need no transfer and some need only part of one: fewer
// transfers, of fewer bytes on average. Returns these bytes.
double Evaluator::narrow(const TiledCandidate& s, const Operand& operand, const InputMovement& m,
                         double bytes, MovementCost& c) const {
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
  if (needed <= 0 || started <= 0) return bytes;
  c.weight *= needed;
  c.issues = std::max(1.0, c.issues * started);
  return bytes * std::min(1.0, needed / started);
}

// The common part of all transfers towards the cores.
MovementCost Evaluator::arriving(const TiledCandidate& s, const Operand& operand,
                                 const InputMovement& m, int level, int buffers,
                                 const traffic::Pattern& p) const {
  MovementCost c;
  c.pattern = &p;
  c.level = level;
  c.overlapped = buffers == 2;
  c.issues = s.iterations[static_cast<std::size_t>(level)];
  const DimMask together = m.along | m.shared;
  const DimMask sharing = together | mapping::finishingDims(m_nest, operand, s.mapping);
  const Transferred& transfer = transferredAt(s, m_hw, operand, sharing, level);
  c.bytes = transfer.bytes;
  c.weight = c.issues * c.bytes * transfer.filled;
  c.average = c.bytes;
  c.along = together;
  return c;
}

Footprint Evaluator::footprint(const TiledCandidate& s, std::size_t index,
                               const InputMovement& m) const {
  return footprintOf(s, inputTransfers(m_nest, s.mapping, s.tiling, index, m));
}

Footprint Evaluator::footprintOf(const TiledCandidate& s,
                                 const mapping::Transfers& transfers) const {
  return {transfers.bytesIn(mapping::Memory::Local, m_hw, s.tiling),
          transfers.bytesIn(mapping::Memory::SharedBuffer, m_hw, s.tiling)};
}

MovementCost Evaluator::input(const TiledCandidate& s, std::size_t index, const InputMovement& m,
                              const MovementCost* staying) const {
  const Operand& operand = m_nest.inputs[index];
  if (m.kind == MovementKind::Stationary) return kept(s, index, m);
  if (m.kind == MovementKind::Forwarded) return passed(s, index, m);
  // Cores that read a shared copy in place move nothing, like cores that do not use the operand.
  const DimMask without = mapping::finishingDims(m_nest, operand, s.mapping) | m.shared;
  const traffic::Pattern& p = m.usesSharedBuffer()
                                  ? s.patterns->through(mapping::inputSteps(m, 0).back())
                                  : s.patterns->input(m, sharedDims(operand, s.mapping), without,
                                                      windowAt(s, operand, m.level, m.layout));
  MovementCost c = arriving(s, operand, m, m.level, m.buffers, p);
  c.operand = static_cast<int>(index);
  c.localBytes = footprint(s, index, m).local;
  if (!operand.guard.always()) c.bytes = narrow(s, operand, m, c.bytes, c);
  c.average = c.bytes;
  if (m.usesSharedBuffer()) {
    c.sharedBuffer = true;
    c.start = sendFixed() + p.loadLatency;
    const MovementCost before = staying ? *staying : sharedBuffer(s, index, m);
    // Tiles that arrive in the shared buffer one after the other also leave it so.
    c.interleaves = c.bytes > m_packet && before.interleaves;
    c.ahead = (before.interleaves ? before.first : before.start + before.lone()) + c.start;
    c.first = c.ahead + std::max(c.firstBytes() * p.loadPeak, c.lone());
    c.dma.first.in = c.dma.other.in = c.dma.sharedBuffer.out = c.start + c.lone();
    c.dma.groups = static_cast<double>(mapping::groupsPerInstance(m_hw, s.active, m.along));
    return c;
  }
  const Channels channels =
      channelsFor(m.layout, c.bytes, tilesInside(s, operand, m.level), m_hw.global().readBandwidth);
  c.least = channels.time;
  c.interleaves = channels.interleaves;
  c.turn = m_packet * p.loadPeak;
  c.start = channels.start + p.loadLatency;
  c.first = c.start + std::max(c.firstBytes() * p.loadPeak, c.lone());
  const bool stream = m.kind == MovementKind::Stream;
  const EdgeShares edges = edgeShares(s, operand);
  for (int k = 0; k < p.stepCount; ++k) {
    const double start = sendFixed() + p.stepLatency[k];
    c.after += start + edges.first * c.bytes * p.stepAlone[k];
    // In a stream, one core per line sends at a time.
    c.first +=
        stream ? (start + c.bytes * p.stepAlone[k]) * p.hops : start + c.bytes * p.stepPeak[k];
  }
  c.busiestChannelCycles =
      channelCycles(s, operand, m.level, m.layout, c, m_hw.global().readBandwidth);
  if (operand.produced) c.made = MovementCost::Made::Stored;
  c.ahead = c.first - c.firstBytes() * p.loadPeak;
  c.takeOffEdges(edges.first, edges.all);
  // A core in the middle of a stream first receives a tile, then sends it on while it computes.
  c.forwards = stream;
  if (stream) c.other = 2 * c.after;
  if (m_dma.limited()) holdChannels(m, c);
  if (!c.overlapped) sendBeside(s, c);
  return c;
}

MovementCost Evaluator::sharedBuffer(const TiledCandidate& s, std::size_t index,
                                     const InputMovement& m) const {
  const Operand& operand = m_nest.inputs[index];
  const mapping::TransferSteps steps = mapping::inputSteps(m, 0);
  const traffic::Pattern& p = s.patterns->through(steps[0]);
  MovementCost c = arriving(s, operand, m, m.sharedBuffer.level, m.sharedBuffer.buffers, p);
  c.operand = static_cast<int>(index);
  c.continues = true;
  c.sharedBuffer = true;
  c.sharedBufferBytes = footprint(s, index, m).sharedBuffer;
  const Channels channels =
      channelsFor(mapping::TensorLayout::PageInterleaved, c.bytes,
                  tilesInside(s, operand, m.sharedBuffer.level), m_hw.global().readBandwidth);
  c.least = channels.time;
  c.interleaves = channels.interleaves;
  c.turn = m_packet * p.loadPeak;
  c.start = channels.start + p.loadLatency;
  c.first = c.start + std::max(c.firstBytes() * p.loadPeak, c.lone());
  // The last tile goes to the cores without contention.
  const traffic::Pattern& way = s.patterns->through(steps[1]);
  const double feed = sendFixed() + way.loadLatency +
                      arriving(s, operand, m, m.level, m.buffers, way).bytes * way.together[0];
  c.ahead = c.first - c.firstBytes() * p.loadPeak + feed;
  // Compute waits for the transfers out of the shared buffer, never for this one into it.
  c.overlapped = true;
  c.dma.sharedBuffer.in = c.start + c.lone();
  c.busiestChannelCycles =
      channelCycles(s, operand, m.sharedBuffer.level, mapping::TensorLayout::PageInterleaved, c,
                    m_hw.global().readBandwidth);
  c.dma.groups = static_cast<double>(mapping::groupsPerInstance(m_hw, s.active, m.along));
  if (m.sharedBuffer.buffers > 1) return c;
  if (m.level == m.sharedBuffer.level) {
    c.after = feed;  // the next tile enters when this one has left
  } else {
    c.feedLevel = m.level;
    c.feedSlots = m.buffers;
    c.feed = feed;
  }
  return c;
}

// The port of a shared memory serves its cores in turn: concurrent sends of all of them take as
// long as the sum of their bytes.
void Evaluator::sendBeside(const TiledCandidate& s, MovementCost& c) const {
  c.beside = c.pattern->loaders & m_hw.local().sharedDims;
  if (c.beside == 0 || m_hw.local().bandwidth <= 0) return;
  const double senders = static_cast<double>(m_hw.local().copies(s.active, ~c.beside));
  for (int k = 0; k < c.pattern->stepCount; ++k) {
    const double all = senders / m_hw.local().bandwidth;
    c.besides += c.bytes * std::max(0.0, all - c.pattern->stepAlone[k]);
  }
}

// DMA channels of an input. The core that loads a tile sends it; the others receive it, and may
// send it on.
void Evaluator::holdChannels(const InputMovement& m, MovementCost& c) const {
  if (m.layout != mapping::TensorLayout::Local) c.dma.first.in = c.start + c.lone();
  if (m.kind == MovementKind::Direct) {
    c.dma.other = c.dma.first;
    return;
  }
  c.dma.first.out = c.after;
  c.dma.other.in = m.kind == MovementKind::TwoStage ? c.after / 2 : c.after;
  if (m.kind != MovementKind::Multicast) c.dma.other.out = c.dma.other.in;
}

std::int64_t Evaluator::stateBytes(const TiledCandidate& s) const {
  std::int64_t bytes = 0;
  for (const kernel::LocalBuffer& local : m_nest.locals) {
    bytes = base::saturatingAdd(bytes, localBufferBytes(m_nest, local, s.tiling, s.mapping.order));
  }
  return inMemory(s, bytes);
}

std::int64_t Evaluator::inMemory(const TiledCandidate& s, std::int64_t bytes) const {
  return base::saturatingMul(bytes, m_hw.local().copies(s.active));
}

double Evaluator::cycles(const TiledCandidate& s, std::span<const MovementCost* const> options,
                         Scratch& scratch, double enough) const {
  SilentObserver observer;
  const double cycles = evaluate(s, options, m_hw.launch(), scratch, observer);
  return cycles > enough ? cycles : cycles + waiting(s, options, cycles);
}

}  // namespace gridloom::cost
