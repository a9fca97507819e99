// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPoint>

class QPainter;
class QString;

namespace gridloom::widgets {

struct Flow;
struct MeshScene;
struct Tokens;
struct Viewport;

/// Offset of a flow's lines from the centre, in cells. Lines run beside the cells, with one lane
/// per operand: above a row or left of a column for inputs, below or right for outputs.
double laneOf(const Flow& flow);

/// Of a link, from the centre of a cell to where it begins, in cells.
constexpr double kLinkGap = 0.37;
/// A link around the edge of the mesh, of which a stub is drawn.
inline bool isStub(QPoint cells) { return cells.x() * cells.x() + cells.y() * cells.y() > 2; }

/// The uses at both ends of the scale of links: of the data, or at a cycle the whole scale.
struct LinkRange {
  double least = 0, most = 1;
};
LinkRange linkRange(const MeshScene& scene);
/// From less over the colour of an idle link to more.
QColor changeColour(const MeshScene& scene, double change, const Tokens& tokens);

/// Parts of `paintMesh`: lines between cells.
void paintLinks(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens);
void paintPorts(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens);
/// Operand movement; operands other than `chosen` fade unless it is empty.
void paintFlows(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens, const QString& chosen);

}  // namespace gridloom::widgets
