// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;

namespace gridloom::widgets {

struct MeshHighlight;
struct MeshScene;
struct Tokens;
struct Viewport;

/// The ring around the selected core; none for -1.
void paintSelection(QPainter& painter, const MeshScene& scene, const Viewport& view,
                    const Tokens& tokens, int core);
/// A mark at each of several ports of a memory, by which it is dragged; none for -1.
void paintPortMarks(QPainter& painter, const MeshScene& scene, const Viewport& view,
                    const Tokens& tokens, int memory);
/// The selected link or memory channel.
void paintResource(QPainter& painter, const MeshScene& scene, const Viewport& view,
                   const Tokens& tokens, const MeshHighlight& highlight);

}  // namespace gridloom::widgets
