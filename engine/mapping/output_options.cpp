// SPDX-License-Identifier: Apache-2.0
#include "mapping/admit.h"
#include "mapping/layout_options.h"
#include "mapping/partials.h"
#include "mapping/space.h"

namespace gridloom::mapping {

using kernel::TileNest;

namespace {

// Adds `movement` with every way through shared buffers from level `next` outwards. `most`: buffers
// in each, at most. Finished tiles are not reused: one level is enough, unless directives name
// more.
void addWays(OutputMovement movement, std::size_t next, std::uint8_t most,
             const hardware::Topology& hw, const Constraints& constraints, std::size_t output,
             std::vector<OutputMovement>& options) {
  if (admitsSharedBuffers(constraints, output, movement)) options.push_back(movement);
  const Constraints::Output* wanted = constraintOn(constraints.outputs, output);
  for (std::size_t k = next; k < hw.sharedBuffers().size(); ++k) {
    const bool named = wanted && wanted->sharedBuffers[k].isUsed.value_or(false);
    if (movement.usesSharedBuffer() && !named) continue;
    for (std::uint8_t buffers = 1; buffers <= most; ++buffers) {
      OutputMovement through = movement;
      through.sharedBuffers[k] = buffers;
      addWays(through, k + 1, most, hw, constraints, output, options);
    }
  }
}

// A ring has one dimension. What a core finishes in it is a share of the output's own tile: there
// are no sums beside it, and no epilogue that would need all of them.
bool mayReduceScatter(const TileNest& nest, const kernel::Operand& output, DimMask split) {
  const Partials partials = partialsOf(nest, output);
  return (split & (split - 1)) == 0 && partials.tile && partials.locals.empty() && !nest.merge &&
         !kernel::hasEpilogue(nest) && nest.work.always() && !nest.hasProduced() &&
         nest.allReduces.empty();
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
  const Constraints::Output* wanted = constraintOn(constraints.outputs, output);
  for (const ReductionTopology reduction :
       {ReductionTopology::None, ReductionTopology::Chain, ReductionTopology::Tree,
        ReductionTopology::ReduceScatter}) {
    if ((reduction != ReductionTopology::None) != combined) continue;
    // Only directives choose a ring.
    const bool ring = reduction == ReductionTopology::ReduceScatter;
    const bool asked = wanted != nullptr && wanted->reduction == reduction;
    if (ring && !(asked && mayReduceScatter(nest, operand, split))) continue;
    if (!admitsReduction(constraints, output, reduction)) continue;
    for (const std::int8_t gather : gathers) {
      if (!admitsGather(constraints, output, gather)) continue;
      const DimMask sharing = split | (gather < 0 ? 0 : DimMask{1} << gather);
      const bool near = nearestMayHelp(nest, operand.tensor, mapping, hw, sharing, true);
      for (const TensorLayout layout : layoutOptions(wanted, near)) {
        if (!admitsOutputLayout(constraints, output, layout)) continue;
        const bool whole = layout == TensorLayout::NearestChannel || layout == TensorLayout::Local;
        if (ring && whole) continue;
        // Tiles in local layout are not gathered and need no second buffer.
        const bool local = layout == TensorLayout::Local;
        if (local && gather >= 0) continue;
        const bool passes = gathered && gather < 0 && layout == TensorLayout::PageInterleaved &&
                            !nest.hasProduced();
        const std::uint8_t most = !passes ? 0 : level == 0 ? 1 : 2;
        for (std::uint8_t buffers = 1; buffers <= (level == 0 || local ? 1 : 2); ++buffers) {
          if (level > 0 && !local && !admitsOutputBuffers(constraints, output, buffers)) continue;
          addWays({reduction, gather, buffers, layout}, 0, most, hw, constraints, output, options);
        }
      }
    }
  }
  return options;
}

}  // namespace gridloom::mapping
