// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "hardware/topology.h"
#include "simulate/simulation.h"

namespace gridloom::exchange {

/// The routers, memory channels and links of a hardware as a Graphviz digraph (lay it out with
/// `neato -n`). With a simulation, each link's width and label show its utilization, and links
/// without traffic are omitted.
void writeDot(std::ostream& out, const hardware::Topology& hw,
              const simulate::Simulation* simulation);

}  // namespace gridloom::exchange
