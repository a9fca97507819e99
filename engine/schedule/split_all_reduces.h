// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// The all-reduces for which cores meet in every iteration, in order: indices into TileNest::allReduces.
std::vector<std::size_t> allReducesOf(const Schedule& schedule, const kernel::TileNest& nest);

}  // namespace gridloom::schedule
