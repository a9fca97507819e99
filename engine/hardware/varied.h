// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/assignments.h"
#include "hardware/hardware_spec.h"

namespace gridloom::hardware {

/// A description that differs from another: `DIM=N` is the size of a spatial dimension (of a global
/// memory's instances, the first N stay), `launch=N` the cycles per kernel (0: as described),
/// `latency*F` scales the latency of all links, `local*F` the size of the cores' memories.
/// Error: nothing of that name. Whether a machine can be like that, `makeTopology` says.
base::Result<HardwareSpec> varied(HardwareSpec spec, std::span<const base::Assignment> changes);

}  // namespace gridloom::hardware
