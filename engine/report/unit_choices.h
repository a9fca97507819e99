// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "report/records.h"
#include "report/table.h"

namespace gridloom::report {

/// The products of a kernel in the order in which they run: the unit that performs each on a whole
/// tile, and what it would take on the others.
std::vector<UnitRecord> unitsOf(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                const hardware::ComputeModel& compute,
                                std::span<const std::int64_t> tileSizes);

/// The fact `units`, a line per product that is pinned or has a choice; nothing without one.
void addUnits(const std::vector<UnitRecord>& units, std::vector<Fact>& facts);

}  // namespace gridloom::report
