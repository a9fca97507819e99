// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "exchange/air_code.h"
#include "exchange/air_context.h"
#include "mapping/rotation.h"
#include "schedule/herd_regions.h"

namespace gridloom::exchange {

/// Where a core of a herd is in the mesh, and its current tile along every loop, as values of the
/// herd's region.
class CorePlace {
 public:
  /// A core of a box, at `%hx` and `%hy` inside it, outside of all loops. In a box of more
  /// dimensions, `%hy` runs over all but the first, row-major.
  CorePlace(AirCode& code, const AirContext& air, const schedule::CoreBox& box);

  const std::vector<std::string>& coordinates() const { return m_coordinates; }
  /// Per loop of the kernel: the first element of its tile.
  const std::vector<std::string>& origins() const { return m_origins; }
  /// The loop's wave inside it, by which its tile is found; "" outside.
  const std::string& waveOf(std::size_t loop) const { return m_waves[loop]; }
  /// The iteration of the temporal loop at a position, inside it.
  const std::string& iterationAt(std::size_t position) const { return m_iterations[position]; }
  /// The core's place among those of a loop; "" for a loop that is not unrolled over cores.
  const std::string& wayOf(std::size_t loop) const { return m_ways[loop]; }

  /// Enters and leaves an iteration of the temporal loop at a position.
  void enter(std::size_t position, const std::string& iteration);
  void leave(std::size_t position);

  /// The core at other coordinates, in the same iteration.
  CorePlace at(std::vector<std::string> coordinates) const;
  /// Iterations of a temporal loop on this core.
  std::string tripsOf(std::size_t loop);
  /// The last element of a loop's tile.
  std::string lastOf(std::size_t loop);
  /// Active cores along a dimension of the mesh, on this core's line.
  std::string activeAlong(std::size_t dim);
  /// An expression over the loops, at the current tile's origins.
  std::string valueOf(const affine::LinearExpr& expr) { return valueOf(expr, m_origins); }
  std::string valueOf(const affine::LinearExpr& expr, const std::vector<std::string>& loops);
  /// Value + number.
  std::string plus(const std::string& value, std::int64_t number);

 private:
  void findTiles();
  std::string unfolded(const std::string& place, std::int64_t stride, std::int64_t size,
                       bool isOutermost);
  std::string placeAmong(mapping::LoopId loop);
  std::string originIn(std::size_t loop, const std::string& wave);
  const mapping::LoopTiling& tiling(std::size_t loop) const {
    return m_air->schedule.tiling.loops[loop];
  }

  AirCode* m_code;
  const AirContext* m_air;
  std::vector<mapping::LoopSkew> m_skews;  ///< per temporal loop
  std::vector<std::string> m_coordinates;  ///< per mesh dimension
  std::vector<std::string> m_ways, m_origins, m_waves;
  std::vector<std::string> m_outside;     ///< per loop: its tile outside of it
  std::vector<std::string> m_iterations;  ///< per temporal loop
};

}  // namespace gridloom::exchange
