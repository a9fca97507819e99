// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "access/memory_nest.h"
#include "kernel/kernel.h"

namespace gridloom::access {

/// How the count treats iterations after the second one.
enum class Sweep {
  Steady,  ///< the second iteration of a loop represents all later ones: what Timeloop reports
  Full,  ///< counts every iteration: also exact where a window slides across tiles of an outer loop
};

/// Elements of one tensor that one instance of a memory sends to, or receives from, the level
/// below.
struct FillCounts {
  /// Accesses by the number of instances below that share one element: a multicast read, or partial
  /// results that are summed in the network, count once.
  std::map<std::int64_t, double> bySharers;
  /// Elements that instances below send to a neighbour that needs them next, without this memory.
  double handedOn = 0;

  double accesses() const;
  /// Elements that arrive below, over all instances.
  double arrivals() const;
};

/// Per level (outermost first) and access (order of `nestAccesses`). The innermost level sends
/// single elements to the compute units, which store nothing.
std::vector<std::vector<FillCounts>> fillCounts(const kernel::Kernel& kernel,
                                                const MemoryNest& nest, Sweep sweep);

/// Temporal iterations that `fillCounts` executes, over all levels.
double walkSteps(const MemoryNest& nest, Sweep sweep);

}  // namespace gridloom::access
