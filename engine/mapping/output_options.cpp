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

// The movements of one output, with the choices of one axis after the other.
class OutputOptions {
 public:
  OutputOptions(const TileNest& nest, std::size_t output, const Mapping& mapping,
                const hardware::Topology& hw, const Constraints& constraints)
      : m_nest(nest),
        m_output(output),
        m_operand(nest.outputs[output]),
        m_mapping(mapping),
        m_hw(hw),
        m_constraints(constraints),
        m_wanted(constraintOn(constraints.outputs, output)),
        m_split(finishingDims(nest, m_operand, mapping)),
        m_gathered(splitDims(nest, mapping) == 0),
        m_level(outputLevel(nest, mapping.order)) {}

  std::vector<OutputMovement> list() {
    const bool combined = m_split != 0 && partialsOf(m_nest, m_operand).any();
    const std::vector<std::int8_t> everyGather = gathers();
    for (const ReductionTopology reduction :
         {ReductionTopology::None, ReductionTopology::Chain, ReductionTopology::Tree,
          ReductionTopology::ReduceScatter}) {
      if ((reduction != ReductionTopology::None) != combined || !mayReduce(reduction)) continue;
      for (const std::int8_t gather : everyGather) {
        if (admitsGather(m_constraints, m_output, gather)) addLayouts(reduction, gather);
      }
    }
    return std::move(m_options);
  }

 private:
  std::vector<std::int8_t> gathers() const {
    const DimMask waiting = waitingDims(m_nest, m_mapping);
    std::vector<std::int8_t> all{-1};
    for (std::size_t d = 0; d < m_hw.dims().size(); ++d) {
      const LoopId loop = m_mapping.space[d];
      if (loop.valid() && m_gathered && (waiting >> d & 1) == 0 && m_operand.dependsOn(loop)) {
        all.push_back(static_cast<std::int8_t>(d));
      }
    }
    return all;
  }

  // Only directives choose a ring.
  bool mayReduce(ReductionTopology reduction) const {
    const bool asked = m_wanted != nullptr && m_wanted->reduction == reduction;
    if (reduction == ReductionTopology::ReduceScatter &&
        !(asked && mayReduceScatter(m_nest, m_operand, m_split))) {
      return false;
    }
    return admitsReduction(m_constraints, m_output, reduction);
  }

  void addLayouts(ReductionTopology reduction, std::int8_t gather) {
    const DimMask sharing = m_split | (gather < 0 ? 0 : DimMask{1} << gather);
    const bool near = nearestMayHelp(m_nest, m_operand.tensor, m_mapping, m_hw, sharing, true);
    for (const TensorLayout layout : layoutOptions(m_wanted, near)) {
      if (!admitsOutputLayout(m_constraints, m_output, layout)) continue;
      const bool whole = layout == TensorLayout::NearestChannel || layout == TensorLayout::Local;
      if (reduction == ReductionTopology::ReduceScatter && whole) continue;
      // Tiles in local layout are not gathered.
      if (layout == TensorLayout::Local && gather >= 0) continue;
      addBuffers(reduction, gather, layout);
    }
  }

  // Tiles in local layout need no second buffer.
  void addBuffers(ReductionTopology reduction, std::int8_t gather, TensorLayout layout) {
    const bool local = layout == TensorLayout::Local;
    const bool passes = m_gathered && gather < 0 && layout == TensorLayout::PageInterleaved &&
                        !m_nest.hasProduced();
    const std::uint8_t most = !passes ? 0 : m_level == 0 ? 1 : 2;
    for (std::uint8_t buffers = 1; buffers <= (m_level == 0 || local ? 1 : 2); ++buffers) {
      if (m_level > 0 && !local && !admitsOutputBuffers(m_constraints, m_output, buffers)) continue;
      addWays({reduction, gather, buffers, layout}, 0, most, m_hw, m_constraints, m_output,
              m_options);
    }
  }

  const TileNest& m_nest;
  std::size_t m_output;
  const kernel::Operand& m_operand;
  const Mapping& m_mapping;
  const hardware::Topology& m_hw;
  const Constraints& m_constraints;
  const Constraints::Output* m_wanted;
  DimMask m_split;
  bool m_gathered;  ///< no reduction is split, so finished tiles may be gathered
  int m_level;
  std::vector<OutputMovement> m_options;
};

}  // namespace

std::vector<OutputMovement> outputOptions(const TileNest& nest, std::size_t output,
                                          const Mapping& mapping, const hardware::Topology& hw,
                                          const Constraints& constraints) {
  return OutputOptions(nest, output, mapping, hw, constraints).list();
}

}  // namespace gridloom::mapping
