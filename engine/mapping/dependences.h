// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/mapping.h"
#include "mapping/sign_combinations.h"

namespace gridloom::mapping {

/// Dependences between the tiles that a produced operand reads and the tile that reads them, for
/// given tile sizes: every combination of signs of their distance (reader minus producer, per loop
/// of the kernel) that occurs. isl finds them exactly; where isl gives up, a combination is assumed
/// to occur.
struct TileSigns {
  std::vector<std::vector<int>> vectors;
  /// A tile reads elements of its own time step that neighbouring tiles make: no order of whole
  /// tiles is legal.
  bool withinStep = false;
  /// Tiles of the nest wait for others along several dimensions (a wavefront), or for tiles of
  /// several outputs, and one of these may have to be taken before its room is used again. Windows
  /// that wait for each other share one order: what is loaded before loops of time must be made
  /// before them, too.
  bool oneOrder = false;
  friend auto operator<=>(const TileSigns&, const TileSigns&) = default;
};

/// Whether tiles wait for others before them along several dimensions of an output. All its windows
/// then follow one order: time down to where tiles are written, then positions of cores.
bool isWavefront(const kernel::TileNest& nest);

/// Per input of the nest; empty for operands that are not produced.
using TileDependences = std::vector<TileSigns>;
TileDependences tileDependences(const kernel::TileNest& nest,
                                const std::vector<std::int64_t>& tileSize,
                                SignCombinations& known);

/// Why a movement of a produced operand would read tiles before they exist; nothing when every
/// distance is proved legal. `mapping` has its tile sizes, space and order; `signs` are those of
/// the operand for these tile sizes (tileDependences).
///
/// A movement is legal when every distance is lexicographically positive in one total order of all
/// tiles that agrees with each core's own order. That order is: time, down to the level at which
/// the tile is loaded (forwarded) and the one at which it is written; then the cores' positions
/// along spatial loops of one wave. Cores wait for nothing else, so the wait graph is acyclic and
/// there is no deadlock. A stationary tile never leaves its core: its distance must be
/// lexicographically positive in that core's own order.
///
/// A forwarded tile goes over the network from its producer core: only the elements that the window
/// needs and the reader's core does not have (a halo, loop-carried state). The producer holds it
/// for its readers: the tiles of two iterations of the outermost loop where no window reads further
/// back than one, else all (heldIterations). A core starts an iteration that reuses those buffers
/// once all readers of the old tiles have received theirs; these readers come earlier in the same
/// order. In the schedule, an Await before the load or Take holds until the tiles are stored or
/// made, and `verify` runs all of it.
///
/// A produced operand that goes through global memory has the page-interleaved layout. On a wafer
/// every such tile crosses hundreds of hops: one sweep of jacobi2d on all cores takes about a
/// minute to simulate.
std::optional<std::string> whyTooEarly(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                                       const hardware::Topology& hw, const Mapping& mapping,
                                       const TileSigns& signs, std::size_t input,
                                       const InputMovement& movement);
bool isInTime(const kernel::TileNest& nest, const Mapping& mapping, const Tiling& tiling,
              const TileSigns& signs, const InputMovement& movement);

/// Dimensions whose cores wait for each other's tiles. Cores that move an operand together must run
/// in step, so no movement shares or gathers along these dimensions.
DimMask waitingDims(const kernel::TileNest& nest, const Mapping& mapping);

/// Those of the waiting dimensions along which a window reads tiles of other cores.
DimMask crossedDims(const kernel::Operand& window, const Mapping& mapping);

/// Whether loops that must have the same tile size have it.
bool keepsTies(const kernel::TileNest& nest, const std::vector<std::int64_t>& tileSize);

/// As `tilingOf` in mapping.h, without a kernel.
Tiling tilingOf(const Mapping& mapping, const kernel::TileNest& nest, const hardware::Topology& hw);

}  // namespace gridloom::mapping
