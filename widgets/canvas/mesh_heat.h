// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvas/mesh_scene.h"

namespace gridloom::widgets {

/// The heat of a mapping without a simulation.
void addWorkHeat(MeshScene& scene);
/// What a simulation says of cores, links and memory channels.
void addSimulation(MeshScene& scene, const hardware::Topology& topology,
                   const simulate::Simulation& simulated, Heat heat);

}  // namespace gridloom::widgets
