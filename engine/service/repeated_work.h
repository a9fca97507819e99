// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/topology_parts.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"

namespace gridloom::service {

/// The share of a kernel's work, by the cycles of its operations, that every core repeats: it runs
/// over none of the loops that the mapping spreads over cores, as the sums of a whole image of
/// which each core then reads its part. 0 to 1; 1 on a single core.
double repeatedShare(const kernel::TileNest& nest, const mapping::Mapping& mapping,
                     const hardware::ComputeModel& compute);

}  // namespace gridloom::service
