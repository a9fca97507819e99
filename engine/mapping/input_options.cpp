// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mapping/admit.h"
#include "mapping/layout_options.h"
#include "mapping/partials.h"
#include "mapping/space.h"

namespace gridloom::mapping {

using kernel::TileNest;

namespace {

// Levels a transfer may have; see Axes. A level that directives name may be one where the transfer
// loads the same bytes again.
std::vector<std::uint8_t> levels(const TileNest& nest, std::size_t input,
                                 const std::vector<LoopId>& order, const Constraints& constraints) {
  const kernel::Operand& operand = nest.inputs[input];
  const int deepest = operand.phase == kernel::Phase::Epilogue ? outputLevel(nest, order)
                                                               : static_cast<int>(order.size());
  const Constraints::Input* wanted = constraintOn(constraints.inputs, input);
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
  const Constraints::Input* wanted = constraintOn(constraints.inputs, input);
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

// Extends each movement by one copy for cores that share a local memory, along every set of the
// remaining dimensions.
std::vector<InputMovement> withSharedCopies(const std::vector<InputMovement>& choices,
                                            DimMask shared, const hardware::Topology& hw,
                                            std::size_t input, const Constraints& constraints) {
  std::vector<InputMovement> all;
  for (InputMovement choice : choices) {
    const DimMask mates = shared & hw.local().sharedDims & ~choice.along;
    for (choice.shared = 0; choice.shared <= mates; ++choice.shared) {
      if ((choice.shared & ~mates) != 0) continue;
      if (admitsShared(constraints, input, choice.shared)) all.push_back(choice);
    }
  }
  return all;
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

}  // namespace

std::vector<InputMovement> movementsAlong(DimMask dims, const hardware::Topology& hw) {
  const bool multicast = hw.canMulticast(hw.readPlane());
  std::vector<InputMovement> all{{MovementKind::Direct}};
  const auto count = static_cast<std::uint8_t>(hw.dims().size());
  for (std::uint8_t d = 0; d < count; ++d) {
    if (!(dims >> d & 1)) continue;
    if (multicast) all.push_back({MovementKind::Multicast, DimMask{1} << d, d});
    all.push_back({MovementKind::Stream, DimMask{1} << d, d});
    for (auto e = static_cast<std::uint8_t>(d + 1); multicast && e < count; ++e) {
      if (!(dims >> e & 1)) continue;
      const DimMask both = (DimMask{1} << d) | (DimMask{1} << e);
      for (const std::uint8_t first : {d, e}) {
        all.push_back({MovementKind::Multicast, both, first});
        all.push_back({MovementKind::TwoStage, both, first});
      }
    }
  }
  return all;
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
  std::vector<InputMovement> choices = movementsAlong(shared, hw);
  std::erase_if(choices, [&](const InputMovement& m) {
    return !admitsMovement(constraints, input, m.kind, m.along, m.first);
  });
  choices = withSharedCopies(choices, shared, hw, input, constraints);
  const Constraints::Input* wanted = constraintOn(constraints.inputs, input);
  std::vector<std::vector<TensorLayout>> layoutsOf;
  for (const InputMovement& s : choices) {
    const DimMask one = s.along | s.shared;
    const bool near = (everyone & ~one) == 0 &&
                      nearestMayHelp(nest, operand.tensor, mapping, hw, one | finishing, false);
    layoutsOf.push_back(layoutOptions(wanted, near));
    std::erase_if(layoutsOf.back(),
                  [&](TensorLayout p) { return !admitsInputLayout(constraints, input, p); });
  }
  for (const std::uint8_t level : levels(nest, input, mapping.order, constraints)) {
    std::vector<SharedBufferUse> onTheWay =
        usesSharedBuffer(operand, input, mapping.order, level, hw, constraints);
    // Inputs of the epilogue, which only some cores use, do not go through the shared buffer.
    if (finishing != 0)
      std::erase_if(onTheWay,
                    [](const SharedBufferUse& s) { return s.level != SharedBufferUse::kNone; });
    for (std::uint8_t buffers = 1; buffers <= (level == 0 ? 1 : 2); ++buffers) {
      if (level > 0 && !admitsInputBuffers(constraints, input, buffers)) continue;
      for (std::size_t n = 0; n < choices.size(); ++n) {
        const InputMovement& s = choices[n];
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

}  // namespace gridloom::mapping
