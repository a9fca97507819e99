// SPDX-License-Identifier: Apache-2.0
#include "cost/evaluator.h"

#include <algorithm>
#include <cmath>

#include "cost/edge_tile_fraction.h"
#include "cost/evaluate.h"
#include "cost/tile_counts.h"
#include "mapping/all_reduce.h"
#include "mapping/partials.h"
#include "timing/interleaving.h"
#include "timing/stripes.h"

namespace gridloom::cost {

using base::ceilDiv;
using kernel::LoopId;
using kernel::Operand;
using mapping::DimMask;
using mapping::InputMovement;
using mapping::LoopTiling;
using mapping::MovementKind;

namespace {

// Loads of single resources counted in the time of a step of a search, about 0.3 us. They count as
// work on large machines alone (search/rounds.cpp).
constexpr double kLoadsPerStep = 8;

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
                     const base::Progress* progress, traffic::LayoutScope scope, TermSet terms)
    : m_kernel(kernel),
      m_nest(nest),
      m_hw(hw),
      m_compute(compute),
      m_traffic(hw, progress, patternScope(nest, hw, scope)),
      m_counts(nest),
      m_windows(nest, hw),
      m_dma(hw),
      m_terms(terms) {
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
  s.ragged = raggedLoops(s.tiling);
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

std::int64_t Evaluator::patternWork(const std::vector<traffic::ChannelWindow>& windows) const {
  // Within a window, every core has a route to each of its channels.
  double routes = 1;
  for (const traffic::ChannelWindow& window : windows)
    routes += static_cast<double>(window.offsets.size());
  return static_cast<std::int64_t>(m_traffic.loads() * routes / kLoadsPerStep);
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
Evaluator::Channels Evaluator::channelsFor(mapping::TensorLayout layout, double bytes, double tile,
                                           double rate) const {
  if (layout == mapping::TensorLayout::Local) return {};
  const hardware::GlobalMemory& g = m_hw.global();
  const auto channels = static_cast<double>(g.channels);
  const double unit = timing::unitBytes(layout, g, tile, bytes);
  double used = channels;
  if (layout == mapping::TensorLayout::TileInterleaved)
    used = std::min(std::ceil(bytes / unit), channels);
  if (layout == mapping::TensorLayout::NearestChannel) used = 1;
  const double time =
      bytes <= unit ? bytes / rate : std::ceil(std::ceil(bytes / unit) / channels) * unit / rate;
  return {m_terms.has(TermId::FewPages) ? time : 0, g.setup + g.latency, m_packet * used,
          std::ceil(bytes / unit)};
}

// Latency of a transfer that waits for the farthest of `units` channels: the largest of so many
// numbers that are spread evenly around the mean. Where tiles wait for those of other cores, the
// farthest core delays all.
double Evaluator::latencyOf(const Transfer& c, mapping::TensorLayout layout, double units) const {
  const double longest = c.pattern->loadLatency, mean = c.pattern->meanLatency;
  const auto channels = static_cast<double>(m_hw.global().channels);
  if (m_nest.hasProduced() || !timing::isInterleaved(layout) || units >= channels) return longest;
  return mean + (longest - mean) * (units - 1) / (units + 1);
}

// Rows that use some stripes of the memory only keep its channels busy for longer: as if there were
// more bytes, as far as the channels are the most loaded resource. Where loads are summed, links
// count these bytes, too.
void Evaluator::stripe(const TiledCandidate& s, const Operand& operand, double rate,
                       Transfer& c) const {
  const hardware::GlobalMemory& g = m_hw.global();
  if (g.stripes.parts <= 1) return;
  const auto extents = s.tiling.extentsTogether(s.outside[static_cast<std::size_t>(c.level)]);
  const double factor = timing::stripeFactor(kernel::regionRows(operand, extents), g.stripes);
  const double channel = c.pattern->transfers / (static_cast<double>(g.channels) * rate);
  c.longer = std::max(1.0, factor * channel / c.pattern->loadPeak);
  c.bytes *= c.longer;
  c.weight *= c.longer;
  c.average *= c.longer;
  c.turn *= c.longer;
  c.least = factor * std::max(c.least, c.moved() / (static_cast<double>(g.channels) * rate));
}

// Start, bytes and load of the memory channels for transfers with global memory.
void Evaluator::throughChannels(const TiledCandidate& s, const Operand& operand,
                                mapping::TensorLayout layout, Transfer& c, bool isStore,
                                double shares) const {
  const double rate = isStore ? m_hw.global().writeBandwidth : m_hw.global().readBandwidth;
  const Channels channels =
      channelsFor(layout, c.bytes / shares, tileBytes(s, operand) / shares, rate);
  c.least = channels.time;
  c.packet = channels.packet * shares;
  c.interleaves = c.packet > 0 && c.bytes > c.packet;
  c.turn = m_packet * c.pattern->loadPeak * shares;
  if (layout != mapping::TensorLayout::Local) stripe(s, operand, rate, c);
  c.start = channels.start + latencyOf(c, layout, channels.units);
  c.farthest = channels.start + c.pattern->loadLatency - c.start;
}

std::size_t Evaluator::windowAt(const TiledCandidate& s, const Operand& operand, int level,
                                mapping::TensorLayout layout) const {
  if (!s.patterns->hasWindows()) return 0;
  return s.patterns->numberOf(m_windows.of({s.mapping, s.tiling, s.active}, operand,
                                           s.outside[static_cast<std::size_t>(level)], layout));
}

EdgeShares Evaluator::edgesOf(const TiledCandidate& s, const Operand& operand, int level) const {
  return m_terms.has(TermId::EdgeTiles) ? edgeShares(s, operand, level) : EdgeShares{};
}

std::int64_t Evaluator::localTensorBytes(const TiledCandidate& s) const {
  std::int64_t bytes = 0;
  for (const kernel::LocalBuffer& local : m_nest.locals)
    bytes = base::saturatingAdd(bytes, localBufferBytes(m_nest, local, s.tiling, s.mapping.order));
  return bytes;
}

std::int64_t Evaluator::stateBytes(const TiledCandidate& s) const {
  return inMemory(s, localTensorBytes(s));
}

std::int64_t Evaluator::leastBytes(const TiledCandidate& s) const {
  const std::vector<LoopId>& order = s.mapping.order;
  const auto innermost = static_cast<int>(order.size());
  std::int64_t bytes = localTensorBytes(s);
  for (const Operand& input : m_nest.inputs)
    bytes = base::saturatingAdd(bytes, tileBytes(input, s.tiling, order, innermost));
  const int level = mapping::outputLevel(m_nest, order);
  for (const Operand& output : m_nest.outputs)
    bytes = base::saturatingAdd(bytes, tileBytes(output, s.tiling, order, level));
  // Cores that share a memory may also share the tile.
  return base::saturatingMul(bytes, m_hw.local().copies(s.active, ~std::uint32_t{0}));
}

std::int64_t Evaluator::inMemory(const TiledCandidate& s, std::int64_t bytes) const {
  return base::saturatingMul(bytes, m_hw.local().copies(s.active));
}

std::vector<MovementCost> Evaluator::costsOf(const TiledCandidate& s) const {
  const mapping::Mapping& m = s.mapping;
  std::vector<MovementCost> costs;
  for (std::size_t i = 0; i < m_nest.inputs.size(); ++i) {
    for (const MovementCost& stage : stages(s, i, m.inputs[i])) costs.push_back(stage);
  }
  for (std::size_t i = 0; i < m_nest.outputs.size(); ++i) {
    for (const MovementCost& stage : stages(s, i, m.outputs[i])) costs.push_back(stage);
  }
  for (const std::size_t r : mapping::splitAllReduces(m_nest, m)) {
    costs.push_back(allReduce(s, r, m.allReduces[r]));
  }
  return costs;
}

double Evaluator::cycles(const TiledCandidate& s, std::span<const LoadedCost> costs,
                         Scratch& scratch, double enough) const {
  SilentObserver observer;
  const double cycles = evaluate(s, costs, scratch, observer, enough);
  return cycles > enough ? cycles : cycles + waiting(s, costs, cycles, enough);
}

double Evaluator::cyclesOn(const Recursion& stack, const TiledCandidate& s,
                           std::span<const LoadedCost> costs, Scratch& scratch,
                           double enough) const {
  SilentObserver observer;
  return evaluate(stack, s, costs, scratch, observer, enough);
}

}  // namespace gridloom::cost
