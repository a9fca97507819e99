// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/constraints.h"
#include "mapping/mapping.h"

namespace gridloom::mapping {

/// A two-pass reduction loop may be spatial, one share per core: its tile size is the extent
/// divided by the cores, rounded up. An all-reduce within every tile's work completes
/// what is reduced over it: results go to the core at coordinate 0 as partial results of outputs do
/// (mapping/partials.h), and the total goes back to all.
///
/// In every tile the cores of a group run their operations up to the first all-reduce, take part in
/// it, and go on with the next stage (kernel/loop_shares.h). Chain or tree is chosen per tensor;
/// the result comes back by multicast, or from neighbour to neighbour where the network has none.
/// Every core applies the final operation (a division by N) itself. A message has one element per
/// sum and element of the tensor.

/// Whether each loop that cannot be tiled has a tile size equal to its extent, or to the share of
/// one core where it is spatial.
bool keepsShares(const kernel::TileNest& nest, const Tiling& tiling);

/// Mesh dimensions along which an all-reduce runs: those that carry a loop it reduces over.
DimMask allReduceDims(const kernel::AllReduce& reduce, const Mapping& mapping);
/// The entries of TileNest::allReduces that span several cores, in the order in which they run.
std::vector<std::size_t> splitAllReduces(const kernel::TileNest& nest, const Mapping& mapping);

/// Topologies that a reduction may have; `mapping` has its space set.
std::vector<ReductionTopology> allReduceOptions(const kernel::TileNest& nest, std::size_t reduce,
                                                const Mapping& mapping,
                                                const Constraints& constraints);

}  // namespace gridloom::mapping
