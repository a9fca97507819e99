// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "schedule/schedule.h"

namespace gridloom::schedule {

/// The all-reduces that split every iteration of compute, in order: indices into
/// TileNest::allReduces.
std::vector<std::size_t> allReducesOf(const Schedule& schedule, const kernel::TileNest& nest);

}  // namespace gridloom::schedule
