// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "report/run_states.h"

namespace gridloom::report {

/// A state with what its ids refer to.
struct StateView {
  const schedule::Schedule& schedule;
  const kernel::TileNest& nest;
  const hardware::Topology& hw;
  const simulate::Simulation& simulation;
  const RunStates& states;
  const RunState& state;

  std::vector<std::int64_t> coordinatesOf(hardware::CoreId core) const;
  /// "compute", "mover A": role and operand.
  std::string titleOf(const ActiveCore& core, std::size_t process) const;
};

/// For the terminal: totals per state, the first cores and the first tiles in flight, each with
/// the number that is not listed.
std::string stateText(const StateView& view);

}  // namespace gridloom::report
