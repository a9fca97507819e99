// SPDX-License-Identifier: Apache-2.0
#include "mapping/admit.h"
#include "mapping/layout_options.h"
#include "mapping/partials.h"
#include "mapping/space.h"

namespace gridloom::mapping {

using kernel::TileNest;

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
      const bool near = nearestMayHelp(nest, operand.tensor, mapping, hw, sharing, true);
      for (const TensorLayout layout :
           layoutOptions(constraintOn(constraints.outputs, output), near)) {
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
