// SPDX-License-Identifier: Apache-2.0
#include "mapping/space.h"

#include <algorithm>

#include "mapping/admit.h"
#include "mapping/partials.h"

namespace gridloom::mapping {

using base::ceilDiv;
using kernel::contains;
using kernel::TileNest;

namespace {

bool keepsSequence(const TileNest& nest, const std::vector<LoopId>& order) {
  auto at = nest.sequential.begin();
  for (const LoopId loop : order) {
    const auto found = std::find(nest.sequential.begin(), nest.sequential.end(), loop);
    if (found == nest.sequential.end()) continue;
    if (found < at) return false;
    at = found;
  }
  return true;
}

template <class Map> const typename Map::mapped_type* lookUp(const Map& map, std::size_t index) {
  const auto at = map.find(static_cast<int>(index));
  return at == map.end() ? nullptr : &at->second;
}

// Levels a transfer may have; see Axes. A level that directives name may be one where the transfer
// loads the same bytes again.
std::vector<std::uint8_t> levels(const TileNest& nest, std::size_t input,
                                 const std::vector<LoopId>& order, const Constraints& constraints) {
  const kernel::Operand& operand = nest.inputs[input];
  const int deepest = operand.phase == kernel::Phase::Epilogue ? outputLevel(nest, order)
                                                               : static_cast<int>(order.size());
  const Constraints::Input* wanted = lookUp(constraints.inputs, input);
  std::vector<std::uint8_t> out;
  for (int level = 0; level <= deepest; ++level) {
    const bool named =
        wanted && std::any_of(wanted->hoistOutside.begin(), wanted->hoistOutside.end(),
                              [&](LoopId l) { return levelOutside(l, order, deepest) == level; });
    const bool moves = level == 0 || operand.dependsOn(order[static_cast<std::size_t>(level - 1)]);
    if ((named || moves) && admitsLevel(constraints, input, level, deepest, order)) {
      out.push_back(static_cast<std::uint8_t>(level));
    }
  }
  return out;
}

// Uses of the shared buffer for a transfer at `level`: none, or loaded into it at the same or an
// outer level, inside a loop the tile depends on unless a directive names another loop. A transfer
// at level 0 uses none.
std::vector<SharedBufferUse> usesSharedBuffer(const kernel::Operand& operand, std::size_t input,
                                              const std::vector<LoopId>& order, std::uint8_t level,
                                              const hardware::Topology& hw,
                                              const Constraints& constraints) {
  std::vector<SharedBufferUse> all;
  const Constraints::Input* wanted = lookUp(constraints.inputs, input);
  const auto offer = [&](SharedBufferUse sharedBuffer) {
    if (admitsSharedBuffer(constraints, input, sharedBuffer, order)) all.push_back(sharedBuffer);
  };
  offer({});
  if (!hw.hasSharedBuffer() || !operand.guard.always()) return all;
  for (std::uint8_t at = 0; level > 0 && at <= level; ++at) {
    const bool named = wanted && at < order.size() && wanted->sharedBufferOutside == order[at];
    const bool moves = at == 0 || operand.dependsOn(order[at - 1u]);
    for (std::uint8_t buffers = 1; (named || moves) && buffers <= (at == 0 ? 1 : 2); ++buffers) {
      offer({static_cast<std::int8_t>(at), buffers});
    }
  }
  return all;
}

struct MovementChoice {
  MovementKind kind;
  DimMask along;
  std::uint8_t first;
  DimMask shared = 0;
};

// Extends each movement by one copy for cores that share a local memory, along every set of the
// remaining dimensions.
std::vector<MovementChoice> withSharedCopies(const std::vector<MovementChoice>& spreads,
                                             DimMask shared, const hardware::Topology& hw,
                                             std::size_t input, const Constraints& constraints) {
  std::vector<MovementChoice> all;
  for (MovementChoice choice : spreads) {
    const DimMask mates = shared & hw.local().sharedDims & ~choice.along;
    for (choice.shared = 0; choice.shared <= mates; ++choice.shared) {
      if ((choice.shared & ~mates) != 0) continue;
      if (admitsShared(constraints, input, choice.shared)) all.push_back(choice);
    }
  }
  return all;
}

std::vector<MovementChoice> spreads(DimMask shared, const hardware::Topology& hw, std::size_t input,
                                    const Constraints& constraints) {
  const bool multicast = hw.canMulticast(hw.readPlane());
  std::vector<MovementChoice> all{{MovementKind::Direct, 0, 0}};
  const auto count = static_cast<std::uint8_t>(hw.dims().size());
  for (std::uint8_t d = 0; d < count; ++d) {
    if (!(shared >> d & 1)) continue;
    if (multicast) all.push_back({MovementKind::Multicast, DimMask{1} << d, d});
    all.push_back({MovementKind::Stream, DimMask{1} << d, d});
    for (std::uint8_t e = static_cast<std::uint8_t>(d + 1); multicast && e < count; ++e) {
      if (!(shared >> e & 1)) continue;
      const DimMask both = (DimMask{1} << d) | (DimMask{1} << e);
      for (const std::uint8_t first : {d, e}) {
        all.push_back({MovementKind::Multicast, both, first});
        all.push_back({MovementKind::TwoStage, both, first});
      }
    }
  }
  std::erase_if(all, [&](const MovementChoice& c) {
    return !admitsMovement(constraints, input, c.kind, c.along, c.first);
  });
  return withSharedCopies(all, shared, hw, input, constraints);
}

// Movements of a produced operand: direct, forwarded, or stationary (loaded once, in one buffer).
std::vector<InputMovement> producedOptions(const TileNest& nest, std::size_t input,
                                           const Mapping& mapping, const hardware::Topology& hw,
                                           const Constraints& constraints,
                                           const TileDependences* dependences,
                                           std::int64_t* tooEarly) {
  TileDependences found;
  if (dependences == nullptr) found = tileDependences(nest, mapping.tileSize);
  const TileSigns& signs = (dependences != nullptr ? *dependences : found)[input];
  const Tiling tiling = tilingOf(mapping, nest, hw);
  const DimMask others = crossedDims(nest.inputs[input], mapping);
  std::vector<InputMovement> options;
  const auto offer = [&](const InputMovement& movement) {
    if (!admitsMovement(constraints, input, movement.kind, 0, 0) ||
        !admitsShared(constraints, input, 0) ||
        !admitsSharedBuffer(constraints, input, {}, mapping.order)) {
      return;
    }
    if (isInTime(nest, mapping, tiling, signs, movement)) {
      options.push_back(movement);
    } else if (tooEarly != nullptr) {
      ++*tooEarly;
    }
  };
  for (const std::uint8_t level : levels(nest, input, mapping.order, constraints)) {
    for (std::uint8_t buffers = 1; buffers <= (level == 0 ? 1 : 2); ++buffers) {
      if (level > 0 && !admitsInputBuffers(constraints, input, buffers)) continue;
      offer({MovementKind::Direct, 0, 0, level, buffers});
      if (others != 0) offer({MovementKind::Forwarded, 0, 0, level, buffers});
      if (level == 0) offer({MovementKind::Stationary, 0, 0, 0, 1});
    }
  }
  return options;
}

// Whether the nearest-channel layout can help: the busiest channel serves at most twice its even
// share of the cores that load (store), those at coordinate 0 along `sharing`.
bool nearestMayHelp(const Mapping& mapping, const hardware::Topology& hw, DimMask sharing,
                    bool write) {
  if (!hw.global().searchesLayouts || hw.global().channels < 2) return false;
  std::vector<std::int64_t> served(static_cast<std::size_t>(hw.global().channels), 0);
  std::vector<std::int64_t> at(hw.dims().size(), 0);
  std::int64_t cores = 0;
  for (std::size_t d = 0; d < at.size();) {
    ++served[hw.nearestChannel(hw.coreAt(at), write).index()];
    ++cores;
    for (d = 0; d < at.size(); ++d) {
      if (!mapping.space[d].valid() || (sharing >> d & 1)) continue;
      if (++at[d] < hw.dims()[d].size) break;
      at[d] = 0;
    }
  }
  const std::int64_t busiest = *std::max_element(served.begin(), served.end());
  return busiest <= 2 * ceilDiv(cores, hw.global().channels);
}

// A layout holds for all windows of a tensor, so it is a choice of an operand only where the tensor
// has one window.
bool isOnlyWindow(const TileNest& nest, kernel::TensorId tensor) {
  const auto ofTensor = [&](const kernel::Operand& o) { return o.tensor == tensor; };
  return std::count_if(nest.inputs.begin(), nest.inputs.end(), ofTensor) +
             std::count_if(nest.outputs.begin(), nest.outputs.end(), ofTensor) ==
         1;
}

template <class Options>
std::vector<TensorLayout> places(const Options* wanted, bool nearestHelps) {
  if (wanted && wanted->layout) return {*wanted->layout};
  if (nearestHelps) return {TensorLayout::PageInterleaved, TensorLayout::NearestChannel};
  return {TensorLayout::PageInterleaved};
}

}  // namespace

bool isOrder(const TileNest& nest, const Tiling& tiling, const std::vector<LoopId>& order) {
  std::vector<int> named(tiling.loops.size(), 0);
  for (const LoopId loop : order) {
    if (!loop.valid() || loop.index() >= named.size()) return false;
    ++named[loop.index()];
  }
  for (std::size_t l = 0; l < named.size(); ++l) {
    if (named[l] != (tiling.loops[l].trips > 1 ? 1 : 0)) return false;
  }
  return keepsSequence(nest, order);
}

std::vector<std::vector<LoopId>> ordersOf(const TileNest& nest, const Tiling& tiling,
                                          const Constraints& constraints) {
  std::vector<LoopId> order;
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    if (tiling.loops[l].trips > 1) order.push_back(LoopId::of(l));
  }
  std::vector<std::vector<LoopId>> orders;
  do {
    if (!keepsSequence(nest, order)) continue;
    if (!admitsOrder(constraints, order)) continue;
    orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

std::vector<InputMovement> inputOptions(const TileNest& nest, std::size_t input,
                                        const Mapping& mapping, const hardware::Topology& hw,
                                        const Constraints& constraints,
                                        const TileDependences* dependences,
                                        std::int64_t* tooEarly) {
  const kernel::Operand& operand = nest.inputs[input];
  if (nest.inputs[input].produced) {
    return producedOptions(nest, input, mapping, hw, constraints, dependences, tooEarly);
  }
  std::vector<InputMovement> options;
  const DimMask finishing = finishingDims(nest, operand, mapping);
  const DimMask everyone = sharedDims(operand, mapping) & ~finishing;
  const DimMask shared = everyone & ~waitingDims(nest, mapping);
  const auto movementChoices = spreads(shared, hw, input, constraints);
  std::vector<std::vector<TensorLayout>> layoutsOf;
  for (const MovementChoice& s : movementChoices) {
    const DimMask one = s.along | s.shared;
    const bool alone = (everyone & ~one) == 0 && isOnlyWindow(nest, operand.tensor);
    layoutsOf.push_back(places(lookUp(constraints.inputs, input),
                               alone && nearestMayHelp(mapping, hw, one | finishing, false)));
    std::erase_if(layoutsOf.back(),
                  [&](TensorLayout p) { return !admitsInputLayout(constraints, input, p); });
  }
  const Constraints::Input* wanted = lookUp(constraints.inputs, input);
  for (const std::uint8_t level : levels(nest, input, mapping.order, constraints)) {
    std::vector<SharedBufferUse> onTheWay =
        usesSharedBuffer(operand, input, mapping.order, level, hw, constraints);
    // Inputs of the epilogue, which only some cores use, do not go through the shared buffer.
    if (finishing != 0)
      std::erase_if(onTheWay,
                    [](const SharedBufferUse& s) { return s.level != SharedBufferUse::kNone; });
    for (std::uint8_t buffers = 1; buffers <= (level == 0 ? 1 : 2); ++buffers) {
      if (level > 0 && !admitsInputBuffers(constraints, input, buffers)) continue;
      for (std::size_t n = 0; n < movementChoices.size(); ++n) {
        const MovementChoice& s = movementChoices[n];
        const bool fed = s.kind == MovementKind::Direct || s.kind == MovementKind::Multicast;
        for (const TensorLayout layout : layoutsOf[n]) {
          // Tiles used in place are loaded at level 0 only, unless a directive says otherwise.
          const bool inPlace = layout == TensorLayout::Local && s.kind == MovementKind::Direct;
          if (inPlace && level > 0 && wanted->hoistOutside.empty()) continue;
          // Only a directive makes several cores hold copies of one tile in local layout.
          if (layout == TensorLayout::Local && (everyone & ~s.along) != 0 && !wanted->kind)
            continue;
          // A tensor in local layout is distributed over the cores; it has no shared copies.
          if (layout == TensorLayout::Local && s.shared != 0) continue;
          for (const SharedBufferUse& sharedBuffer : onTheWay) {
            // The shared buffer is filled from page-interleaved global memory only.
            if (sharedBuffer.level != SharedBufferUse::kNone &&
                (!fed || layout != TensorLayout::PageInterleaved || s.shared != 0)) {
              continue;
            }
            options.push_back(
                {s.kind, s.along, s.first, level, buffers, sharedBuffer, layout, s.shared});
          }
        }
      }
    }
  }
  return options;
}

namespace {

// Buffers in the shared buffer for finished tiles, at most.
std::uint8_t mostInSharedBuffer(const hardware::Topology& hw, int level, bool passes) {
  if (!hw.hasSharedBuffer() || !passes) return 0;
  return level == 0 ? 1 : 2;
}

}  // namespace

std::vector<OutputMovement> outputOptions(const TileNest& nest, std::size_t output,
                                          const Mapping& mapping, const hardware::Topology& hw,
                                          const Constraints& constraints) {
  const kernel::Operand& operand = nest.outputs[output];
  const DimMask split = finishingDims(nest, operand, mapping);
  const bool combined = split != 0 && partialsOf(nest, operand).any();
  const bool gathered = splitDims(nest, mapping) == 0;
  const DimMask waiting = waitingDims(nest, mapping);
  std::vector<std::int8_t> gathers{-1};
  for (std::size_t d = 0; d < hw.dims().size(); ++d) {
    const LoopId loop = mapping.space[d];
    if (loop.valid() && gathered && (waiting >> d & 1) == 0 && operand.dependsOn(loop)) {
      gathers.push_back(static_cast<std::int8_t>(d));
    }
  }
  std::vector<OutputMovement> options;
  const int level = outputLevel(nest, mapping.order);
  for (const ReductionTopology reduction :
       {ReductionTopology::None, ReductionTopology::Chain, ReductionTopology::Tree}) {
    if ((reduction != ReductionTopology::None) != combined) continue;
    if (!admitsReduction(constraints, output, reduction)) continue;
    for (const std::int8_t gather : gathers) {
      if (!admitsGather(constraints, output, gather)) continue;
      const DimMask sharing = split | (gather < 0 ? 0 : DimMask{1} << gather);
      const bool near =
          isOnlyWindow(nest, operand.tensor) && nearestMayHelp(mapping, hw, sharing, true);
      for (const TensorLayout layout : places(lookUp(constraints.outputs, output), near)) {
        if (!admitsOutputLayout(constraints, output, layout)) continue;
        // Tiles in local layout are not gathered and need no second buffer.
        const bool usesSharedBuffer = layout == TensorLayout::Local;
        if (usesSharedBuffer && gather >= 0) continue;
        const bool passes = gathered && gather < 0 && layout == TensorLayout::PageInterleaved &&
                            !nest.hasProduced();
        for (std::uint8_t buffers = 1; buffers <= (level == 0 || usesSharedBuffer ? 1 : 2);
             ++buffers) {
          if (level > 0 && !usesSharedBuffer && !admitsOutputBuffers(constraints, output, buffers))
            continue;
          for (std::uint8_t sharedBuffer = 0; sharedBuffer <= mostInSharedBuffer(hw, level, passes);
               ++sharedBuffer) {
            if (!admitsOutputSharedBuffer(constraints, output, sharedBuffer)) continue;
            options.push_back({reduction, gather, buffers, layout, sharedBuffer});
          }
        }
      }
    }
  }
  return options;
}

}  // namespace gridloom::mapping
