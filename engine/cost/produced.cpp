// SPDX-License-Identifier: Apache-2.0
//
// Operands that the kernel makes itself.
#include <algorithm>

#include "cost/edge_tile_fraction.h"
#include "cost/evaluator.h"
#include "mapping/dependences.h"

namespace gridloom::cost {

using kernel::LoopId;
using kernel::Operand;
using mapping::InputMovement;

namespace {

// The fraction of what a window reads along one dimension that its own core makes.
double ownShare(const kernel::RegionDim& dim, LoopId maker, const mapping::Tiling& tiling) {
  const mapping::LoopTiling& made = tiling.loops[maker.index()];
  if (made.unroll == 1) return 1;
  if (!(dim.index == affine::LinearExpr::dim(maker.index()))) {
    return 1 / static_cast<double>(made.unroll);
  }
  if (dim.behind) return 0;
  return static_cast<double>(made.tileSize) /
         static_cast<double>(made.tileSize + dim.maxOffset - dim.minOffset);
}

// Cores from which one transfer of a window takes its tiles where it does not follow the core that
// takes it: a whole row of an output lies in as many as make it.
double sourcesOf(const Operand& window, int level, const mapping::Mapping& mapping,
                 const mapping::Tiling& tiling) {
  std::vector<std::int64_t> elements = tiling.tileSizes;
  for (std::size_t p = static_cast<std::size_t>(level); p < mapping.order.size(); ++p) {
    const std::size_t l = mapping.order[p].index();
    elements[l] *= tiling.loops[l].trips;
  }
  double sources = 1;
  for (std::size_t d = 0; d < window.dims.size(); ++d) {
    const kernel::RegionDim& dim = window.dims[d];
    const mapping::LoopTiling& made = tiling.loops[window.makers[d].index()];
    if (made.unroll == 1 || dim.index.dependsOn(window.makers[d].index())) continue;
    std::int64_t extent = 1 + dim.maxOffset - dim.minOffset;
    for (std::size_t l = 0; l < elements.size(); ++l) {
      extent += std::abs(dim.index.coefficient(l)) * (elements[l] - 1);
    }
    sources *= static_cast<double>(std::min(made.unroll, base::ceilDiv(extent, made.tileSize)));
  }
  return sources;
}

// Direction of the cores whose tiles a window reads, as bits of Direction.
std::uint8_t directionsOf(const Operand& window, const mapping::Tiling& tiling) {
  int where = 0;
  for (std::size_t d = 0; d < window.dims.size(); ++d) {
    const kernel::RegionDim& dim = window.dims[d];
    const mapping::LoopTiling& made = tiling.loops[window.makers[d].index()];
    if (made.unroll == 1) continue;
    const bool near = dim.index == affine::LinearExpr::dim(window.makers[d].index());
    if (!near || -dim.minOffset > made.tileSize || dim.maxOffset > made.tileSize)
      return traffic::kAnywhere;
    if (dim.minOffset < 0) where |= traffic::kBelow;
    if (dim.maxOffset > 0) where |= traffic::kAbove;
    if (made.trips > 1 && (dim.minOffset < 0 || dim.maxOffset > 0)) where |= traffic::kWraps;
  }
  return static_cast<std::uint8_t>(where);
}

// Whether a window reads nothing of its own step of a loop that every core runs over in time.
bool readsEarlierSteps(const Operand& window, const mapping::Tiling& tiling) {
  for (std::size_t d = 0; d < window.dims.size(); ++d) {
    const mapping::LoopTiling& made = tiling.loops[window.makers[d].index()];
    if (made.unroll > 1 || made.tileSize > 1) continue;
    if (window.dims[d].index == affine::LinearExpr::dim(window.makers[d].index()) &&
        window.dims[d].maxOffset < 0) {
      return true;
    }
  }
  return false;
}

// Mesh dimensions along which the tiles of one step depend on each other. In a recurrence that
// steps along a loop of its own, only the cores of that loop do.
mapping::DimMask chainDims(const kernel::TileNest& nest, const mapping::Mapping& mapping,
                           const mapping::Tiling& tiling) {
  mapping::DimMask mask = 0;
  for (const Operand& window : nest.inputs) {
    if (!window.produced || readsEarlierSteps(window, tiling)) continue;
    const bool steps = std::ranges::any_of(window.dims, &kernel::RegionDim::behind);
    for (std::size_t d = 0; d < window.dims.size(); ++d) {
      const kernel::RegionDim& dim = window.dims[d];
      const LoopId maker = window.makers[d];
      const bool carries = steps ? dim.behind
                                 : !(dim.index == affine::LinearExpr::dim(maker.index())) ||
                                       dim.minOffset != 0 || dim.maxOffset != 0;
      for (std::size_t at = 0; carries && at < mapping.space.size(); ++at) {
        if (mapping.space[at] == maker) mask |= mapping::DimMask{1} << at;
      }
    }
  }
  return mask;
}

}  // namespace

std::int64_t Evaluator::moreHeld(std::span<const HeldTiles* const> chosen,
                                 const HeldTiles& option) {
  if (option.bytes == 0) return 0;
  std::int64_t there = 0;
  for (const HeldTiles* o : chosen) {
    if (o->tensor == option.tensor) there = std::max(there, o->bytes);
  }
  return std::max<std::int64_t>(0, option.bytes - there);
}

// A stationary tile uses memory and no time.
MovementCost Evaluator::kept(const TiledCandidate& s, std::size_t index,
                             const InputMovement&) const {
  MovementCost cost;
  cost.operand = static_cast<int>(index);
  cost.kind = Load{0, Made::Stationary};
  cost.transfer.pattern = &s.patterns->input({});
  cost.transfer.issues = 1;
  return cost;
}

// Where guards apply, about half of the cores need the tile.
double Evaluator::takers(const TiledCandidate& s, const Operand& operand,
                         mapping::DimMask served) const {
  double takers = 1;
  for (std::size_t d = 0; d < s.active.size(); ++d) {
    if (sharedDims(operand, s.mapping) & ~served & mapping::DimMask{1} << d)
      takers *= static_cast<double>(s.active[d]);
  }
  return operand.guard.always() ? takers : (takers + 1) / 2;
}

double Evaluator::takersPerSource(const TiledCandidate& s, const Operand& operand,
                                  int level) const {
  return std::max(1.0, takers(s, operand, 0) / sourcesOf(operand, level, s.mapping, s.tiling));
}

// A forwarded tile moves over the network; global memory takes no part.
MovementCost Evaluator::passed(const TiledCandidate& s, std::size_t index,
                               const InputMovement& m) const {
  const Operand& operand = m_nest.inputs[index];
  const Operand& made = *std::ranges::find(m_nest.outputs, operand.tensor, &Operand::tensor);
  const traffic::Pattern& p =
      s.patterns->passed(crossedDims(operand, s.mapping), directionsOf(operand, s.tiling));
  MovementCost cost;
  cost.operand = static_cast<int>(index);
  cost.kind = Load{m.along | m.shared, Made::Forwarded};
  const std::int64_t iterations = heldIterations(operand, m, s.tiling, s.mapping.order);
  cost.held.bytes = inMemory(s, heldBytes(made, iterations, s.tiling, s.mapping.order));
  cost.held.tensor = operand.tensor;
  Transfer& c = cost.transfer = arriving(s, operand, m.along | m.shared, m.level, m.buffers, p);
  double own = 1;
  for (std::size_t d = 0; d < operand.dims.size(); ++d) {
    own *= ownShare(operand.dims[d], operand.makers[d], s.tiling);
  }
  c.bytes *= 1 - own;
  c.weight *= 1 - own;
  narrow(s, operand, m, c);
  c.start = sendFixed() + p.loadLatency;
  // While one core sets up a transfer, the source serves others.
  c.least = std::max(0.0, c.bytes * p.together[0] * takersPerSource(s, operand, m.level) - c.start);
  c.takeOffEdges(edgesOf(s, operand, m.level));
  return cost;
}

bool Evaluator::hasWaits() const { return m_nest.hasProduced() && m_terms.has(TermId::Dependence); }

WalkMovements Evaluator::walkMovements(const TiledCandidate& s,
                                       std::span<const LoadedCost> costs) const {
  WalkMovements movements;
  movements.inputs.resize(m_nest.inputs.size());
  // Cores that do not wait for each other within a step transfer its tiles at the same time.
  const mapping::DimMask inStep = ~chainDims(m_nest, s.mapping, s.tiling);
  for (const LoadedCost& movement : costs) {
    const FlatCost& o = *movement.cost;
    const std::vector<double>& rates = o.pattern->together;
    const bool forwarded = o.made == Made::Forwarded;
    const double average =
        std::max({o.bytes * rates[0], o.average * rates[inStep & o.pattern->loaders],
                  forwarded ? 0 : o.least});
    const double bytes = average / o.edgeFraction;  // of a first transfer
    // Packets in turns keep cores in step: all are set up at one moment.
    const double period = o.interleaves ? o.chain(bytes) : std::max(average, o.chain(o.alone()));
    if (o.isStore) {
      const double stored = o.chain(bytes);
      movements.store = o.continues ? movements.store + stored : std::max(movements.store, stored);
      movements.storedBytes =
          o.continues ? movements.storedBytes + bytes : std::max(movements.storedBytes, bytes);
      movements.storePeriod =
          o.continues ? movements.storePeriod + period : std::max(movements.storePeriod, period);
      movements.storesBeside = movements.storesBeside || o.overlapped;
      continue;
    }
    if (o.continues || o.isAllReduce) continue;
    WalkMovements::Input& input = movements.inputs[static_cast<std::size_t>(o.operand)];
    const bool stored = o.made == Made::Stored;
    input = {o.level, o.made != Made::Stationary, o.overlapped, stored, o.wait(bytes), bytes,
             period};
    input.forwarded = forwarded;
    const Operand& operand = m_nest.inputs[static_cast<std::size_t>(o.operand)];
    if (forwarded) {
      // Cores that ask at one moment are served one after the other, and others wait for the last.
      input.queue =
          (takersPerSource(s, operand, o.level) - 1) * o.bytes * rates[0] / o.edgeFraction;
    }
    if (stored) {
      input.queue = (takers(s, operand, ~o.pattern->loaders) - 1) * o.least / o.edgeFraction;
    }
  }
  return movements;
}

DependenceCriticalPath& Evaluator::walkOf(const TiledCandidate& s) const {
  if (!s.walk) {
    s.walk = std::make_shared<DependenceCriticalPath>(m_nest, s.mapping, s.tiling, m_compute);
  }
  return *s.walk;
}

std::int64_t Evaluator::walkSteps(const mapping::Mapping& mapping) const {
  if (!hasWaits()) return 0;
  const mapping::Tiling tiling = tilingOf(mapping, m_kernel, m_hw);
  return static_cast<std::int64_t>(
      DependenceCriticalPath(m_nest, mapping, tiling, m_compute).size());
}

// Cycles that dependences add to the resource bound.
double Evaluator::waiting(const TiledCandidate& s, std::span<const LoadedCost> costs, double cycles,
                          double enough) const {
  if (!hasWaits()) return 0;
  // Ties with `enough` are walked to the end, whichever way they are rounded.
  const double enoughWalked = (enough - m_hw.launch()) * (1 + 1e-12);
  const double walked =
      m_hw.launch() + walkOf(s).cycles(walkMovements(s, costs), s.compute.total(), enoughWalked);
  return std::max(0.0, walked - cycles);
}

double Evaluator::leastWaiting(const TiledCandidate& s, std::span<const LoadedCost> fixed,
                               double enough) const {
  if (!hasWaits()) return 0;
  WalkMovements movements = walkMovements(s, fixed);
  movements.storesBeside = true;  // an output that is not fixed may have two buffers
  return m_hw.launch() + walkOf(s).least(movements, s.compute.total(), enough);
}

}  // namespace gridloom::cost
