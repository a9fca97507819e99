// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/waterfall_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kRow = 36, kCompactRow = 28;
constexpr int kWideEnough = 300;  // narrower: one line per step

}  // namespace

WaterfallView::WaterfallView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(QStringLiteral("Where the peak went"));
  setAccessibleDescription(QStringLiteral("Steps from peak to achieved; arrow keys walk"));
  setMinimumWidth(240);
}

void WaterfallView::setRows(std::vector<WaterfallRow> rows) {
  m_rows = std::move(rows);
  m_style.hovered.clear();
  setMinimumHeight(sizeHint().height());
  updateGeometry();
  update();
}

void WaterfallView::setSelected(const QString& key) {
  m_style.selected = key;
  update();
}

void WaterfallView::setStale(bool stale) {
  m_stale = stale;
  update();
}

QSize WaterfallView::sizeHint() const {
  return {320, static_cast<int>(kCompactRow * static_cast<double>(m_rows.size()))};
}

QRectF WaterfallView::rowBox(std::size_t row) const {
  return {0, m_style.rowHeight * static_cast<double>(row), double(width()), m_style.rowHeight};
}

int WaterfallView::rowAt(QPointF position) const {
  const int row = static_cast<int>(position.y() / m_style.rowHeight);
  return row >= 0 && row < static_cast<int>(m_rows.size()) ? row : -1;
}

void WaterfallView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Tokens& tokens = tokensFor(palette());
  painter.fillRect(rect(), tokens.panel);
  if (m_stale) painter.setOpacity(kStaleInk);
  painter.setRenderHint(QPainter::Antialiasing);
  const double room = m_rows.empty() ? 0 : height() / static_cast<double>(m_rows.size());
  m_style.reasons = room >= kRow && width() >= kWideEnough;
  m_style.rowHeight = m_style.reasons ? kRow : std::clamp(room, kCompactRow - 1, kCompactRow);
  paintWaterfall(painter, QRectF(rect()), m_rows, tokens, m_style);
  if (!hasFocus()) return;
  painter.setPen(QPen(tokens.accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void WaterfallView::mousePressEvent(QMouseEvent* event) {
  const int row = rowAt(event->position());
  if (row < 0 || event->button() != Qt::LeftButton) return;
  const WaterfallRow& at = m_rows[static_cast<std::size_t>(row)];
  Q_EMIT picked(at.isEnd || at.key == m_style.selected ? QString() : at.key);
}

void WaterfallView::mouseMoveEvent(QMouseEvent* event) {
  const int row = rowAt(event->position());
  const QString key = row < 0 ? QString() : m_rows[static_cast<std::size_t>(row)].key;
  if (key == m_style.hovered) return;
  m_style.hovered = key;
  update();
}

void WaterfallView::leaveEvent(QEvent*) {
  m_style.hovered.clear();
  update();
}

void WaterfallView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_Up:
    return walk(-1);
  case Qt::Key_Down:
    return walk(1);
  case Qt::Key_Escape:
    Q_EMIT picked({});
    return;
  default:
    QWidget::keyPressEvent(event);
  }
}

void WaterfallView::walk(int step) {
  const int count = static_cast<int>(m_rows.size());
  if (count < 3) return;
  const auto found = std::ranges::find(m_rows, m_style.selected, &WaterfallRow::key);
  const int now = m_style.selected.isEmpty() || found == m_rows.end()
                      ? (step > 0 ? 0 : count - 1)
                      : static_cast<int>(found - m_rows.begin());
  const int next = std::clamp(now + step, 1, count - 2);
  Q_EMIT picked(m_rows[static_cast<std::size_t>(next)].key);
}

bool WaterfallView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = rowAt(QPointF(help->pos()));
  if (row >= 0)
    QToolTip::showText(help->globalPos(), m_rows[static_cast<std::size_t>(row)].explained(), this);
  else
    QToolTip::hideText();
  return true;
}

}  // namespace gridloom::widgets
