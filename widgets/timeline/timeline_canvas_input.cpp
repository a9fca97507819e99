// SPDX-License-Identifier: GPL-3.0-or-later

// What the mouse and the keys do in a timeline.

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "timeline/timeline_canvas.h"
#include "timeline/timeline_parts.h"

namespace gridloom::widgets {

namespace {

constexpr double kWheelStep = 1.5;  // of the wheel
constexpr double kDisclosure = 20;  // pixels at the left that open and close a row

}  // namespace

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
  if (m_scene.empty()) return;
  const QPointF at = event->position();
  m_dragged = at;
  const TimelineLayout layout = layoutNow();
  const bool pans = event->button() == Qt::MiddleButton ||
                    (event->button() == Qt::LeftButton && event->modifiers() & Qt::ShiftModifier);
  if (pans) {
    m_drag = Drag::Pan;
    setCursor(Qt::ClosedHandCursor);
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  if (at.y() < layout.axis.top()) {
    m_drag = Drag::Overview;
    return moveOverview(at.x());
  }
  const int row = layout.rowAt(at.y(), m_view.scroll);
  if (at.x() < layout.tracks.left()) {
    if (row < 0) return;
    const bool toggles = m_scene.rows[static_cast<std::size_t>(row)].expands;
    if (toggles && at.x() < kDisclosure)
      Q_EMIT rowToggled(row);
    else
      Q_EMIT rowPicked(row);
    return;
  }
  m_drag = Drag::Cursor;
  scrub(at.x());
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  const TimelineLayout layout = layoutNow();
  const int row = layout.rowAt(event->position().y(), m_view.scroll);
  const bool inTracks = event->position().x() >= layout.tracks.left();
  if (inTracks && row >= 0 &&
      m_scene.rows[static_cast<std::size_t>(row)].kind == TimelineRow::Kind::Transfer)
    return wantTile(row, event->position());
  if (inTracks || row < 0) return mousePressEvent(event);
  if (m_scene.rows[static_cast<std::size_t>(row)].expands) Q_EMIT rowToggled(row);
}

/// A pixel shows the tile that moves up to its end. The mesh shows B, so tiles of A are not
/// followed.
void TimelineCanvas::wantTile(int row, QPointF at) {
  const TimelineLayout layout = layoutNow();
  const auto index = static_cast<std::size_t>(row);
  const RowBands bands = bandsOf(m_scene.rows[index], layout.rowBox(index, m_view.scroll));
  if (at.y() < bands.ofB.top()) {
    QToolTip::showText(mapToGlobal(at.toPoint()),
                       QStringLiteral("This is A, and the mesh shows B: double-click a tile of B "
                                      "below, or select the mapping of A"),
                       this);
    return;
  }
  Q_EMIT tileWanted(row, layout.cycleAt(std::floor(at.x()) + 1));
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  switch (m_drag) {
  case Drag::Cursor:
    return scrub(at.x());
  case Drag::Overview:
    return moveOverview(at.x());
  case Drag::Pan: {
    const TimelineLayout layout = layoutNow();
    const double shift = layout.cycleAt(m_dragged.x()) - layout.cycleAt(at.x());
    showRange(m_view.begin + shift, m_view.end + shift);
    setScroll(static_cast<int>(m_view.scroll + m_dragged.y() - at.y()));
    Q_EMIT rowsChanged();
    m_dragged = at;
    return;
  }
  case Drag::None:
    break;
  }
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent*) {
  m_drag = Drag::None;
  unsetCursor();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  const TimelineLayout layout = layoutNow();
  const double width = m_view.end - m_view.begin;
  const bool overTitles = event->position().x() < layout.tracks.left();
  event->accept();
  if (event->modifiers() & Qt::ShiftModifier || turned.x() != 0) {
    const double shift = -(turned.x() != 0 ? turned.x() : turned.y()) / 120.0 * 0.1 * width;
    return showRange(m_view.begin + shift, m_view.end + shift);
  }
  if (overTitles) {
    setScroll(static_cast<int>(m_view.scroll - turned.y() / 2.0));
    Q_EMIT rowsChanged();
    return;
  }
  zoomAt(layout.cycleAt(event->position().x()), std::pow(kWheelStep, turned.y() / 120.0));
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
  const double cursor = std::max(m_view.cursor, 0.0);
  const double width = m_view.end - m_view.begin;
  const double step = event->modifiers() & Qt::ControlModifier ? std::ceil(width / 100) : 1;
  const auto go = [&](double cycle) { Q_EMIT cyclePicked(std::clamp(cycle, 0.0, m_scene.cycles)); };
  switch (event->key()) {
  case Qt::Key_Left:
    return go(cursor - step);
  case Qt::Key_Right:
    return go(cursor + step);
  case Qt::Key_PageUp:
    return go(cursor - width / 4);
  case Qt::Key_PageDown:
    return go(cursor + width / 4);
  case Qt::Key_Home:
    return go(0);
  case Qt::Key_End:
    return go(m_scene.cycles);
  case Qt::Key_Up:
    return walkRows(-1);
  case Qt::Key_Down:
    return walkRows(1);
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (m_view.selected >= 0) Q_EMIT rowToggled(m_view.selected);
    return;
  case Qt::Key_Space:
    Q_EMIT playToggled();
    return;
  case Qt::Key_Escape:
    Q_EMIT cyclePicked(-1);
    return;
  default:
    if (!zoomsWith(event->key())) QWidget::keyPressEvent(event);
  }
}

bool TimelineCanvas::zoomsWith(int key) {
  if (key == Qt::Key_Plus || key == Qt::Key_Equal)
    zoomIn();
  else if (key == Qt::Key_Minus)
    zoomOut();
  else if (key == Qt::Key_0)
    fit();
  else
    return false;
  return true;
}

void TimelineCanvas::walkRows(int step) {
  if (m_scene.empty()) return;
  const int most = static_cast<int>(m_scene.rows.size()) - 1;
  const int next = m_view.selected < 0 ? (step > 0 ? 0 : most) : m_view.selected + step;
  Q_EMIT rowPicked(std::clamp(next, 0, most));
}

void TimelineCanvas::scrub(double x) {
  const double cycle = layoutNow().cycleAt(x);
  Q_EMIT cyclePicked(std::clamp(std::floor(cycle), 0.0, m_scene.cycles));
}

void TimelineCanvas::moveOverview(double x) {
  const QRectF box = layoutNow().overview;
  const double middle = (x - box.left()) / box.width() * m_scene.range();
  const double half = (m_view.end - m_view.begin) / 2;
  if (m_fitted)
    Q_EMIT cyclePicked(std::clamp(std::floor(middle), 0.0, m_scene.cycles));
  else
    showRange(middle - half, middle + half);
}

}  // namespace gridloom::widgets
