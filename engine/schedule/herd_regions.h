// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// A box of cores: first and last coordinate per mesh dimension, both included.
struct CoreBox {
  std::vector<std::int64_t> first, last;
};

/// The cores of a program as boxes, taken greedily in row-major order. Each box grows along the
/// last dimension first, then along the others while whole slabs remain.
std::vector<CoreBox> regionsOf(const Schedule& schedule, const hardware::Topology& hw,
                               ProgramId program);

}  // namespace gridloom::schedule
