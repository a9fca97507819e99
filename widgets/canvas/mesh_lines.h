// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// Parts of `paintMesh`: lines between cells.
void paintLinks(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens);
void paintPorts(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens);
/// Operand movement; operands other than `chosen` fade unless it is empty.
void paintFlows(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens, const QString& chosen);

}  // namespace gridloom::widgets
