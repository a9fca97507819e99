// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/constraints.h"
#include "mapping/mapping.h"

namespace gridloom::mapping {

/// A loop that is reduced and free again may be dealt to cores, one share each: the block is the extent divided by
/// the cores, rounded up. What is reduced over it is joined in the middle of every tile's work: results go to the core
/// at coordinate 0 as partial results of outputs do (mapping/partials.h), what they give goes back to all.
///
/// In every tile the cores of a group run their operations up to the first all-reduce, take part in
/// it, and go on with the next stage (kernel/loop_shares.h). Chain or tree is chosen per tensor;
/// the result comes back by multicast, or from neighbour to neighbour where the network has none.
/// What finishes a result (a division by N) every core computes itself. A message has one element
/// per sum and element of the tensor.

/// Whether the blocks of loops that cannot be tiled are their extents, or the shares of the cores they are dealt to.
bool keepsShares(const kernel::TileNest& nest, const Tiling& tiling);

/// Mesh dimensions along which the results of an all-reduce are joined: those with shares of what it reduces.
DimMask allReduceDims(const kernel::AllReduce& reduce, const Mapping& mapping);
/// Those of TileNest::allReduces for which cores meet, in the order in which they do.
std::vector<std::size_t> splitAllReduces(const kernel::TileNest& nest, const Mapping& mapping);

/// The dimensions along which what came together goes back, one step after the other: by multicast where the network
/// has one, else from neighbour to neighbour.
std::vector<DimMask> wayBack(const hardware::Topology& hw, DimMask dims);

/// Bytes of local memory that the meetings of a mapping need: what goes, what comes, and what comes back.
std::int64_t allReduceBytes(const kernel::TileNest& nest, const Mapping& mapping,
                            const Tiling& tiling);
std::int64_t allReduceBytes(const kernel::AllReduce& reduce, const Tiling& tiling);

/// How results may be joined; `mapping` has its space set.
std::vector<ReductionTopology> allReduceOptions(const kernel::TileNest& nest, std::size_t reduce,
                                                const Mapping& mapping,
                                                const Constraints& constraints);

}  // namespace gridloom::mapping
