// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "canvas/mesh_scene.h"

namespace gridloom::widgets {

/// Whether two runs can be drawn as one difference: the same machine and the same loops.
bool canDraw(const service::SimulationRun& a, const service::SimulationRun& b);

/// Per core: the share of its outputs in B that another core computes in A; 0 for an idle core.
std::vector<float> movedOutputs(const service::SimulationRun& a, const service::SimulationRun& b);

/// Colours the cores of B's scene by the outputs that moved, and its links and memories by how much
/// more or less of the run they are busy than in A.
void showDifference(MeshScene& scene, const service::SimulationRun& a,
                    const service::SimulationRun& b);

}  // namespace gridloom::widgets
