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
/// Cores wait for what others have made or written, and for nothing else. Tiles are therefore safe when all that
/// one waits for lies before it in one order of all tiles that every core's own order agrees with: the order in
/// time down to the level at which the tile is loaded (passed on) and the one at which it is written, then the
/// cores' positions along loops that are dealt out in one wave. A core that passes tiles on also waits for room,
/// which readers of earlier iterations of the outermost loop give it (heldIterations): they lie before it, too. A
/// kept tile never leaves its core: it must come earlier in that core's whole order.
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
