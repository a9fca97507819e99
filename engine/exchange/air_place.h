// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "exchange/air_code.h"
#include "exchange/air_context.h"
#include "schedule/herd_regions.h"

namespace gridloom::exchange {

/// Where a core of a herd is in the mesh, and the first element of its current tile along every
/// loop, as values of the herd's region.
class CorePlace {
 public:
  CorePlace(AirCode& code, const AirContext& air, const schedule::CoreBox& box);

  const std::vector<std::string>& coordinates() const { return m_coordinates; }
  /// Per loop of the kernel.
  std::vector<std::string>& origins() { return m_origins; }
  /// Per loop: its wave, inside its temporal loop.
  std::vector<std::string>& waves() { return m_waves; }
  /// Waves of a temporal loop on this core.
  std::string tripsOf(std::size_t loop);
  /// The first element of a loop's tile in a wave.
  std::string originIn(std::size_t loop, const std::string& wave);
  /// An expression over the loops, at the current tile's origins.
  std::string valueOf(const affine::LinearExpr& expr);
  /// Value + number.
  std::string plus(const std::string& value, std::int64_t number);

 private:
  std::string wayOf(mapping::LoopId loop);
  const mapping::LoopTiling& tiling(std::size_t loop) const {
    return m_air.schedule.tiling.loops[loop];
  }

  AirCode& m_code;
  const AirContext& m_air;
  std::vector<std::string> m_coordinates;  ///< per mesh dimension
  std::vector<std::string> m_ways;         ///< per loop: place among its cores; empty: not unrolled
  std::vector<std::string> m_origins;
  std::vector<std::string> m_waves;
};

}  // namespace gridloom::exchange
