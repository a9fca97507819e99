// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>

namespace gridloom::widgets {

struct MeshScene;
struct Viewport;

/// The link or memory at a position, by its index in the scene; -1 for none. Links count where they
/// are drawn apart from the cells.
int linkAt(const MeshScene& scene, const Viewport& view, QPointF position);
int memoryAt(const MeshScene& scene, const Viewport& view, QPointF position);

}  // namespace gridloom::widgets
