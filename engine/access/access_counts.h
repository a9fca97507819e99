// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "access/fill_counts.h"
#include "base/result.h"

namespace gridloom::access {

/// Accesses of one instance of a memory, in elements; exact up to 2^53.
struct TensorAccesses {
  bool kept = false;  ///< bypassed tensors have no accesses
  double tile = 0;    ///< elements of one tile
  double part = 0;    ///< elements of the tensor that go through one instance
  double reads = 0;  ///< by the level below, by neighbours, and of partial results for accumulation
  double fills = 0;  ///< written from the level outside
  double updates = 0;  ///< written by the level below: results and partial results
  /// updates that accumulate onto a value; the first update of an element does not
  double reductions = 0;
  double sharers = 1;   ///< instances below that one access serves, on average
  double handedOn = 0;  ///< elements received from a neighbour instead of the level outside

  /// Every access needs an address; the read and write of a read-modify-write share one.
  double addresses = 0;
};

struct LevelAccesses {
  std::string memory;
  double instances = 1;  ///< instances that the nest uses
  std::vector<TensorAccesses> tensors;
};

struct AccessCounts {
  std::vector<kernel::TensorId> tensors;
  std::vector<LevelAccesses> levels;  ///< outermost first
  double computes = 0;                ///< points of the domain
  double units = 1;                   ///< concurrent compute units
  double steps = 0;                   ///< computes one after the other
};

/// Counts by Timeloop's rules: a tile reads its new part only; the first update of a partial result
/// needs no read; a multicast and a sum in the network count once; bypassed memories pass accesses
/// on to the next level. The counts have no times and share no formula with the cost model. Tests
/// compare them with a nest that is executed point by point.
/// Error: more than 2^26 steps.
base::Result<AccessCounts> countAccesses(const kernel::Kernel& kernel, const MemoryNest& nest,
                                         Sweep sweep = Sweep::Steady);

}  // namespace gridloom::access
