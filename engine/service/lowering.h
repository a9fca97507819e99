// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedule/schedule.h"

namespace gridloom::service {

/// Lower and verify: a schedule that comes back may be simulated.
base::Result<schedule::Schedule> verifiedSchedule(const kernel::Kernel& kernel,
                                                  const kernel::TileNest& nest,
                                                  const hardware::Topology& hw,
                                                  const mapping::Mapping& mapping);

}  // namespace gridloom::service
