// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "hardware/topology.h"
#include "kernel/tile_nest.h"
#include "schedule/schedule.h"
#include "simulate/simulation.h"

namespace gridloom::exchange {

/// The trace of a simulation for chrome://tracing and ui.perfetto.dev: a process per core, a thread
/// per process of its program, and counters of use over time: cores that compute, memory channels,
/// the busiest links. The format supports microseconds only, so one microsecond stands for one
/// cycle; `otherData` in the file says so.
void writeTrace(std::ostream& out, const simulate::Simulation& simulation,
                const schedule::Schedule& schedule, const kernel::TileNest& nest,
                const hardware::Topology& hw);

}  // namespace gridloom::exchange
