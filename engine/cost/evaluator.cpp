// SPDX-License-Identifier: Apache-2.0
#include "cost/evaluator.h"

#include <algorithm>
#include <cmath>

#include "cost/recursion.h"
#include "cost/tile_counts.h"
#include "cost/tile_shares.h"
#include "mapping/partials.h"

namespace gridloom::cost {

using base::ceilDiv;
using kernel::LoopId;
using kernel::Operand;
using mapping::DimMask;
using mapping::InputMovement;
using mapping::LoopTiling;
using mapping::Spread;

namespace {

PatternScope patternScope(const kernel::TileNest& nest, PlaceScope places) {
  const auto follows = [](const Operand& o) { return o.phase == kernel::Phase::Epilogue; };
  const bool splits = !nest.reductions.empty() && mapping::maySplitReductions(nest);
  const bool finishing =
      std::ranges::any_of(nest.inputs, follows) || std::ranges::any_of(nest.outputs, follows);
  return {places, splits, finishing};
}

}  // namespace

Evaluator::Evaluator(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                     const hardware::Topology& hw, const hardware::ComputeModel& compute,
                     const base::Progress* progress, PlaceScope scope)
    : m_kernel(kernel),
      m_nest(nest),
      m_hw(hw),
      m_compute(compute),
      m_traffic(hw, progress, patternScope(nest, scope)) {
  for (const hardware::Network& n : hw.networks()) {
    m_sync = std::max(m_sync, n.sync);
    m_setup = std::max(m_setup, n.setup);
    m_packet = std::max(m_packet, static_cast<double>(n.packet));
  }
  m_flops = kernel::flopCount(kernel);
}

Skeleton Evaluator::skeleton(const mapping::Mapping& mapping) const {
  Skeleton s;
  s.mapping = mapping;
  s.tiling = tilingOf(mapping, m_kernel, m_hw);
  s.active = s.tiling.active;
  s.compute = computeTime(m_nest, s.tiling, m_compute);
  s.patterns = &m_traffic.of(s.active);
  setOrder(s, mapping.order);
  return s;
}

void Evaluator::setOrder(Skeleton& s, std::vector<LoopId> order) const {
  s.mapping.order = std::move(order);
  s.iterations.assign(1, 1.0);
  for (const LoopId loop : s.mapping.order) {
    s.iterations.push_back(s.iterations.back() *
                           static_cast<double>(s.tiling.loops[loop.index()].trips));
  }
  s.outputLevel = mapping::outputLevel(m_nest, s.mapping.order);
}

// A lone transfer of few pages or tiles cannot use all channels.
Evaluator::Channels Evaluator::channelsFor(mapping::Place place, double bytes, double tiles,
                                           double rate) const {
  if (place == mapping::Place::Local) return {};
  const hardware::GlobalMemory& g = m_hw.global();
  const auto channels = static_cast<double>(g.channels);
  double unit = static_cast<double>(g.interleave), used = channels;
  if (place == mapping::Place::Tile) {
    unit = bytes / tiles;
    used = std::min(tiles, channels);
  } else if (place == mapping::Place::Nearest) {
    unit = bytes;
    used = 1;
  }
  const double time =
      bytes <= unit ? bytes / rate : std::ceil(std::ceil(bytes / unit) / channels) * unit / rate;
  return {time, g.setup + g.latency, bytes > m_packet * used};
}

namespace {

// Whether tiles along a dimension of an output wait for others of it through a window.
bool carries(const Operand& window, const Operand& made, std::size_t d) {
  const kernel::RegionDim& dim = window.dims[d];
  const bool stepped = std::ranges::any_of(window.dims, &kernel::RegionDim::behind);
  if (stepped) return dim.behind;
  return !(dim.index == made.dims[d].index) || dim.minOffset != 0 || dim.maxOffset != 0;
}

LoopId loopOf(const kernel::RegionDim& dim) {
  const auto& of = dim.index.coefficients;
  return LoopId::of(static_cast<std::size_t>(std::ranges::find(of, 1) - of.begin()));
}

}  // namespace

// How many tiles follow each other along a loop that is dealt out. A loop tied to it and walked outside of it
// lengthens the way of the wave front; another one starts the chain anew when cores come back to it.
double Evaluator::chainSteps(const Skeleton& s, LoopId loop, std::ptrdiff_t at) const {
  const LoopTiling& t = s.tiling.loops[loop.index()];
  auto steps = static_cast<double>(t.tiles);
  double anew = 1;
  for (std::ptrdiff_t p = 0; p < at && p < s.outputLevel; ++p) {
    const LoopId outer = s.mapping.order[static_cast<std::size_t>(p)];
    const auto trips = static_cast<double>(s.tiling.loops[outer.index()].trips);
    const bool tied = std::ranges::any_of(m_nest.ties, [&](const auto& group) {
      return contains(group, outer) && contains(group, loop);
    });
    if (tied) {
      steps += trips;
    } else if (t.trips > 1) {
      anew *= trips;
    }
  }
  return steps * anew;
}

// Time in which compute waits for tiles that have just been made. Along a loop that one core walks: what it
// takes to write one and to load it back, once per step, less the work that a step has in between. Along a loop
// that is dealt out: tile after tile is made, written and loaded by the next core, while the others' work runs
// beside it.
double Evaluator::exposure(const Skeleton& s, std::size_t input, const OptionCost& c) const {
  const Operand& operand = m_nest.inputs[input];
  const Operand& made = *std::ranges::find(m_nest.outputs, operand.tensor, &Operand::tensor);
  const std::vector<std::int64_t> extents = blocks(s.tiling);
  const double loads = c.start + std::max(c.bytes * c.pattern->loadPeak, c.least);
  const double written =
      c.start + static_cast<double>(regionBytes(made, extents)) * c.pattern->loadPeak;
  double making = 0;
  for (const kernel::TileOp& op : m_nest.ops) {
    if (!op.stepped.empty()) making += opCycles(op, extents, m_compute);
  }
  // Tiles that one output scope makes before it writes them.
  double inScope = 1;
  for (std::size_t p = static_cast<std::size_t>(s.outputLevel); p < s.mapping.order.size(); ++p) {
    if (made.dependsOn(s.mapping.order[p])) {
      inScope *= static_cast<double>(s.tiling.loops[s.mapping.order[p].index()].trips);
    }
  }
  double waited = 0, chain = 0;
  for (std::size_t d = 0; d < made.dims.size(); ++d) {
    const bool known = std::any_of(
        m_nest.inputs.begin(), m_nest.inputs.begin() + static_cast<std::ptrdiff_t>(input),
        [&](const Operand& o) {
          return o.tensor == operand.tensor && o.produced && carries(o, made, d);
        });
    if (known || !carries(operand, made, d)) continue;
    const LoopId loop = loopOf(made.dims[d]);
    const LoopTiling& t = s.tiling.loops[loop.index()];
    const auto at = std::ranges::find(s.mapping.order, loop) - s.mapping.order.begin();
    if (t.ways > 1) {
      chain += chainSteps(s, loop, at) * (inScope * (written + making) + loads);
    } else if (t.trips > 1) {
      const double steps = s.iterations[static_cast<std::size_t>(at) + 1];
      const double inside = s.iterations.back() / steps;
      const double between = s.compute.total() / steps * (1 - 1 / inside);
      waited += steps * std::max(0.0, written + (c.overlapped ? loads : 0) - between);
    }
  }
  return waited + std::max(0.0, chain - s.compute.total());
}

// Some tiles need the operand, and some of what a transfer would bring: fewer transfers, of fewer bytes on
// average. Gives these bytes.
double Evaluator::narrow(const Skeleton& s, const Operand& operand, const InputMovement& m,
                         double bytes, OptionCost& c) const {
  std::vector<CountedTiles> tiles, transfers;
  double all = 1, allTransfers = 1;
  for (std::size_t l = 0; l < s.tiling.loops.size(); ++l) {
    const LoopTiling& t = s.tiling.loops[l];
    const LoopId loop = LoopId::of(l);
    const bool inside = t.trips > 1 && !isOutside(s, loop, m.level);
    const bool depends = operand.dependsOn(loop);
    CountedTiles one{0, 1, t.tiles, 1};
    if (!depends && m.along != 0 && t.ways > 1) one = {0, t.ways, t.trips, t.ways};
    tiles.push_back(!depends && inside ? allAtOnce(t) : one);
    transfers.push_back(inside ? allAtOnce(t) : one);
    all *= static_cast<double>(tiles.back().count);
    allTransfers *= static_cast<double>(transfers.back().count);
  }
  const double needed = countWhere(operand.guard, s.tiling, tiles) / all;
  const double started = countWhere(operand.guard, s.tiling, transfers) / allTransfers;
  if (needed <= 0 || started <= 0) return bytes;
  c.weight *= needed;
  c.issues = std::max(1.0, c.issues * started);
  return bytes * std::min(1.0, needed / started);
}

// A tile that stays where it was made takes room and no time.
OptionCost Evaluator::kept(const Skeleton& s, const Operand& operand) const {
  OptionCost c;
  c.pattern = &s.patterns->input({});
  c.localBytes = inputBufferBytes(operand, {}, s.tiling, s.mapping.order);
  c.issues = 1;
  return c;
}

// What any transfer towards the cores has in common.
OptionCost Evaluator::arriving(const Skeleton& s, const Operand& operand, const InputMovement& m,
                               int level, int buffers, const Pattern& p) const {
  OptionCost c;
  c.pattern = &p;
  c.level = level;
  c.overlapped = buffers == 2;
  c.issues = s.iterations[static_cast<std::size_t>(level)];
  c.bytes =
      static_cast<double>(regionBytes(operand, blocks(s.tiling))) * tilesInside(s, operand, level);
  const DimMask sharing = m.along | mapping::finishingDims(m_nest, operand, s.mapping);
  c.weight = c.issues * c.bytes * filledShare(s, m_hw, operand, sharing, level);
  c.along = m.along;
  return c;
}

OptionCost Evaluator::input(const Skeleton& s, std::size_t index, const InputMovement& m) const {
  const Operand& operand = m_nest.inputs[index];
  if (m.spread == Spread::Kept) return kept(s, operand);
  const DimMask finishing = mapping::finishingDims(m_nest, operand, s.mapping);
  const Pattern& p = m.stays() ? s.patterns->feed(m)
                               : s.patterns->input(m, sharedDims(operand, s.mapping), finishing);
  OptionCost c = arriving(s, operand, m, m.level, m.buffers, p);
  c.localBytes = base::saturatingAdd(inputBufferBytes(operand, m, s.tiling, s.mapping.order),
                                     residentBytes(operand, m, s.tiling));
  if (!operand.guard.always()) c.bytes = narrow(s, operand, m, c.bytes, c);
  if (m.stays()) {
    c.interleaves = c.bytes > m_packet;
    c.start = sendFixed() + p.loadLatency;
    const OptionCost before = stay(s, index, m);
    // The first tile follows the first load of the stay, which shares its own way in with others.
    c.ahead = before.first + c.start;
    c.first = c.ahead + c.bytes * p.loadPeak;
    return c;
  }
  const Channels channels =
      channelsFor(m.place, c.bytes, tilesInside(s, operand, m.level), m_hw.global().readBandwidth);
  c.least = channels.time;
  c.interleaves = channels.interleaves;
  c.turn = m_packet * p.loadPeak;
  c.start = channels.start + p.loadLatency;
  c.first = c.start + std::max(c.bytes * p.loadPeak, c.least);
  const bool stream = m.spread == Spread::Stream;
  for (int k = 0; k < p.spreads; ++k) {
    const double start = sendFixed() + p.spreadLatency[k];
    c.after += start + c.bytes * p.spreadAlone[k];
    c.first += (start + c.bytes * p.spreadPeak[k]) * (stream ? p.hops : 1);
  }
  if (operand.produced) c.exchange = exposure(s, index, c);
  c.ahead = c.first - c.weight / c.issues * p.loadPeak;
  // A core in the middle of a stream first receives a tile, then sends it on while it computes.
  c.forwards = stream;
  if (stream) c.other = 2 * c.after;
  return c;
}

OptionCost Evaluator::stay(const Skeleton& s, std::size_t index, const InputMovement& m) const {
  const Operand& operand = m_nest.inputs[index];
  const Pattern& p = s.patterns->stay(m);
  OptionCost c = arriving(s, operand, m, m.stay.level, m.stay.buffers, p);
  c.goesOn = true;
  c.middleBytes = stayBytes(operand, m, s.tiling, s.mapping.order, m_hw, s.active);
  const Channels channels =
      channelsFor(mapping::Place::Page, c.bytes, tilesInside(s, operand, m.stay.level),
                  m_hw.global().readBandwidth);
  c.least = channels.time;
  c.interleaves = channels.interleaves;
  c.turn = m_packet * p.loadPeak;
  c.start = channels.start + p.loadLatency;
  c.first = c.start + std::max(c.bytes * p.loadPeak, c.least);
  c.ahead = c.first - c.weight / c.issues * p.loadPeak;
  return c;
}

std::int64_t Evaluator::stateBytes(const Skeleton& s) const {
  std::int64_t bytes = 0;
  for (const kernel::LocalBuffer& local : m_nest.locals) {
    bytes = base::saturatingAdd(bytes, localBufferBytes(m_nest, local, s.tiling, s.mapping.order));
  }
  return bytes;
}

double Evaluator::cycles(const Skeleton& s, std::span<const OptionCost* const> options,
                         Scratch& scratch) const {
  SilentObserver observer;
  return evaluate<Phases>(s, options, m_hw.launch(), scratch, observer);
}

double Evaluator::bound(const Skeleton& s, std::span<const OptionCost* const> options,
                        Scratch& scratch) const {
  SilentObserver observer;
  return evaluate<NoPhases>(s, options, m_hw.launch(), scratch, observer);
}

}  // namespace gridloom::cost
