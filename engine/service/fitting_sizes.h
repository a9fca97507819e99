// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "service/workspace.h"

namespace gridloom::service {

/// For a kernel whose tensors exceed global memory, adds a help with sizes that fit: all parameters
/// halved until they do. Other diagnostics are returned unchanged.
base::Diagnostics withFittingSizes(base::Diagnostics diagnostics, const Kernel& kernel,
                                   const Hardware& hardware);

/// Parameters that are not written with others.
std::vector<kernel::Parameter> writtenSizes(const kernel::Kernel& kernel);

/// ` --set M=64 --set N=64`
std::string settingsText(const KernelOptions& options);

}  // namespace gridloom::service
