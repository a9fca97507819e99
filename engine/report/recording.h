// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "mapping/mapping.h"
#include "report/records.h"
#include "simulate/simulation.h"

namespace gridloom::report {

/// Names, indexed by mapping::MovementKind.
inline constexpr std::array<std::string_view, 8> kMovementNames{
    "direct",     "multicast", "two_stage",  "stream",
    "stationary", "forwarded", "all_gather", "rotate"};

/// Converts the engine's values to records: ids become names.

HardwareRecord recordOf(const hardware::Topology& hw, const hardware::HardwareSpec& spec,
                        const hardware::ComputeModel& compute);
KernelRecord recordOf(const kernel::Kernel& kernel);
MappingRecord recordOf(const kernel::Kernel& kernel, const kernel::TileNest& nest,
                       const hardware::Topology& hw, const mapping::Mapping& mapping,
                       const hardware::ComputeModel& compute);
ScheduleRecord recordOf(const schedule::Schedule& schedule);
SimulatedRecord recordOf(const hardware::Topology& hw, const simulate::Simulation& simulation);
std::vector<ResourceRecord> linkRecords(const hardware::Topology& hw,
                                        const simulate::Simulation& simulation);
std::vector<ResourceRecord> channelRecords(const hardware::Topology& hw,
                                           const simulate::Simulation& simulation);
std::vector<CoreRecord> coreRecords(const hardware::Topology& hw,
                                    const simulate::Simulation& simulation);

OverTimeRecord overTimeRecord(const hardware::Topology& hw, const simulate::Simulation& simulation);

}  // namespace gridloom::report
