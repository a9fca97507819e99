// SPDX-License-Identifier: Apache-2.0
#include "cost/evaluator.h"

#include <algorithm>
#include <cmath>

#include "cost/recursion.h"
#include "cost/tile_counts.h"
#include "mapping/partials.h"

namespace gridloom::cost {

using base::ceilDiv;
using kernel::contains;
using kernel::LoopId;
using kernel::Operand;
using mapping::Combine;
using mapping::DimMask;
using mapping::InputMovement;
using mapping::LoopTiling;
using mapping::OutputMovement;
using mapping::Spread;

namespace {

std::vector<std::int64_t> blocks(const mapping::Tiling& tiling) {
  std::vector<std::int64_t> out;
  out.reserve(tiling.loops.size());
  for (const LoopTiling& l : tiling.loops) out.push_back(l.block);
  return out;
}

// Tiles one transfer at `level` brings: the dependent loops inside it run over its buffer.
double tilesInside(const Skeleton& s, const Operand& operand, int level) {
  double tiles = 1;
  for (std::size_t i = static_cast<std::size_t>(level); i < s.mapping.order.size(); ++i) {
    const LoopId loop = s.mapping.order[i];
    if (operand.dependsOn(loop)) tiles *= static_cast<double>(s.tiling.loops[loop.index()].trips);
  }
  return tiles;
}

// Positions among the ways of a loop of the cores that transfer for themselves: coordinate 0 along the
// dimensions of `sharing`, every coordinate with work along the others.
std::vector<std::int64_t> positions(const Skeleton& s, const hardware::Topology& hw, LoopId loop,
                                    DimMask sharing) {
  std::vector<std::int64_t> all{0};
  for (const std::uint8_t d : s.mapping.dimOrder) {
    if (s.mapping.space[d] != loop) continue;
    const std::int64_t size = hw.dims()[d].size;
    const std::int64_t count = (sharing >> d & 1) ? 1 : s.active[d];
    std::vector<std::int64_t> finer;
    finer.reserve(all.size() * static_cast<std::size_t>(count));
    for (const std::int64_t outer : all) {
      for (std::int64_t c = 0; c < count; ++c) finer.push_back(outer * size + c);
    }
    all = std::move(finer);
  }
  return all;
}

bool isOutside(const Skeleton& s, LoopId loop, int level) {
  const auto begin = s.mapping.order.begin();
  return std::find(begin, begin + level, loop) != begin + level;
}

// Part of the bytes that full tiles on all loading cores in all waves would be, once ragged edges and cores
// without a tile are left out. Over a loop the operand depends on, elements count; over another one, the
// transfers that take place: per wave where the loop is outside the transfer, else once if there is any wave.
double filledShare(const Skeleton& s, const hardware::Topology& hw, const Operand& operand,
                   DimMask sharing, int level) {
  double share = 1;
  for (std::size_t l = 0; l < s.tiling.loops.size(); ++l) {
    const LoopTiling& t = s.tiling.loops[l];
    const LoopId loop = LoopId::of(l);
    const auto trips = static_cast<double>(t.trips);
    if (t.ways == 1 && !operand.dependsOn(loop)) continue;
    const auto at = positions(s, hw, loop, sharing);
    const auto cores = static_cast<double>(at.size());
    if (operand.dependsOn(loop)) {
      share *= static_cast<double>(t.extent) / (trips * cores * static_cast<double>(t.block));
      continue;
    }
    const bool perWave = isOutside(s, loop, level);
    double transfers = 0;
    for (const std::int64_t position : at) {
      const std::int64_t waves = ceilDiv(std::max<std::int64_t>(t.tiles - position, 0), t.ways);
      transfers += perWave ? static_cast<double>(waves) / trips : (waves > 0 ? 1.0 : 0.0);
    }
    share *= transfers / cores;
  }
  return share;
}

}  // namespace

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

/// What the channels do for one transfer alone.
struct Evaluator::Channels {
  double time = 0;   ///< cycles of the busiest channel
  double start = 0;  ///< cycles before the first byte
  bool interleaves = false;
};

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

// The way of partial results, along one split dimension after the other, for an output of `bytes` at a time.
void Evaluator::combination(const Skeleton& s, const Operand& operand, Combine how, double bytes,
                            OptionCost& c) const {
  const Pattern& p = *c.pattern;
  const bool tree = how == Combine::Tree;
  const auto partial =
      static_cast<double>(mapping::partialBytes(m_nest, operand, s.tiling, s.mapping.order));
  c.partial = partial / bytes;
  const double join = joinCycles(s, operand);
  for (std::size_t k = 0; k < p.joins.size(); ++k) {
    const double start = sendFixed() + p.spreadLatency[k];
    const double send = partial * p.spreadAlone[k];
    if (!tree) {
      // The next partial result arrives while compute works on its own; the last ones pass after it.
      c.other = std::max(c.other, start + send);
      c.passing += p.joins[k] * (start + send + join);
      c.combine += c.issues * join;
      continue;
    }
    // Rounds follow each other: the first time with all pairs at once, later one pair without the others, as the
    // cores that only send go on.
    const double rounds = std::ceil(std::log2(p.joins[k] + 1));
    c.combine += c.issues * join * rounds;
    c.exchange += c.issues * rounds * (start + send) +
                  std::max(0.0, partial * p.spreadPeak[k] - rounds * send);
  }
  c.last += c.passing;
}

// Cycles to join the partial results of one output scope from one other core.
double Evaluator::joinCycles(const Skeleton& s, const Operand& operand) const {
  const mapping::Partials partials = mapping::partialsOf(m_nest, operand);
  double cycles = 0;
  if (partials.tile) {
    cycles += tilesInside(s, operand, s.outputLevel) *
              combineCycles(regionElements(operand, blocks(s.tiling)), m_compute);
  }
  for (const std::size_t l : partials.locals) {
    const kernel::LocalBuffer& local = m_nest.locals[l];
    double tiles = 1;
    for (auto at = static_cast<std::size_t>(s.outputLevel); at < s.mapping.order.size(); ++at) {
      const LoopId loop = s.mapping.order[at];
      if (contains(local.loops, loop)) {
        tiles *= static_cast<double>(s.tiling.loops[loop.index()].trips);
      }
    }
    cycles += tiles * combineCycles(mapping::localElements(local, s.tiling), m_compute);
  }
  return cycles;
}

OptionCost Evaluator::output(const Skeleton& s, std::size_t index, const OutputMovement& m) const {
  const Operand& operand = m_nest.outputs[index];
  const DimMask finishing = mapping::finishingDims(m_nest, operand, s.mapping);
  const Pattern& p = s.patterns->output(m, finishing);
  OptionCost c;
  c.output = true;
  c.pattern = &p;
  c.level = s.outputLevel;
  c.overlapped = m.buffers == 2;
  c.localBytes =
      base::saturatingAdd(outputBufferBytes(m_nest, operand, m, s.tiling, s.mapping.order),
                          residentBytes(m_nest, operand, m, s.tiling, s.mapping.order));
  c.issues = s.iterations[static_cast<std::size_t>(s.outputLevel)];
  const double tiles = tilesInside(s, operand, s.outputLevel);
  const std::vector<std::int64_t> extents = blocks(s.tiling);
  const double bytes = static_cast<double>(regionBytes(operand, extents)) * tiles;
  c.weight = c.issues * bytes * filledShare(s, m_hw, operand, finishing, s.outputLevel);

  const Channels channels = channelsFor(m.place, bytes, tiles, m_hw.global().writeBandwidth);
  c.bytes = bytes;
  c.least = channels.time;
  c.interleaves = channels.interleaves;
  c.turn = m_packet * p.loadPeak;
  c.start = channels.start + p.loadLatency;
  c.last = c.start + std::max(bytes * p.loadPeak, c.least);
  if (m.combine != Combine::None) combination(s, operand, m.combine, bytes, c);
  if (m.gather >= 0) {
    // The root has one slot for tiles of others: it asks for each in turn, and stores it before the next. Its own
    // goes out beside them.
    const double send = sendFixed() + p.spreadLatency[0] + bytes * p.spreadAlone[0];
    c.repeat = p.hops;
    c.after = p.hops * send;
    c.last = c.chain(c.load(0));
    // A core goes on once its own tile is gone, while those of the others follow.
    c.forwards = true;
    c.other = 2 * send;
    c.passing = c.last - c.wait(c.load(0));
  }
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
