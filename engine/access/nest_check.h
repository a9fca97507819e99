// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "access/memory_nest.h"

namespace gridloom::access {

/// Where the levels of a nest stand in its text.
struct NestPlaces {
  const base::SourceRef& source;
  const std::vector<base::Span>& levels;
};

/// Whether a resolved nest can be: every tensor has a memory that holds all of it, and the machine
/// has the instances, the multipliers and the bytes that the nest uses. Errors are located at their
/// level. What the hardware lacks is reported only for a nest that keeps every tensor.
base::Diagnostics checkNest(const MemoryNest& nest, const kernel::Kernel& kernel,
                            const hardware::HardwareSpec& hardware, const NestPlaces& places);

}  // namespace gridloom::access
