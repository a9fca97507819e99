// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;

namespace gridloom::widgets {

struct MeshScene;
struct Tokens;
struct Viewport;

/// The channels of the global memory: their names, how busy they are, and with room reads and
/// writes apart. Bars stand beside the words, never behind them.
void paintMemories(QPainter& painter, const MeshScene& scene, const Viewport& view,
                   const Tokens& tokens);

}  // namespace gridloom::widgets
