// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/mesh_lines.h"

#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <map>

#include "canvas/mesh_moment.h"
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

class FlowPainter {
 public:
  FlowPainter(QPainter& painter, const MeshScene& scene, const Viewport& view, const Flow& flow,
              const QColor& colour, const QColor& paper)
      : m_painter(painter),
        m_scene(scene),
        m_view(view),
        m_flow(flow),
        m_colour(colour),
        m_paper(paper),
        m_pen(std::clamp(view.pitch * 0.026, 1.0, 2.6)),
        m_size(std::clamp(view.pitch * 0.12, 4.0, 11.0)) {}

  void paint() {
    for (const Flow::Line& line : m_flow.lines) paintBus(line);
    if (m_view.pitch >= 22) paintTouches();
  }

 private:
  QPointF centre(int cell) const { return m_view.centreOf(QPointF(m_scene.positionOf(cell))); }

  bool outside(QPointF a, QPointF b) const {
    const QRectF page(QPointF(), m_view.size);
    const double reach = m_view.pitch;
    return !page.intersects(QRectF(a, b).normalized().adjusted(-reach, -reach, reach, reach));
  }

  /// A line beside the cells with a tap into each cell that takes part.
  void paintBus(const Flow::Line& line) {
    const QPointF from = centre(line.from);
    const QPointF to = centre(line.to);
    if (outside(from, to)) return;
    const bool horizontal = std::abs(from.x() - to.x()) >= std::abs(from.y() - to.y());
    const double lane = laneOf(m_flow);
    const QPointF shift = m_view.offsetOf(horizontal ? QPointF(0, lane) : QPointF(lane, 0));
    m_painter.setPen(QPen(m_colour, m_pen, Qt::SolidLine, Qt::RoundCap));
    m_painter.drawLine(from + shift, to + shift);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_colour);
    const QPointF source = (m_flow.output ? to : from) + shift;
    m_painter.drawEllipse(source, m_size * 0.42, m_size * 0.42);
    paintTaps(line, shift);
  }

  bool worksAt(QPoint position) const {
    const int core =
        m_scene.coreOfCell[static_cast<std::size_t>(position.y() * m_scene.columns + position.x())];
    return core >= 0 && m_scene.active[static_cast<std::size_t>(core)] != 0;
  }

  void paintTaps(const Flow::Line& line, QPointF shift) {
    const QPoint first = m_scene.positionOf(line.from);
    const QPoint whole = m_scene.positionOf(line.to) - first;
    const int steps = std::max(std::abs(whole.x()), std::abs(whole.y()));
    const QPointF from = centre(line.from);
    const QPointF direction = unit(QPointF(whole));
    if (m_view.pitch < 22 || steps > 1024) return;
    const QPointF inward = unit(-shift);
    const double step = m_view.spanOf(direction), side = m_view.spanOf(inward);
    const double reach = std::hypot(shift.x(), shift.y()) - (kCellHalf - 0.02) * side;
    for (int i = 0; i <= steps; ++i) {
      if (!worksAt(first + whole * i / std::max(steps, 1))) continue;
      const QPointF at = from + direction * step * i + shift;
      if (outside(at, at)) continue;
      if (m_flow.stepped && i > 0)
        m_painter.drawPolygon(triangle(at - direction * step * 0.4, direction, m_size));
      const bool root = i == (m_flow.output ? steps : 0);
      m_painter.setPen(QPen(m_colour, m_pen, Qt::SolidLine, Qt::FlatCap));
      m_painter.drawLine(at, at + inward * reach);
      m_painter.setPen(Qt::NoPen);
      if (root == m_flow.output)
        m_painter.drawPolygon(
            triangle(at + inward * (reach + m_size * 0.35), inward, m_size * 0.8));
    }
  }

  /// Marks where a core reads global memory (a triangle into the cell) or writes it (a square
  /// below).
  void paintTouches() {
    m_painter.setPen(m_view.pitch >= 1.6 * kTextPitch ? QPen(m_paper, 0.8) : QPen(Qt::NoPen));
    m_painter.setBrush(m_colour);
    const double slot = -kCellHalf + 0.12 + 0.15 * (m_flow.colour % 5);
    const double side = m_size * 1.05;
    const QRect cells = visibleCells(m_scene, m_view, 1);
    for (int cell = 0; cell < cells.width() * cells.height(); ++cell) {
      const int row = cells.top() + cell / cells.width();
      const int column = cells.left() + cell % cells.width();
      const int core = m_scene.coreOfCell[static_cast<std::size_t>(row * m_scene.columns + column)];
      if (core < 0 || static_cast<std::size_t>(core) >= m_flow.touches.size()) continue;
      if (!m_flow.touches[static_cast<std::size_t>(core)]) continue;
      const QPointF middle = m_view.centreOf(QPointF(column, row));
      if (m_flow.output) {
        const QPointF at = middle + m_view.offsetOf({slot, kCellHalf - 0.09});
        m_painter.drawRect(QRectF(at - QPointF(side, side) / 2, QSizeF(side, side)));
      } else {
        const QPointF at = middle + m_view.offsetOf({slot, -kCellHalf + 0.035});
        m_painter.drawPolygon(triangle(at + QPointF(0, side * 1.1), {0, 1}, side * 1.1));
      }
    }
  }

  QPainter& m_painter;
  const MeshScene& m_scene;
  const Viewport& m_view;
  const Flow& m_flow;
  QColor m_colour;
  QColor m_paper;
  double m_pen;
  double m_size;
};

/// A router that only connects memory: the channels behind it.
void paintMemoryRouter(QPainter& painter, QPointF middle, const QString& channels, double pitch,
                       const Tokens& tokens) {
  const double half = kCellHalf * pitch;
  const QRectF box(middle - QPointF(half, half), QSizeF(2 * half, 2 * half));
  painter.setPen(Qt::NoPen);
  painter.setBrush(tokens.raised);
  painter.drawRoundedRect(box, half / 4, half / 4);
  QFont font = painter.font();
  font.setPixelSize(std::clamp(static_cast<int>(pitch * 0.16), 8, 13));
  painter.setFont(font);
  painter.setPen(tokens.muted);
  painter.drawText(box, Qt::AlignCenter, QStringLiteral("D") + channels);
}

}  // namespace

QColor changeColour(const MeshScene& scene, double change, const Tokens& tokens) {
  constexpr double kLeast = 0.0005;  // half of what is printed
  if (std::abs(change) < kLeast || scene.mostChange <= 0) return tokens.link;
  const QColor& end = change > 0 ? tokens.more : tokens.less;
  return mixed(tokens.link, end, 0.25 + 0.75 * std::abs(change) / scene.mostChange);
}

LinkRange linkRange(const MeshScene& scene) {
  if (scene.moment) return {0, 1};
  return {static_cast<double>(scene.leastLink), static_cast<double>(scene.mostLink)};
}

double laneOf(const Flow& flow) {
  const double lane = kCellHalf + 0.045 + 0.05 * (flow.colour % 4);
  return flow.output ? lane : -lane;
}

namespace {

struct LinkInk {
  QColor colour;
  double width = 1;
};

/// What is hot is also wide.
LinkInk inkOf(const MeshScene& scene, const LinkUse& link, double pitch, const Tokens& tokens) {
  const double thin = std::clamp(pitch * 0.03, 1.0, 1.5);
  const double wide = std::clamp(pitch * 0.09, 1.0, 6.5);
  const auto index = static_cast<std::size_t>(&link - scene.links.data());
  const bool now = scene.moment && index < scene.moment->links.size();
  const auto use = static_cast<double>(now ? scene.moment->links[index] : link.use);
  QColor colour = tokens.link;
  double part = 0;
  if (scene.compares) {
    const double change = static_cast<double>(link.change);
    colour = changeColour(scene, change, tokens);
    if (colour != tokens.link) part = std::abs(change) / scene.mostChange;
  } else if (use >= 0) {
    const LinkRange range = linkRange(scene);
    part = range.most > range.least ? (use - range.least) / (range.most - range.least) : 0;
    part = std::clamp(part, 0.0, 1.0);
    colour = linkColour(tokens, part);
  }
  return {colour, thin + (wide - thin) * part};
}

/// Of whole pixels: between small cells there are ten thousand links.
void paintSmallLink(QPainter& painter, QPointF from, QPointF to, const LinkInk& ink) {
  const int width = std::max(1, qRound(ink.width));
  QRect box = QRectF(from, to).normalized().toRect();
  const bool horizontal = std::abs(to.x() - from.x()) >= std::abs(to.y() - from.y());
  if (horizontal) {
    box = {box.left(), qRound(from.y() - ink.width / 2), box.width(), width};
  } else {
    box = {qRound(from.x() - ink.width / 2), box.top(), width, box.height()};
  }
  painter.fillRect(box, ink.colour);
}

}  // namespace

void paintLinks(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens) {
  const bool small = view.pitch < kRoundPitch;
  painter.setRenderHint(QPainter::Antialiasing, !small);
  const auto paintLink = [&](const LinkUse& link) {
    const QPoint source = scene.positionOf(link.from), target = scene.positionOf(link.to);
    const QPointF from = view.centreOf(QPointF(source));
    const QPointF to = view.centreOf(QPointF(target));
    const bool wraps = isStub(target - source);
    const QPointF direction = wraps ? -unit(to - from) : unit(to - from);
    const double step = view.spanOf(direction);
    // The two directions of a link are side by side.
    const QPointF start = from + QPointF(-direction.y(), direction.x()) * view.pitch * 0.05;
    const LinkInk ink = inkOf(scene, link, view.pitch, tokens);
    const QPointF first = start + direction * step * kLinkGap;
    const QPointF end =
        wraps ? start + direction * step * 0.62 : start + to - from - direction * step * kLinkGap;
    const bool straight = source.x() == target.x() || source.y() == target.y();
    if (small && straight && !wraps) return paintSmallLink(painter, first, end, ink);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ink.colour, ink.width, wraps ? Qt::DotLine : Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(first, end);
    painter.setRenderHint(QPainter::Antialiasing, !small);
  };
  const QRect cells = visibleCells(scene, view, 1);
  for (int row = cells.top(); row < cells.top() + cells.height(); ++row) {
    const auto first = static_cast<std::size_t>(row * scene.columns + cells.left());
    const auto last = first + static_cast<std::size_t>(cells.width());
    for (int l = scene.linkBegin[first]; l < scene.linkBegin[last]; ++l)
      paintLink(
          scene.links[static_cast<std::size_t>(scene.linkOrder[static_cast<std::size_t>(l)])]);
  }
}

void paintPorts(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens) {
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF mesh = view.rectOf(QRectF(0, 0, scene.columns, scene.rows));
  const QRectF page =
      QRectF(QPointF(), view.size).adjusted(-view.pitch, -view.pitch, view.pitch, view.pitch);
  std::map<int, QStringList> channelsOfRouter;
  for (const MemoryBlock& memory : scene.memories) {
    const QRectF box = view.rectOf(memory.box);
    const bool beside = box.right() < mesh.left() || box.left() > mesh.right();
    for (const int cell : memory.ports) {
      const QPointF middle = view.centreOf(QPointF(scene.positionOf(cell)));
      if (!page.contains(middle)) continue;
      const bool isCore =
          scene.coreOfCell[static_cast<std::size_t>(cell)] >= 0 || scene.asideAt(cell) != nullptr;
      if (!isCore) {
        channelsOfRouter[cell] << memory.label;
        continue;
      }
      // Only ports on the side of the memory: lines to the others would cross the mesh.
      const double gap = beside ? std::abs(middle.x() - box.center().x())
                                : std::abs(middle.y() - box.center().y());
      if (gap > 1.6 * (beside ? view.across() : view.pitch)) continue;
      painter.setPen(QPen(tokens.link, 1.2));
      const QPointF end = beside
                              ? QPointF(box.center().x() < middle.x() ? box.right() : box.left(),
                                        std::clamp(middle.y(), box.top() + 6, box.bottom() - 6))
                              : QPointF(std::clamp(middle.x(), box.left() + 6, box.right() - 6),
                                        box.center().y() < middle.y() ? box.bottom() : box.top());
      painter.drawLine(end, middle);
    }
  }
  for (const auto& [cell, channels] : channelsOfRouter) {
    paintMemoryRouter(painter, view.centreOf(QPointF(scene.positionOf(cell))),
                      channels.join(QStringLiteral(", ")), view.pitch, tokens);
  }
}

void paintFlows(QPainter& painter, const MeshScene& scene, const Viewport& view,
                const Tokens& tokens, const QString& chosen) {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Flow& flow : scene.flows) {
    QColor colour = tokens.operand(flow.colour);
    if (!chosen.isEmpty() && chosen != flow.operand) colour.setAlphaF(0.14F);
    FlowPainter(painter, scene, view, flow, colour, tokens.panel).paint();
  }
}

}  // namespace gridloom::widgets
