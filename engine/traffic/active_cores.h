// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/progress.h"
#include "mapping/mapping.h"

namespace gridloom::traffic {

/// Calls `visit` for every core whose coordinates are active in the dimensions of `mask` and 0
/// elsewhere, until `progress` is cancelled.
inline void forCores(const std::vector<std::int64_t>& active, mapping::DimMask mask,
                     const std::function<void(std::vector<std::int64_t>&)>& visit,
                     const base::Progress* progress = nullptr) {
  std::vector<std::int64_t> at(active.size(), 0);
  while (progress == nullptr || !progress->cancelled()) {
    visit(at);
    std::size_t d = 0;
    for (; d < at.size(); ++d) {
      if (!(mask >> d & 1)) continue;
      if (++at[d] < active[d]) break;
      at[d] = 0;
    }
    if (d == at.size()) return;
  }
}

}  // namespace gridloom::traffic
