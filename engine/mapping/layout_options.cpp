// SPDX-License-Identifier: Apache-2.0
#include "mapping/layout_options.h"

#include <algorithm>
#include <map>

namespace gridloom::mapping {

using base::ceilDiv;
using kernel::TileNest;

namespace {

// Rows that are gathered lie anywhere.
bool isGathered(const TileNest& nest, kernel::TensorId tensor) {
  return std::ranges::any_of(
      nest.inputs, [&](const kernel::Operand& o) { return o.tensor == tensor && o.gather; });
}

// A layout holds for all windows of a tensor, so it is a choice of an operand only where the tensor
// has one window.
bool isOnlyWindow(const TileNest& nest, kernel::TensorId tensor) {
  const auto ofTensor = [&](const kernel::Operand& o) { return o.tensor == tensor; };
  return std::count_if(nest.inputs.begin(), nest.inputs.end(), ofTensor) +
             std::count_if(nest.outputs.begin(), nest.outputs.end(), ofTensor) ==
         1;
}

}  // namespace

bool nearestMayHelp(const TileNest& nest, kernel::TensorId tensor, const Mapping& mapping,
                    const hardware::Topology& hw, DimMask sharing, bool write) {
  if (!isOnlyWindow(nest, tensor) || isGathered(nest, tensor)) return false;
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

const kernel::Operand* operandOfOtherLayout(const kernel::TileNest& nest, const Mapping& mapping) {
  std::map<kernel::TensorId, TensorLayout> layouts;
  const auto differs = [&](const kernel::Operand& operand, TensorLayout layout) {
    return layouts.emplace(operand.tensor, layout).first->second != layout;
  };
  for (std::size_t i = 0; i < nest.inputs.size(); ++i) {
    if (differs(nest.inputs[i], mapping.inputs[i].layout)) return &nest.inputs[i];
  }
  for (std::size_t o = 0; o < nest.outputs.size(); ++o) {
    if (differs(nest.outputs[o], mapping.outputs[o].layout)) return &nest.outputs[o];
  }
  return nullptr;
}

}  // namespace gridloom::mapping
