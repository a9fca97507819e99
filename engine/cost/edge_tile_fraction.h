// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cost/movement_cost.h"
#include "cost/tiled_candidate.h"
#include "hardware/topology.h"

namespace gridloom::cost {

/// Bytes of a whole tile.
double tileBytes(const TiledCandidate& s, const kernel::Operand& operand);
/// Bytes of a buffer for one transfer of an operand at a level (mapping::tileBytes).
std::int64_t bufferBytes(const TiledCandidate& s, const kernel::Operand& operand, int level);

/// Tiles in one transfer at `level`: the dependent loops inside it run over its buffer.
double tilesInside(const TiledCandidate& s, const kernel::Operand& operand, int level);

bool isOutside(const TiledCandidate& s, kernel::LoopId loop, int level);

/// Bytes transferred, as a fraction of what whole tiles on all loading cores in all waves would be;
/// edge tiles and cores without a tile lower it. A loop the operand depends on counts elements;
/// another loop counts transfers: one per wave where the loop is outside the transfer, else one if
/// there is any wave.
double filledShare(const TiledCandidate& s, const hardware::Topology& hw,
                   const kernel::Operand& operand, mapping::DimMask sharing, int level);

/// A transfer at `level`; the candidate caches it.
const Transferred& transferredAt(const TiledCandidate& s, const hardware::Topology& hw,
                                 const kernel::Operand& operand, mapping::DimMask sharing,
                                 int level);

/// The set of TiledCandidate::ragged.
std::uint64_t raggedLoops(const mapping::Tiling& tiling);
EdgeShares edgeShares(const TiledCandidate& s, const kernel::Operand& operand, int level);

/// Number of cores of a line along a mesh dimension, without the one at coordinate 0, that have a
/// tile in a transfer at `level`. In the last wave some may have none.
struct Gathered {
  double average = 0;  ///< over all waves
  double last = 0;     ///< in the last wave
};
Gathered gatheredAlong(const TiledCandidate& s, int dim, int level);

}  // namespace gridloom::cost
