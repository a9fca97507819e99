// SPDX-License-Identifier: Apache-2.0
#include "mapping/space.h"

#include <algorithm>

#include "mapping/admit.h"

namespace gridloom::mapping {

using kernel::TileNest;

namespace {

bool keepsSequence(const TileNest& nest, const std::vector<LoopId>& order) {
  auto at = nest.sequential.begin();
  for (const LoopId loop : order) {
    const auto found = std::find(nest.sequential.begin(), nest.sequential.end(), loop);
    if (found == nest.sequential.end()) continue;
    if (found < at) return false;
    at = found;
  }
  return true;
}

}  // namespace

bool isOrder(const TileNest& nest, const Tiling& tiling, const std::vector<LoopId>& order) {
  std::vector<int> named(tiling.loops.size(), 0);
  for (const LoopId loop : order) {
    if (!loop.valid() || loop.index() >= named.size()) return false;
    ++named[loop.index()];
  }
  for (std::size_t l = 0; l < named.size(); ++l) {
    if (named[l] != (tiling.loops[l].trips > 1 ? 1 : 0)) return false;
  }
  return keepsSequence(nest, order);
}

std::vector<std::vector<LoopId>> ordersOf(const TileNest& nest, const Tiling& tiling,
                                          const Constraints& constraints) {
  std::vector<LoopId> order;
  for (std::size_t l = 0; l < tiling.loops.size(); ++l) {
    if (tiling.loops[l].trips > 1) order.push_back(LoopId::of(l));
  }
  std::vector<std::vector<LoopId>> orders;
  do {
    if (!keepsSequence(nest, order)) continue;
    if (!admitsOrder(constraints, order)) continue;
    orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

}  // namespace gridloom::mapping
