// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gridloom::network {

/// The index of a free entry of `pool`: the last of `unused`, which holds the entries that were
/// given back, or a new one. A used entry keeps its old value.
template <class Pool> std::int32_t slotIn(Pool& pool, std::vector<std::int32_t>& unused) {
  if (unused.empty()) {
    pool.push_back({});
    return static_cast<std::int32_t>(pool.size() - 1);
  }
  const std::int32_t slot = unused.back();
  unused.pop_back();
  return slot;
}

}  // namespace gridloom::network
