// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/mapping.h"

namespace gridloom::mapping {

/// How the tiles that a produced operand reads lie to the tile that reads them, for given blocks: every
/// combination of signs (reader minus maker, per loop of the kernel) that occurs. Found with isl, exactly;
/// where isl gives up, a combination is taken to occur.
struct TileSigns {
  std::vector<std::vector<int>> vectors;
  /// Elements of the reading tile's own step that neighbours make: no order of whole tiles is right.
  bool withinStep = false;
  friend auto operator<=>(const TileSigns&, const TileSigns&) = default;
};

/// Per input of the nest; empty for those that are not produced.
using TileDependences = std::vector<TileSigns>;
TileDependences tileDependences(const kernel::TileNest& nest,
                                const std::vector<std::int64_t>& tileSize);

/// Why a movement of a produced operand would read tiles before they are there; nothing when every one is
/// proved to be. `mapping` has its block, space and order.
///
/// A movement is legal when every distance is lexicographically positive in one order of all tiles
/// that each core's own order agrees with. That order is: time, down to the level at which the tile
/// is loaded (forwarded) and the one at which it is written; then the cores' positions along
/// spatial loops of one wave. Cores wait for nothing else, so the wait graph is acyclic and there
/// is no deadlock. A stationary tile never leaves its core: it must come earlier in that core's
/// whole order.
///
/// A forwarded tile goes over the network from the core that makes it: only the elements that the
/// window needs and its own core does not have (a halo, a carry). The maker holds it for its
/// readers: the tiles of two iterations of the outermost loop where no window reads further back
/// than one, else all (heldIterations). A core starts an iteration whose tiles need that room once
/// all readers of the old ones have taken theirs; these lie before it in the same order. In the
/// schedule, an Await before the load or Take holds until the tiles are stored or made, and
/// `verify` runs all of it.
///
/// A produced operand that goes through global memory lies in pages. On a wafer every such tile
/// crosses hundreds of hops: one sweep of jacobi2d on all cores takes about a minute to simulate.
std::optional<std::string> whyTooEarly(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                       const hardware::Topology& hw, const Mapping& mapping,
                                       std::size_t input, const InputMovement& movement);
bool isInTime(const kernel::TileNest& nest, const Mapping& mapping, const Tiling& tiling,
              const TileSigns& signs, const InputMovement& movement);

/// Dimensions whose cores wait for each other's tiles: cores that move an operand together must keep step, so
/// nothing is shared or gathered along these.
DimMask waitingDims(const kernel::TileNest& nest, const Mapping& mapping);

/// Of these, the dimensions along which a window reads tiles that other cores make.
DimMask crossedDims(const kernel::Operand& window, const Mapping& mapping);

/// Whether loops that must be tiled alike are.
bool keepsTies(const kernel::TileNest& nest, const std::vector<std::int64_t>& tileSize);

/// The same without a kernel at hand.
Tiling tilingOf(const Mapping& mapping, const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::mapping
