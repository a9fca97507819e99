// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "schedule/placement.h"
#include "schedule/schedule.h"
#include "timing/op_cycles.h"

namespace gridloom::simulate {

/// Cycles of one core's tile operations by part (timing::ComputePart).
using ComputeParts = std::array<double, timing::kComputeParts>;

/// The compute time of a schedule's cores, divided. Cores that do the same share a class. The parts
/// of a core sum to its time in State::Compute, less the time in which it reduces partial results
/// of other cores; the simulation alone knows that.
struct ComputeSplit {
  std::vector<ComputeParts> classes;
  std::vector<std::int32_t> classOf;  ///< per core; -1: idle

  const ComputeParts* of(std::size_t core) const {
    const std::int32_t at = classOf[core];
    return at < 0 ? nullptr : &classes[static_cast<std::size_t>(at)];
  }
};

/// Walks all tiles of all cores, grouped by their extents; tile by tile where operations have
/// guards.
ComputeSplit splitCompute(const schedule::Schedule& schedule, const schedule::Placement& placement,
                          const kernel::TileNest& nest, const hardware::ComputeModel& compute);

}  // namespace gridloom::simulate
