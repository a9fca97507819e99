// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "access/fill_counts.h"
#include "base/result.h"

namespace gridloom::access {

/// Accesses of one instance of a memory, in elements; exact up to 2^53.
struct TensorAccesses {
  bool kept = false;   ///< bypassed tensors have no accesses
  double tile = 0;     ///< elements kept at a time
  double part = 0;     ///< elements of the tensor that pass through one instance
  double reads = 0;    ///< by the level below, by neighbours, and of partial results to add to
  double fills = 0;    ///< written from the level outside
  double updates = 0;  ///< written by the level below: results and partial results
  double reductions =
      0;  ///< updates that were added to what was there; the first of an element is not
  double sharers = 1;   ///< instances below that one access serves, on average
  double handedOn = 0;  ///< elements got from a neighbour instead of the level outside

  /// Every access needs an address; reads of a read-modify-write share that of the write.
  double addresses = 0;
};

struct LevelAccesses {
  std::string memory;
  double instances = 1;  ///< that the nest uses
  std::vector<TensorAccesses> tensors;
};

struct AccessCounts {
  std::vector<kernel::TensorId> tensors;
  std::vector<LevelAccesses> levels;  ///< outermost first
  double computes = 0;                ///< points of the domain
  double units = 1;                   ///< that compute side by side
  double steps = 0;                   ///< computes one behind the other
};

/// Counts by Timeloop's rules: reads of a tile's new part only, partial results without the read of a first
/// update, multicast and sums on the way once, bypassed memories passed through.
/// Nothing is timed, and no formula is shared with the cost model; tests hold the counts to a nest
/// that is walked point by point.
/// Error: a walk of more than 2^26 steps.
base::Result<AccessCounts> countAccesses(const kernel::Kernel& kernel, const MemoryNest& nest,
                                         Sweep sweep = Sweep::Steady);

}  // namespace gridloom::access
