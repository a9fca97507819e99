// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kernel/dependences.h"
#include "kernel/kernel.h"

namespace gridloom::kernel {

/// A read of the element that lies where the one of the statement's target does: `q[i]` in
/// `p[i] = q[i] + 1`.
struct SameElementNeed {
  StatementId reader;
  std::size_t read = 0;
};

/// Statements of which each needs the element that the next one defines, and the last one that of
/// the first, all at one index: nothing can compute them. In the order of the reads;
/// empty where there are none. Reads that a `select` may leave out do not count.
std::vector<SameElementNeed> circularNeeds(const Kernel& kernel,
                                           const std::vector<FlowDependence>& flows);

}  // namespace gridloom::kernel
