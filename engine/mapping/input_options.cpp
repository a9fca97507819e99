// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "mapping/admit.h"
#include "mapping/layout_options.h"
#include "mapping/partials.h"
#include "mapping/rotation.h"
#include "mapping/shared_buffer_ways.h"
#include "mapping/space.h"

namespace gridloom::mapping {

using kernel::TileNest;

namespace {

// Levels a transfer may have; see Axes. A level that directives name may be one where the transfer
// loads the same bytes again. What the epilogue reads stays until then.
std::vector<std::uint8_t> levels(const TileNest& nest, std::size_t input,
                                 const std::vector<LoopId>& order, const Constraints& constraints) {
  const kernel::Operand& operand = nest.inputs[input];
  const int deepest = operand.isReadIn(kernel::Phase::Epilogue) ? outputLevel(nest, order)
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

// Whether an all-gather may be chosen. A ring needs all its cores in every round: each has a tile
// whenever the others of its line have one. All lines have as many cores.
bool mayAllGather(const kernel::Operand& operand, const Mapping& mapping, const Tiling& tiling,
                  DimMask along, std::uint8_t level) {
  const LoopId loop = mapping.space[static_cast<std::size_t>(std::countr_zero(along))];
  const LoopTiling& tiles = tiling.loops[loop.index()];
  const auto outer = std::span(mapping.order).first(level);
  const bool waves = std::ranges::find(outer, loop) != outer.end();
  const bool several = std::ranges::count(mapping.space, loop) > 1;
  return operand.guard.always() && (!(waves || several) || tiles.tiles % tiles.unroll == 0);
}

// Movements of a produced operand: direct, forwarded, or stationary (loaded once, in one buffer).
std::vector<InputMovement> producedOptions(const TileNest& nest, std::size_t input,
                                           const Mapping& mapping, const hardware::Topology& hw,
                                           const Constraints& constraints,
                                           const TileDependences* dependences,
                                           std::int64_t* tooEarly) {
  TileDependences found;
  SignCombinations known;
  if (dependences == nullptr) found = tileDependences(nest, mapping.tileSize, known);
  const TileSigns& signs = (dependences != nullptr ? *dependences : found)[input];
  const Tiling tiling = tilingOf(mapping, nest, hw);
  const DimMask others = crossedDims(nest.inputs[input], mapping);
  std::vector<InputMovement> options;
  const auto offer = [&](const InputMovement& movement) {
    if (!admitsMovement(constraints, input, movement.kind, 0, 0) ||
        !admitsShared(constraints, input, 0) ||
        !admitsSharedBuffers(constraints, input, {}, mapping.order)) {
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

// Rotations of an input whose tile the cores along `dims` share. A core sends a tile while it
// receives the next, so it has two buffers.
void addRotations(const TileNest& nest, std::size_t input, const Mapping& mapping,
                  const hardware::Topology& hw, const Constraints& constraints, DimMask dims,
                  std::span<const std::uint8_t> levels, std::vector<InputMovement>& options) {
  dims &= rotatingDims(hw, constraints);
  const bool free = admitsInputBuffers(constraints, input, 2) &&
                    admitsShared(constraints, input, 0) &&
                    admitsSharedBuffers(constraints, input, {}, mapping.order);
  if (dims == 0 || !free) return;
  Tiling tiling = tilingOf(mapping, nest, hw);
  tiling.active = activeExtents(mapping, tiling, hw);
  const auto layouts = layoutOptions(constraintOn(constraints.inputs, input), false);
  for (std::uint8_t d = 0; d < hw.dims().size(); ++d) {
    const DimMask along = DimMask{1} << d;
    if ((dims & along) == 0 ||
        !admitsMovement(constraints, input, MovementKind::Rotate, along, d)) {
      continue;
    }
    for (const std::uint8_t level : levels) {
      if (level == 0 || whyNotRotated(nest, mapping, tiling, input, d, mapping.order[level - 1u])) {
        continue;
      }
      for (const TensorLayout layout : layouts) {
        const bool spread = layout != TensorLayout::NearestChannel && layout != TensorLayout::Local;
        if (spread && admitsInputLayout(constraints, input, layout))
          options.push_back({MovementKind::Rotate, along, d, level, 2, {}, layout});
      }
    }
  }
}

// Whether an operand is a border of a tensor, `A[N - 1, j]` beside `A[i, j]`.
bool isBorder(const TileNest& nest, const kernel::Operand& operand) {
  const auto holds = [&](const kernel::Operand& other) {
    return other.tensor == operand.tensor && other.loops.size() > operand.loops.size();
  };
  const auto isNumber = [](const kernel::RegionDim& dim) { return dim.index.isConstant(); };
  return std::ranges::any_of(operand.dims, isNumber) && std::ranges::any_of(nest.inputs, holds);
}

// The movements of an operand in global memory, all but rotations.
class GlobalInputOptions {
 public:
  GlobalInputOptions(const TileNest& nest, std::size_t input, const Mapping& mapping,
                     const hardware::Topology& hw, const Constraints& constraints)
      : m_nest(nest),
        m_input(input),
        m_operand(nest.inputs[input]),
        m_mapping(mapping),
        m_hw(hw),
        m_constraints(constraints),
        m_wanted(constraintOn(constraints.inputs, input)),
        m_rings(m_wanted != nullptr && m_wanted->kind == MovementKind::AllGather),
        m_finishing(finishingDims(nest, m_operand, mapping)),
        m_everyone(sharedDims(m_operand, mapping) & ~m_finishing),
        m_shared(m_everyone & ~waitingDims(nest, mapping)),
        m_ways(m_operand, input, mapping.order, hw, constraints) {
    if (m_rings) m_tiling = tilingOf(mapping, nest, hw);
  }

  /// The dimensions along which cores may share a tile.
  DimMask shared() const { return m_shared; }

  std::vector<InputMovement> list(std::span<const std::uint8_t> levels) {
    const std::vector<InputMovement> choices = movements();
    std::vector<std::vector<TensorLayout>> layoutsOf;
    for (const InputMovement& choice : choices) layoutsOf.push_back(layouts(choice));
    for (const std::uint8_t level : levels) {
      for (std::uint8_t buffers = 1; buffers <= (level == 0 ? 1 : 2); ++buffers) {
        if (level > 0 && !admitsInputBuffers(m_constraints, m_input, buffers)) continue;
        for (std::size_t n = 0; n < choices.size(); ++n) {
          InputMovement movement = choices[n];
          movement.level = level;
          movement.buffers = buffers;
          addLayouts(movement, layoutsOf[n]);
        }
      }
    }
    return std::move(m_options);
  }

 private:
  std::vector<InputMovement> movements() const {
    std::vector<InputMovement> choices = movementsAlong(m_shared, m_hw);
    std::erase_if(choices, [&](const InputMovement& m) {
      return (m.kind == MovementKind::AllGather && !m_rings) ||
             !admitsMovement(m_constraints, m_input, m.kind, m.along, m.first);
    });
    return withSharedCopies(choices, m_shared, m_hw, m_input, m_constraints);
  }

  std::vector<TensorLayout> layouts(const InputMovement& m) const {
    const DimMask one = m.along | m.shared;
    const bool near =
        (m_everyone & ~one) == 0 &&
        nearestMayHelp(m_nest, m_operand.tensor, m_mapping, m_hw, one | m_finishing, false);
    std::vector<TensorLayout> all = layoutOptions(m_wanted, near);
    std::erase_if(all,
                  [&](TensorLayout p) { return !admitsInputLayout(m_constraints, m_input, p); });
    return all;
  }

  void addLayouts(InputMovement& m, std::span<const TensorLayout> layouts) {
    if (m_rings && !mayAllGather(m_operand, m_mapping, m_tiling, m.along, m.level)) return;
    // Inputs of the epilogue, which only some cores use, use no shared buffer. Borders are small:
    // only a directive has them use one.
    const bool isSmall = m_wanted == nullptr && isBorder(m_nest, m_operand);
    const bool fed = m_finishing == 0 && m.shared == 0 && !isSmall &&
                     (m.kind == MovementKind::Direct || m.kind == MovementKind::Multicast);
    for (const TensorLayout layout : layouts) {
      if (!mayLie(m, layout)) continue;
      m.layout = layout;
      // Shared buffers are filled from page-interleaved global memory only.
      if (fed && layout == TensorLayout::PageInterleaved) {
        m_ways.add(m, m_shared & ~m.along, m_options);
      } else if (m_ways.admits(m)) {
        m_options.push_back(m);
      }
    }
  }

  bool mayLie(const InputMovement& m, TensorLayout layout) const {
    // A ring divides the pages of a tile among its cores, and copies it into each memory.
    const bool whole = layout == TensorLayout::NearestChannel || layout == TensorLayout::Local;
    if (m_rings && (whole || m.shared != 0)) return false;
    return layout != TensorLayout::Local || mayLieLocally(m);
  }

  // Only a directive asks for this layout.
  bool mayLieLocally(const InputMovement& m) const {
    // Tiles used in place are loaded at level 0 only, unless a directive says otherwise.
    const bool inPlace = m.kind == MovementKind::Direct;
    if (inPlace && m.level > 0 && m_wanted->hoistOutside.empty()) return false;
    // Only a directive makes several cores hold copies of one tile.
    if ((m_everyone & ~m.along) != 0 && !m_wanted->kind) return false;
    // The tensor is distributed over the cores; it has no shared copies.
    return m.shared == 0;
  }

  const TileNest& m_nest;
  std::size_t m_input;
  const kernel::Operand& m_operand;
  const Mapping& m_mapping;
  const hardware::Topology& m_hw;
  const Constraints& m_constraints;
  const Constraints::Input* m_wanted;
  bool m_rings;         ///< directives ask for an all-gather
  DimMask m_finishing;  ///< only the cores at coordinate 0 of these use the operand
  DimMask m_everyone, m_shared;
  SharedBufferWays m_ways;
  Tiling m_tiling;  ///< with rings
  std::vector<InputMovement> m_options;
};

}  // namespace

std::vector<InputMovement> movementsAlong(DimMask dims, const hardware::Topology& hw) {
  const bool multicast = hw.canMulticast(hw.readPlane());
  std::vector<InputMovement> all{{MovementKind::Direct}};
  const auto count = static_cast<std::uint8_t>(hw.dims().size());
  for (std::uint8_t d = 0; d < count; ++d) {
    if (!(dims >> d & 1)) continue;
    if (multicast) all.push_back({MovementKind::Multicast, DimMask{1} << d, d});
    all.push_back({MovementKind::Stream, DimMask{1} << d, d});
    all.push_back({MovementKind::AllGather, DimMask{1} << d, d});
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
  if (nest.inputs[input].produced) {
    return producedOptions(nest, input, mapping, hw, constraints, dependences, tooEarly);
  }
  GlobalInputOptions global(nest, input, mapping, hw, constraints);
  const auto everyLevel = levels(nest, input, mapping.order, constraints);
  std::vector<InputMovement> options = global.list(everyLevel);
  addRotations(nest, input, mapping, hw, constraints, global.shared(), everyLevel, options);
  return options;
}

}  // namespace gridloom::mapping
