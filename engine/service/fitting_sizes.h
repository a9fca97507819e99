// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/workspace.h"

namespace gridloom::service {

/// What is to be said of a kernel whose tensors global memory cannot hold, with sizes in the help that it can: all
/// parameters halved until they fit. Other diagnostics come back as they are.
base::Diagnostics withFittingSizes(base::Diagnostics diagnostics, const Kernel& kernel,
                                   const Hardware& hardware);

}  // namespace gridloom::service
