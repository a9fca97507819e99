// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::report {

/// A line of a loop nest with annotated data movement.
struct NestItem {
  enum class Kind {
    Cores,      ///< the mesh: opens a block for every core
    Loop,       ///< a temporal loop: opens a block
    Operation,  ///< an allocation, a transfer, a tile operation
    End,        ///< closes a block
  };
  Kind kind = Kind::End;
  std::string name;     ///< Operation: `load`
  std::string subject;  ///< Operation: the tensor
  /// Operation: per dimension of the tensor the tile it moves, `ti`, or `*` for all; empty: the
  /// tile at hand.
  std::vector<std::string> tile = {};
  std::string attributes = {};  ///< Operation: `key=value` pairs
  std::string comment = {};
  std::vector<std::pair<std::string, std::int64_t>> extents = {};  ///< Cores: per dimension
  kernel::LoopId loop = {};                                        ///< Loop
  std::int64_t trips = 1;                                          ///< Loop
};
std::vector<NestItem> loopNestItems(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                    const hardware::Topology& hw, const mapping::Mapping& mapping);

/// The mapping as a loop nest with annotated data movement, in the form of TL's Listing 5 (Li et
/// al., 2025): cores outside, temporal loops inside, every transfer at its hoist level with its
/// buffer and its resources. Sizes are bytes per core, over all slots.
std::string loopNestText(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                         const hardware::Topology& hw, const mapping::Mapping& mapping);

}  // namespace gridloom::report
