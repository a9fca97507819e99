// SPDX-License-Identifier: Apache-2.0
#include "schedule/tile_demand.h"

#include <algorithm>

namespace gridloom::schedule {

TileDemand demandOf(const kernel::TileNest& nest, const kernel::Operand& operand,
                    const mapping::InputMovement& movement) {
  TileDemand need{
      operand.guard, operand.loops, (movement.along | movement.shared) != 0, -1, false, {}};
  if (!operand.produced || movement.kind == mapping::MovementKind::Stationary) return need;
  const auto made = std::ranges::find(nest.outputs, operand.tensor, &kernel::Operand::tensor);
  need.awaits = static_cast<int>(made - nest.outputs.begin());
  need.passed = movement.kind == mapping::MovementKind::Forwarded;
  need.region = operand.dims;
  return need;
}

std::vector<std::vector<mapping::LoopId>> outputGrids(const kernel::TileNest& nest) {
  std::vector<std::vector<mapping::LoopId>> grids;
  if (!nest.hasProduced()) return grids;
  for (const kernel::Operand& output : nest.outputs) {
    std::vector<mapping::LoopId>& grid = grids.emplace_back();
    for (const kernel::RegionDim& dim : output.dims) {
      const auto one = std::ranges::find(dim.index.coefficients, 1);
      grid.push_back(
          mapping::LoopId::of(static_cast<std::size_t>(one - dim.index.coefficients.begin())));
    }
  }
  return grids;
}

}  // namespace gridloom::schedule
