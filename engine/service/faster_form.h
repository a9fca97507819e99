// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service/workspace.h"

namespace gridloom::service {

/// Of a kernel with another form (kernel::Kernel::alternative), the one for which a short search
/// finds the faster mapping on this hardware, without the other. The same object if it has none.
KernelRef fasterForm(KernelRef kernel, const Hardware& hardware);

}  // namespace gridloom::service
