// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "cost/evaluator.h"

namespace gridloom::cost {

/// Tiles one transfer at `level` brings: the dependent loops inside it run over its buffer.
double tilesInside(const TiledCandidate& s, const kernel::Operand& operand, int level);

bool isOutside(const TiledCandidate& s, kernel::LoopId loop, int level);

/// Part of the bytes that full tiles on all loading cores in all waves would be, once ragged edges and cores
/// without a tile are left out. Over a loop the operand depends on, elements count; over another one, the
/// transfers that take place: per wave where the loop is outside the transfer, else once if there is any wave.
double filledShare(const TiledCandidate& s, const hardware::Topology& hw,
                   const kernel::Operand& operand, mapping::DimMask sharing, int level);

/// A transfer at `level`; kept in the skeleton for the next one who asks.
const Transferred& transferredAt(const TiledCandidate& s, const hardware::Topology& hw,
                                 const kernel::Operand& operand, mapping::DimMask sharing,
                                 int level);

/// Elements of an operand's tiles, of those that whole tiles would have.
struct EdgeShares {
  double first = 1;  ///< on the core at coordinate 0, which has most work
  double all = 1;    ///< on average over the cores with work, of loops with one wave
};
EdgeShares edgeShares(const TiledCandidate& s, const kernel::Operand& operand);

/// Cores of a line along a mesh dimension, but the one at coordinate 0, that have a tile: the last wave may leave some
/// without.
struct Gathered {
  double average = 0;  ///< over all waves
  double last = 0;     ///< in the last one
};
Gathered gatheredAlong(const TiledCandidate& s, int dim);

}  // namespace gridloom::cost
