// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_lines.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "canvas/mesh_painter.h"
#include "canvas/mesh_scene.h"
#include "theme/colour_ramp.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

QPolygonF triangle(QPointF tip, QPointF direction, double size) {
  const QPointF back = tip - direction * size;
  const QPointF side(-direction.y() * size * 0.55, direction.x() * size * 0.55);
  return QPolygonF{tip, back + side, back - side};
}

QPointF unit(QPointF vector) {
  const double length = std::hypot(vector.x(), vector.y());
  return length > 0 ? vector / length : QPointF(1, 0);
}

/// Lanes keep the lines of different operands apart: each has its own offset from the centre of a cell,
/// upward for lines along a row, to the left for lines along a column.
struct Lane {
  double inset;  ///< from the cell's centre, in cells
  QPointF shifted(QPointF centre, bool horizontal, double pitch) const {
    return centre + (horizontal ? QPointF(0, -inset * pitch) : QPointF(-inset * pitch, 0));
  }
};

Lane laneOf(const Flow& flow, std::size_t flows) {
  // The outermost lane is just inside the cell's border, the next ones further in; outputs mirror them.
  const double step = flows > 3 ? 0.055 : 0.075;
  const double inset = 0.315 - step * (flow.colour % 5);
  return {flow.output ? -inset : inset};
}

class FlowPainter {
 public:
  FlowPainter(QPainter& painter, const MeshScene& scene, const Viewport& view, const Flow& flow,
              QColor colour)
      : m_painter(painter),
        m_scene(scene),
        m_view(view),
        m_flow(flow),
        m_colour(std::move(colour)),
        m_lane(laneOf(flow, scene.flows.size())),
        m_size(std::clamp(view.pitch * 0.11, 3.5, 9.0)) {}

  void paint() {
    for (const Flow::Line& line : m_flow.lines) paintLine(line);
    if (m_view.pitch >= kTextPitch || !m_flow.lines.empty()) paintTouches();
  }

 private:
  QPointF centre(int cell) const { return m_view.centreOf(QPointF(m_scene.positionOf(cell))); }

  bool outside(QPointF a, QPointF b) const {
    const QRectF page(QPointF(-m_view.pitch, -m_view.pitch),
                      m_view.size + QSizeF(2 * m_view.pitch, 2 * m_view.pitch));
    return !page.intersects(QRectF(a, b).normalized().adjusted(-1, -1, 1, 1));
  }

  void paintLine(const Flow::Line& line) {
    QPointF from = centre(line.from);
    QPointF to = centre(line.to);
    const bool horizontal = std::abs(from.x() - to.x()) >= std::abs(from.y() - to.y());
    from = m_lane.shifted(from, horizontal, m_view.pitch);
    to = m_lane.shifted(to, horizontal, m_view.pitch);
    if (outside(from, to)) return;
    const QPointF direction = unit(to - from);
    const QPointF end = to + direction * m_view.pitch * 0.16;
    m_painter.setPen(
        QPen(m_colour, std::clamp(m_view.pitch * 0.028, 1.0, 2.4), Qt::SolidLine, Qt::FlatCap));
    m_painter.drawLine(from, end - direction * m_size * 0.6);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_colour);
    m_painter.drawPolygon(triangle(end, direction, m_size));
    paintStops(from, to, direction);
  }

  /// A dot at every core that receives; an arrow between neighbours where tiles go hop by hop.
  void paintStops(QPointF from, QPointF to, QPointF direction) {
    if (m_view.pitch < 22) return;
    const int steps = static_cast<int>(
        std::lround(std::hypot(to.x() - from.x(), to.y() - from.y()) / m_view.pitch));
    if (steps > 512) return;
    for (int i = 1; i <= steps; ++i) {
      const QPointF at = from + direction * m_view.pitch * i;
      if (m_flow.stepped)
        m_painter.drawPolygon(
            triangle(at - direction * m_view.pitch * 0.38, direction, m_size * 0.85));
      else
        m_painter.drawEllipse(at, m_size * 0.27, m_size * 0.27);
    }
  }

  /// Where global memory is read (a triangle that points in) or written (a square).
  void paintTouches() {
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_colour);
    const bool horizontal = runsAlongRows();
    for (std::size_t core = 0; core < m_flow.touches.size(); ++core) {
      if (!m_flow.touches[core]) continue;
      const QPointF middle = centre(m_scene.cellOfCore[core]);
      if (outside(middle, middle)) continue;
      const double along = m_view.pitch * 0.33;
      QPointF at = m_lane.shifted(middle, horizontal, m_view.pitch);
      at += horizontal ? QPointF(-along, 0) : QPointF(0, -along);
      if (m_flow.output) {
        at = middle + QPointF(0.29 - 0.11 * (m_flow.colour % 2), 0.29) * m_view.pitch;
        m_painter.drawRect(
            QRectF(at - QPointF(m_size, m_size) * 0.42, QSizeF(m_size, m_size) * 0.84));
      } else {
        const QPointF inward = horizontal ? QPointF(1, 0) : QPointF(0, 1);
        m_painter.drawPolygon(triangle(at + inward * m_size, inward, m_size * 1.25));
      }
    }
  }

  bool runsAlongRows() const {
    if (m_flow.lines.empty()) return m_flow.colour % 2 == 0;
    const QPoint from = m_scene.positionOf(m_flow.lines.front().from);
    const QPoint to = m_scene.positionOf(m_flow.lines.front().to);
    return std::abs(from.x() - to.x()) >= std::abs(from.y() - to.y());
  }

  QPainter& m_painter;
  const MeshScene& m_scene;
  const Viewport& m_view;
  const Flow& m_flow;
  QColor m_colour;
  Lane m_lane;
  double m_size;
};

}  // namespace

void paintLinks(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens) {
  painter.setRenderHint(QPainter::Antialiasing);
  const ColourRamp& ramp = ColourRamp::of(tokens.dark);
  const QRectF page(QPointF(), view.size);
  const double width = std::clamp(view.pitch * 0.04, 1.0, 3.5);
  for (const LinkUse& link : scene.links) {
    if (link.from < 0) continue;
    const QPointF from = view.centreOf(QPointF(scene.positionOf(link.from)));
    const QPointF to = view.centreOf(QPointF(scene.positionOf(link.to)));
    if (!page.intersects(QRectF(from, to).normalized().adjusted(-2, -2, 2, 2))) continue;
    const bool wraps = std::hypot(to.x() - from.x(), to.y() - from.y()) > 1.5 * view.pitch;
    QPointF direction = unit(to - from);
    if (wraps) direction = -direction;
    // The two directions of a link run beside each other.
    const QPointF side = QPointF(-direction.y(), direction.x()) * view.pitch * 0.05;
    const QColor colour = link.use < 0 ? tokens.link : QColor::fromRgb(ramp.at(link.use));
    painter.setPen(QPen(colour, width, wraps ? Qt::DotLine : Qt::SolidLine, Qt::FlatCap));
    if (wraps) {
      painter.drawLine(from + side + direction * view.pitch * 0.37,
                       from + side + direction * view.pitch * 0.62);
    } else {
      painter.drawLine(from + side + direction * view.pitch * 0.37,
                       to + side - direction * view.pitch * 0.37);
    }
  }
}

void paintPorts(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(tokens.link, 1));
  for (const MemoryBlock& memory : scene.memories) {
    const QPointF centre = view.rectOf(memory.box).center();
    for (const int cell : memory.ports) {
      const QPoint at = scene.positionOf(cell);
      const bool border =
          at.x() == 0 || at.y() == 0 || at.x() == scene.columns - 1 || at.y() == scene.rows - 1;
      if (border) painter.drawLine(centre, view.centreOf(QPointF(at)));
    }
  }
}

void paintFlows(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens, const QString& chosen) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Flow& flow : scene.flows) {
    QColor colour = tokens.operand(flow.colour);
    if (!chosen.isEmpty() && chosen != flow.operand) colour.setAlphaF(0.14F);
    FlowPainter(painter, scene, view, flow, colour).paint();
  }
}

}  // namespace gridloom::widgets
