// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/hardware_spec.h"

namespace gridloom::hardware {

/// Splits dimensions along which a network closes rings of a part of the members each, as
/// `d0 - d0 mod 4 + (d0 + 1) mod 4` does on 8: the dimension becomes one for the rings (2) and one
/// for the members of a ring (4), in all components and maps. So each ring is a whole dimension,
/// and what leads from ring to ring, `(d0 + 4) mod 8`, is one step. Where nothing does, links
/// between neighbouring rings are assumed, with a warning. Errors: rings of several lengths along
/// one dimension, and links that change the ring and the place in it at once.
void splitPartRings(HardwareSpec& spec, base::Diagnostics& out);

}  // namespace gridloom::hardware
