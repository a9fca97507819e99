// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/topology.h"
#include "kernel/tile_nest.h"

namespace gridloom::ranking {

/// The inputs of every step after the parsers.
struct Subject {
  const kernel::Kernel& kernel;
  const kernel::TileNest& nest;
  const hardware::Topology& hw;
};

}  // namespace gridloom::ranking
