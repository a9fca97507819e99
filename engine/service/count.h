// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "access/access_counts.h"
#include "service/workspace.h"

namespace gridloom::service {

/// Accesses of a kernel under a fixed nest over the memories of a hardware.
struct NestCount {
  HardwareRef hardware;
  KernelRef kernel;
  access::MemoryNest nest;
  access::AccessCounts counts;
};

/// Errors: those of the text and of `access::resolve`, located; a nest with too many loops.
base::Result<NestCount> countNest(HardwareRef hardware, KernelRef kernel, base::SourceRef nestText,
                                  access::Sweep sweep = access::Sweep::Steady);

/// The table, and the same as CSV and JSON (resources/docs/json.md).
std::string textOf(const NestCount& count);
std::string csvOf(const NestCount& count);
std::string jsonOf(const NestCount& count);

}  // namespace gridloom::service
