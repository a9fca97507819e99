// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/workspace.h"

namespace gridloom::service {

/// For a kernel whose tensors exceed global memory, adds a help with sizes that fit: all parameters
/// halved until they do. Other diagnostics are returned unchanged.
base::Diagnostics withFittingSizes(base::Diagnostics diagnostics, const Kernel& kernel,
                                   const Hardware& hardware);

}  // namespace gridloom::service
