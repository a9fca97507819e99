// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mapping/constraints.h"
#include "mapping/mapping.h"

namespace gridloom::mapping {

/// Rotation: every core of a line loads one tile, works on it, and hands it to the next core, the
/// last one to the first; after as many iterations as the line has cores, a *round*, all have seen
/// all tiles. Each tile is loaded once and no link carries more than one of them at a time.
///
/// The tiles that a line holds in one iteration differ, so its cores run the iterations of a loop
/// in different orders: the loop is *skewed*. With A[i, k] rotating along y and B[k, j] along x,
/// core (x, y) works in iteration t of a round of n on tile (t - x - y) mod n of k: Lynn Elliot
/// Cannon, "A Cellular Computer to Implement the Kalman Filter Algorithm", Montana State
/// University, 1969. (Cannon counts the other way; here tiles travel upwards, as streams do, so
/// that one-way rings take one hop.) An operand may also rotate alone: with B multicast along x,
/// core (x, y) works on tile (t - y) mod n.

/// Which iterations of a temporal loop a core runs when. A round of `period` iterations runs the
/// same waves on every core, each core in its own order.
struct LoopSkew {
  DimMask along = 0;  ///< dimensions whose coordinates delay the core; none: not skewed
  std::int64_t period = 1;
  /// The wave of an iteration for a core whose coordinates along `along` sum to `delay`.
  std::int64_t waveAt(std::int64_t iteration, std::int64_t delay) const {
    const std::int64_t inRound = iteration % period;
    return iteration - inRound + (inRound + period - delay % period) % period;
  }
  friend bool operator==(const LoopSkew&, const LoopSkew&) = default;
};

/// Per temporal loop. An input rotates over the loop just outside its transfer.
std::vector<LoopSkew> skewsOf(const Mapping& mapping, const Tiling& tiling);

/// Why an input does not rotate along a dimension over a temporal loop just outside its transfer;
/// none where it does. Its own movement and those of other inputs make no difference:
/// - The loop is a sum, whose terms may be added in any order; every tile of the nest has work.
/// - All tiles are whole and all rounds full. All cores of the line work in every wave.
/// - Other inputs that depend on the loop differ along the dimension: a tile shared along it would
///   be needed at different times.
/// - Where others may rotate over the loop, too, rounds are as long as the longest of their lines.
/// Of the mapping, the space is read.
std::optional<std::string> whyNotRotated(const kernel::TileNest& nest, const Mapping& mapping,
                                         const Tiling& tiling, std::size_t input, std::size_t dim,
                                         LoopId loop);

/// Dimensions along which rotation is offered: where lines of cores are rings and the network
/// cannot multicast, or all of them when a directive asks for it. A multicast, too, loads each tile
/// once and sends it once over each link, and its cores need not wait for each other in every
/// iteration.
/// On lines that are no rings the way back to the first core is long.
DimMask rotatingDims(const hardware::Topology& hw, const Constraints& constraints);

/// Which inputs rotate along which of the dimensions over which sums: all that the choice of
/// rotations depends on beside the space and the order.
std::vector<bool> rotationsOf(const kernel::TileNest& nest, const Mapping& mapping,
                              const Tiling& tiling, DimMask dims);

}  // namespace gridloom::mapping
