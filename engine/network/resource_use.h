// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gridloom::network {

/// Busy time and bytes of one resource.
struct ResourceUse {
  double busy = 0;  ///< cycles, at most the total
  double bytes = 0;
};

}  // namespace gridloom::network
