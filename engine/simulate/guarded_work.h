// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "network/queueing_network.h"
#include "schedule/active_tiles.h"
#include "schedule/placed_schedule.h"
#include "schedule/window_tiles.h"

namespace gridloom::simulate {

/// Cycles and bytes where some tiles lack some operations. Computed tile by tile, as the tables of
/// TileWork distinguish tiles by their edges only.
class GuardedWork {
 public:
  GuardedWork(const schedule::PlacedSchedule& placed, const hardware::ComputeModel& compute);

  bool guardsOps() const { return m_guardsOps; }
  double bodyCycles(std::int32_t core, std::span<const std::int32_t> waves) const;
  /// What a core takes from others to fill a slot of a buffer; its own tiles are read where they
  /// lie.
  void findTaken(std::int32_t buffer, std::int32_t core, std::span<const std::int32_t> waves,
                 int depth, std::vector<network::QueueingNetwork::Taken>& taken) const;
  std::int64_t inputBytes(const schedule::Buffer& buffer, std::int32_t core,
                          std::span<const std::int32_t> waves, int depth) const;

 private:
  const schedule::Schedule& m_schedule;
  const schedule::Placement& m_placement;
  schedule::ActiveTiles m_activeTiles;
  schedule::WindowTiles m_windows;
  std::vector<schedule::WindowTiles::Window> m_taken;  ///< per buffer; empty where nothing is taken
  const kernel::TileNest& m_nest;
  const hardware::ComputeModel& m_compute;
  bool m_guardsOps = false;
  mutable std::vector<std::int64_t> m_extents;  ///< of the current tile
};

}  // namespace gridloom::simulate
