// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "mapping/constraints.h"

namespace gridloom::mapping {

/// What the map holds at the key; null: nothing.
template <class Map>
const typename Map::mapped_type* lookUp(const Map& map, const typename Map::key_type& key) {
  const auto at = map.find(key);
  return at == map.end() ? nullptr : &at->second;
}

/// The loops that both lists name, in the order of the first.
inline std::vector<LoopId> loopsAlsoIn(const std::vector<LoopId>& of,
                                       const std::vector<LoopId>& with) {
  std::vector<LoopId> out;
  std::copy_if(of.begin(), of.end(), std::back_inserter(out),
               [&](LoopId loop) { return kernel::contains(with, loop); });
  return out;
}

}  // namespace gridloom::mapping
