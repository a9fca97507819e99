// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/scatter_plot.h"

#include <QAction>
#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kPointReach = 10;  // pixels from the pointer to a point

QString mappingText(const ScatterData::Point& point) {
  return QStringLiteral("Mapping %1\npredicted %2 cycles\nsimulated %3 cycles\nerror %4")
      .arg(point.id + 1)
      .arg(cyclesText(point.x), cyclesText(point.y), signedPercentText(point.x / point.y - 1));
}

}  // namespace

ScatterPlot::ScatterPlot(const QString& name, QWidget* parent)
    : QWidget(parent), m_describe(mappingText) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(220, 90);
  setAccessibleName(name);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  m_lock = new QAction(QStringLiteral("Loc&k the axes of the scatter"), this);
  m_lock->setCheckable(true);
  connect(m_lock, &QAction::toggled, this, &ScatterPlot::setLocked);
  auto* clear = new QAction(QStringLiteral("&Clear the brush"), this);
  connect(clear, &QAction::triggered, this, [this] { Q_EMIT brushed({}); });
  addActions({m_lock, clear});
}

void ScatterPlot::setData(ScatterData data) {
  m_data = std::move(data);
  if (m_data.caption.isEmpty() && !m_data.points.empty()) m_data.caption = agreementCaption(m_data);
  m_look.hovered = -1;
  redraw();
}

void ScatterPlot::setDescription(std::function<QString(const ScatterData::Point&)> describe) {
  m_describe = std::move(describe);
}

void ScatterPlot::setSelected(int id) {
  m_look.selected = id;
  update();
}

void ScatterPlot::setBrushed(const std::vector<int>& ids) {
  if (m_look.brushed == ids) return;
  m_look.brushed = ids;
  redraw();
}

void ScatterPlot::setLocked(bool locked) {
  m_look.axes.reset();
  if (locked && !m_data.points.empty()) m_look.axes = rangeOf(m_data);
  redraw();
}

void ScatterPlot::setStale(bool stale) {
  m_stale = stale;
  update();
}

void ScatterPlot::redraw() {
  // Axes locked before there was a point take the range of the first ones.
  if (m_lock->isChecked() && !m_look.axes && !m_data.points.empty()) m_look.axes = rangeOf(m_data);
  m_ground = {};
  update();
}

std::vector<int> ScatterPlot::ids() const {
  std::vector<int> all;
  for (const auto& point : m_data.points) all.push_back(point.id);
  return all;
}

const ScatterData::Point* ScatterPlot::nearest(QPointF position) const {
  const ScatterFrame frame = frameOf(m_data, QRectF(rect()), m_look);
  double least = kPointReach * kPointReach;
  const ScatterData::Point* found = nullptr;
  for (const auto& point : m_data.points) {
    const QPointF gap = frame.held(point) - position;
    const double distance = QPointF::dotProduct(gap, gap);
    if (distance >= least) continue;
    least = distance;
    found = &point;
  }
  return found;
}

int ScatterPlot::idAt(QPointF position) const {
  const auto* point = nearest(position);
  return point ? point->id : -1;
}

std::vector<int> ScatterPlot::idsIn(const QRectF& area) const {
  const ScatterFrame frame = frameOf(m_data, QRectF(rect()), m_look);
  std::vector<int> found;
  for (const auto& point : m_data.points) {
    if (area.contains(frame.held(point))) found.push_back(point.id);
  }
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

QPointF ScatterPlot::positionOf(int id) const {
  const ScatterFrame frame = frameOf(m_data, QRectF(rect()), m_look);
  const auto found = std::ranges::find(m_data.points, id, &ScatterData::Point::id);
  return found == m_data.points.end() ? QPointF() : frame.held(*found);
}

void ScatterPlot::paintEvent(QPaintEvent*) {
  const Tokens& tokens = tokensFor(palette());
  const double ratio = devicePixelRatioF();
  const QSize pixels = (QSizeF(size()) * ratio).toSize();
  if (m_ground.size() != pixels) {
    m_ground = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
    m_ground.setDevicePixelRatio(ratio);
    QPainter ground(&m_ground);
    ground.setFont(font());
    paintScatterGround(ground, QRectF(rect()), m_data, tokens, m_look);
  }
  QPainter painter(this);
  if (m_stale) painter.setOpacity(kStaleInk);
  painter.drawImage(QPointF(0, 0), m_ground);
  paintScatterMarks(painter, QRectF(rect()), m_data, tokens, m_look);
  if (m_dragging) {
    QColor fill = tokens.accent;
    fill.setAlphaF(0.12F);
    painter.setPen(QPen(tokens.accent, 1));
    painter.setBrush(fill);
    painter.drawRect(m_brush);
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(tokens.accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

void ScatterPlot::hover(const QMouseEvent& event) {
  const auto* point = nearest(event.position());
  const int hovered = point ? point->id : -1;
  if (hovered == m_look.hovered) return;
  m_look.hovered = hovered;
  update();
  if (point)
    QToolTip::showText(event.globalPosition().toPoint(), m_describe(*point), this);
  else
    QToolTip::hideText();
}

void ScatterPlot::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return hover(*event);
  const QPointF moved = event->position() - m_press;
  if (!m_dragging && moved.manhattanLength() < QApplication::startDragDistance()) return;
  m_dragging = true;
  m_look.hovered = -1;
  m_brush = QRectF(m_press, event->position()).normalized();
  update();
}

void ScatterPlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) m_press = event->position();
}

void ScatterPlot::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (m_dragging) {
    m_dragging = false;
    update();
    Q_EMIT brushed(idsIn(m_brush));
    return;
  }
  const int id = idAt(event->position());
  if (id >= 0)
    Q_EMIT picked(id);
  else
    Q_EMIT brushed({});
}

void ScatterPlot::mouseDoubleClickEvent(QMouseEvent* event) {
  const int id = idAt(event->position());
  if (id >= 0) Q_EMIT activated(id);
}

/// Picks the point of the next or previous id.
void ScatterPlot::step(bool forward) {
  int found = -1;
  for (const auto& point : m_data.points) {
    const bool beyond = forward ? point.id > m_look.selected : point.id < m_look.selected;
    const bool nearer = found < 0 || (forward ? point.id < found : point.id > found);
    if (beyond && nearer) found = point.id;
  }
  if (found >= 0) Q_EMIT picked(found);
}

void ScatterPlot::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (key == Qt::Key_Right || key == Qt::Key_Down) {
    step(true);
  } else if (key == Qt::Key_Left || key == Qt::Key_Up) {
    step(false);
  } else if (key == Qt::Key_Escape) {
    m_dragging = false;
    update();
    Q_EMIT brushed({});
  } else if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_look.selected >= 0) {
    Q_EMIT activated(m_look.selected);
  } else {
    QWidget::keyPressEvent(event);
  }
}

void ScatterPlot::leaveEvent(QEvent*) {
  m_look.hovered = -1;
  update();
}

void ScatterPlot::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) redraw();
}

}  // namespace gridloom::widgets
