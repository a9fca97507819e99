// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "hardware/topology.h"
#include "simulate/simulation.h"

namespace gridloom::exchange {

/// The routers, memory channels and links of a hardware as a Graphviz digraph (lay it out with
/// `neato -n`). With a simulation, each link's width and label say how busy it was; links that carried
/// nothing are left out.
void writeDot(std::ostream& out, const hardware::Topology& hw,
              const simulate::Simulation* simulation);

}  // namespace gridloom::exchange
