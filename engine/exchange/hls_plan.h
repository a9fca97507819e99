// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::exchange {

/// A mapping as a systolic array of at most two dimensions, x and y.
struct HlsPlan {
  struct Axis {
    int dim = -1;  ///< of the mesh; -1: the array has one place along it
    kernel::LoopId loop;
    std::int64_t places = 1;
  };
  /// How an input enters and crosses the array. `along` and the other axis: 0 is x, 1 is y.
  struct Input {
    int along = 0;           ///< tiles travel along this axis
    bool scattered = false;  ///< every place keeps its own tile and passes the others on
    bool common = false;     ///< all lines along `along` use the same tile
    int level = 0;           ///< loops outside of the feeder's buffer
  };
  Axis axes[2];
  std::vector<Input> inputs;  ///< per TileNest::inputs
  int split = -1;             ///< axis along which partial results are summed; -1: none
  int outputLevel = 0;        ///< loops outside of the scope of results
  mapping::Tiling tiling;

  std::int64_t processes() const;
};

/// Fills in the plan. Returns what keeps the mapping from being a systolic array, empty if nothing.
std::string planHls(const mapping::Mapping& mapping, const kernel::Kernel& kernel,
                    const kernel::TileNest& nest, const hardware::Topology& hw, HlsPlan& plan);

}  // namespace gridloom::exchange
