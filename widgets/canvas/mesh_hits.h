// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>

namespace gridloom::widgets {

struct MeshScene;
struct Viewport;

/// The link or memory at a position, by its index in the scene; -1 for none. Links count where they
/// are drawn apart from the cells.
int linkAt(const MeshScene& scene, const Viewport& view, QPointF position);
int memoryAt(const MeshScene& scene, const Viewport& view, QPointF position);

/// Smaller cells have no room for the marks of ports.
constexpr double kPortPitch = 18;
/// The mark of a port in the corner of its router's cell, and the port of a memory (an index into
/// `ports`) whose mark is at a position. -1 for none, and for a memory with one port, which has no
/// mark: the memory is dragged itself.
QRectF portMark(const MeshScene& scene, const Viewport& view, int cell);
int portAt(const MeshScene& scene, const Viewport& view, int memory, QPointF position);

}  // namespace gridloom::widgets
