// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "mapping/dataflow_role.h"
#include "schedule/schedule.h"

namespace gridloom::schedule {

/// What a process does to the flow of its operand, by its instructions; in the order of
/// DataflowRole, each once. Empty for a process that moves nothing (tiles in local layout).
std::vector<mapping::DataflowRole> rolesOf(const Schedule& schedule, const Process& process);

/// Their names: "loader, feeder".
std::string roleNames(const Schedule& schedule, const Process& process);

/// How many cores run a process with a role for an operand.
struct RoleCount {
  mapping::DataflowRole role = mapping::DataflowRole::Element;
  std::string operand;  ///< "" for the PEs
  std::int64_t cores = 0;
};
/// All of a schedule: by operand in the order of the programs, then by role; the PEs first.
std::vector<RoleCount> roleCounts(const Schedule& schedule, const kernel::TileNest& nest);

}  // namespace gridloom::schedule
