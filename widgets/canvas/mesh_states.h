// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QRect>
#include <QString>
#include <cstdint>
#include <vector>

class QPainter;
class QRectF;

namespace gridloom::widgets {

struct MeshScene;
struct Tokens;

/// The tint of a core in a state, and the colour of the bar that says it.
QColor stateTint(const Tokens& tokens, std::uint8_t state);
QColor stateBar(const Tokens& tokens, std::uint8_t state);
/// The whole of a core that is too small for a bar.
QColor stateFill(const Tokens& tokens, std::uint8_t state);
/// The edge of a core in a state.
QColor stateEdge(const Tokens& tokens, std::uint8_t state);

/// The state that a core shows: at the selected cycle, or the one that takes most of the run.
/// MeshMoment::kNoProgram for a core without work.
std::uint8_t shownState(const MeshScene& scene, int core);
/// The scene shows states, at a cycle or over the run.
bool showsStates(const MeshScene& scene);

/// The bar at the left edge of a core: its state, or the shares of its states in the run, of which
/// the lowest is computing.
void paintStateBar(QPainter& painter, const MeshScene& scene, int core, const QRectF& bar,
                   const Tokens& tokens);

/// One pixel per cell, or of the cells that share one the state that waits.
QImage stateImage(const MeshScene& scene, const QRect& cells, int stride, const Tokens& tokens);

/// What the colours of the states say: with the cores in each at the selected cycle, or the shares
/// of the run.
struct StateKey {
  std::uint8_t state = 0;
  QString words;
};
std::vector<StateKey> stateKeys(const MeshScene& scene);
void paintStateKeys(QPainter& painter, const QRectF& area, const std::vector<StateKey>& keys,
                    const Tokens& tokens);
/// Pixels that the keys take.
double widthOfKeys(const QPainter& painter, const std::vector<StateKey>& keys);

}  // namespace gridloom::widgets
