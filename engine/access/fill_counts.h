// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "access/memory_nest.h"
#include "kernel/kernel.h"

namespace gridloom::access {

/// How the walk through the loops goes on after the second iteration.
enum class Sweep {
  Steady,  ///< the second iteration of a loop stands for all later ones: what Timeloop reports
  Full,    ///< every iteration: also right where a window slides on across tiles of an outer loop
};

/// Elements of one tensor that one instance of a memory hands to (or takes from) what is below it.
struct FillCounts {
  /// By how many of the instances below share one element: a read that is multicast, or partial results
  /// that are summed on their way, count once.
  std::map<std::int64_t, double> bySharers;
  /// Elements that instances below handed to a neighbour that needed them next, without this memory.
  double handedOn = 0;

  double accesses() const;
  /// Elements that arrive below, all instances together.
  double arrivals() const;
};

/// Per level (outermost first) and access (order of `nestAccesses`). The innermost level delivers
/// single elements to the units that compute, which keep nothing.
std::vector<std::vector<FillCounts>> fillCounts(const kernel::Kernel& kernel,
                                                const MemoryNest& nest, Sweep sweep);

/// Temporal iterations that the walk of `deliveries` takes, over all levels.
double walkSteps(const MemoryNest& nest, Sweep sweep);

}  // namespace gridloom::access
