// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "schedule/verify.h"
#include "service/workspace.h"

namespace gridloom::service {

/// The schedule of a `.prog` file, verified. Errors are located. Kernel and hardware must outlive
/// it.
base::Result<schedule::VerifiedSchedule> openSchedule(base::SourceRef text, const Kernel& kernel,
                                                      const Hardware& hardware);

/// Errors of a `.prog` file in what it says of the kernel and the hardware. It is not verified.
base::Diagnostics checkNames(base::SourceRef text, const Kernel& kernel, const Hardware& hardware);

/// The schedule of a mapping, verified.
base::Result<schedule::VerifiedSchedule> scheduleOf(const mapping::Mapping& mapping,
                                                    const Kernel& kernel, const Hardware& hardware,
                                                    const base::Progress& progress = {});

/// The `.prog` text of a schedule.
std::string textOf(const schedule::Schedule& schedule, const Kernel& kernel,
                   const Hardware& hardware);

/// Every error of a `.prog` file. Its names are resolved, and it is verified, if its kernel and
/// hardware are presets or built-in; otherwise a note says so.
base::Diagnostics checkSchedule(base::SourceRef text);

/// Simulates a schedule that was verified with the same hardware and kernel. The prediction is that
/// of the mapping derived from it.
base::Result<SimulationRunRef> simulateSchedule(HardwareRef hardware, KernelRef kernel,
                                                const schedule::VerifiedSchedule& schedule,
                                                const SimulateOptions& options,
                                                base::Progress& progress);

}  // namespace gridloom::service
