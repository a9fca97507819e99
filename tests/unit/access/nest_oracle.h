// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "access/fill_counts.h"

namespace gridloom::test {

/// Counts of the oracle for one tensor at one memory, per instance.
struct WatchedAccesses {
  double accesses = 0;  ///< by the level below
  double arriving = 0;  ///< at one instance below
  double handedOn = 0;  ///< between instances below
  double distinct = 0;  ///< different elements that one instance accesses
};

/// Executes a nest point by point with the elements of every tile in a set. Returns counts per
/// level (outermost first) and access.
std::vector<std::vector<WatchedAccesses>> watchNest(const kernel::Kernel& kernel,
                                                    const access::MemoryNest& nest);

}  // namespace gridloom::test
