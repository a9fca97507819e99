// SPDX-License-Identifier: Apache-2.0
#include "mapping/all_reduce.h"

#include <algorithm>

#include "mapping/admit.h"

namespace gridloom::mapping {

using base::ceilDiv;
using kernel::AllReduce;
using kernel::TileNest;

bool keepsShares(const TileNest& nest, const Tiling& tiling) {
  return std::ranges::all_of(nest.whole, [&](const TileNest::Whole& whole) {
    const LoopTiling& loop = tiling.loops[whole.loop.index()];
    return loop.tileSize == ceilDiv(loop.extent, loop.unroll);
  });
}

DimMask allReduceDims(const AllReduce& reduce, const Mapping& mapping) {
  DimMask mask = 0;
  for (std::size_t d = 0; d < mapping.space.size(); ++d) {
    if (kernel::contains(reduce.over, mapping.space[d])) mask |= DimMask{1} << d;
  }
  return mask;
}

std::vector<std::size_t> splitAllReduces(const TileNest& nest, const Mapping& mapping) {
  std::vector<std::size_t> found;
  for (std::size_t r = 0; r < nest.allReduces.size(); ++r) {
    if (allReduceDims(nest.allReduces[r], mapping) != 0) found.push_back(r);
  }
  return found;
}

std::vector<ReductionTopology> allReduceOptions(const TileNest& nest, std::size_t reduce,
                                                const Mapping& mapping,
                                                const Constraints& constraints) {
  const bool joined = allReduceDims(nest.allReduces[reduce], mapping) != 0;
  std::vector<ReductionTopology> options;
  for (const ReductionTopology how :
       {ReductionTopology::None, ReductionTopology::Chain, ReductionTopology::Tree}) {
    if ((how != ReductionTopology::None) == joined && admitsAllReduce(constraints, reduce, how)) {
      options.push_back(how);
    }
  }
  return options;
}

}  // namespace gridloom::mapping
