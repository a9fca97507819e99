// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/constraints.h"

namespace gridloom::search {

/// One axis of the mapping space with the text of its choices.
struct AxisChoices {
  std::string axis;  ///< "block i", "placement", "order", "A moves", "A hoisted", "A buffers", ...
  std::vector<std::string> choices;
};

/// The axes of the space under directives. Not every combination of choices is a point: for
/// example, an operand is shared only along dimensions whose loop it does not depend on. `points`
/// counts the points.
struct SpaceSizes {
  std::vector<AxisChoices> axes;
  std::int64_t points = 0;
  std::vector<std::string> whole;  ///< loops that are not tiled; see SpaceCount
};

/// Errors: no numeric mode of that name, directives that leave an axis empty, a space too large to
/// enumerate.
base::Result<SpaceSizes> spaceSizes(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                    const hardware::Topology& hw,
                                    const mapping::Constraints& constraints,
                                    const std::string& mode, const base::Progress& progress);

}  // namespace gridloom::search
