// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/hardware_spec.h"

namespace gridloom::hardware {

/// The part of `completeSpec` that is about dimensions of the mesh along which nothing leads:
/// neighbours are joined, both ways, as far as a router must reach every other one. Nothing changes
/// where cores stand on a grid of routers.
void completeNetworks(HardwareSpec& spec, base::Diagnostics& out);

}  // namespace gridloom::hardware
