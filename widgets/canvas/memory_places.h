// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridloom::widgets {

struct MeshScene;

/// Puts every memory channel beside the mesh, near its ports and without overlap.
void placeMemories(MeshScene& scene);

}  // namespace gridloom::widgets
