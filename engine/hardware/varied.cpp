// SPDX-License-Identifier: Apache-2.0
#include "hardware/varied.h"

#include <algorithm>
#include <cmath>

namespace gridloom::hardware {

namespace {

void scaleLatency(HardwareSpec& spec, double factor) {
  for (Interconnect& link : spec.interconnects) {
    if (link.latency) link.latency->value *= factor;
  }
}

void scaleLocal(HardwareSpec& spec, double factor) {
  for (Memory& memory : spec.memories) {
    if (memory.scaleout == spec.cores.front().scaleout) memory.size.value *= factor;
  }
}

bool resize(HardwareSpec& spec, const base::Assignment& change) {
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    if (spec.dims[d].name != change.name || !(change.value >= 1)) continue;
    spec.dims[d].size = std::llround(change.value);
    const auto size = static_cast<std::size_t>(spec.dims[d].size);
    for (Memory& memory : spec.memories) {
      const bool along =
          std::ranges::any_of(memory.scaleout, [&](SpatialDimId id) { return id.index() == d; });
      if (memory.global && along) memory.at.resize(std::min(memory.at.size(), size));
    }
    return true;
  }
  return false;
}

}  // namespace

base::Result<HardwareSpec> varied(HardwareSpec spec, std::span<const base::Assignment> changes) {
  for (const base::Assignment& change : changes) {
    if (change.factor && change.name == "latency") {
      scaleLatency(spec, change.value);
    } else if (change.factor && change.name == "local") {
      scaleLocal(spec, change.value);
    } else if (!change.factor && change.name == "launch") {
      if (change.value > 0) {
        spec.cores.front().launch = Figure{change.value, "cycle", change.value, {}};
      }
    } else if (change.factor || !resize(spec, change)) {
      return base::plainError("nothing of the hardware can be varied as `" + change.name + "`",
                              "write DIM=N, launch=N, latency*F or local*F");
    }
  }
  return spec;
}

}  // namespace gridloom::hardware
