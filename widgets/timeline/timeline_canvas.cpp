// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_canvas.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/quantity_text.h"
#include "theme/tokens.h"
#include "timeline/timeline_parts.h"

namespace gridloom::widgets {

namespace {

constexpr double kKeyStep = 1.5;
constexpr double kLeastCycles = 1;  // in view

}  // namespace

TimelineCanvas::TimelineCanvas(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(240, 70);
  setAccessibleName(QStringLiteral("Timeline"));
  setAccessibleDescription(QStringLiteral(
      "What cores, links and memory channels do over the run; Left and Right step by one cycle, "
      "Up and Down choose a row, Return opens it, Space plays"));
}

void TimelineCanvas::setScene(TimelineScene scene) {
  const bool same = scene.range() == m_scene.range();
  const TimelineScene before = std::exchange(m_scene, std::move(scene));
  // Rows may have come in above the one that is marked.
  if (m_view.selected >= 0) {
    m_view.selected = same ? rowLike(before.rows[static_cast<std::size_t>(m_view.selected)]) : -1;
  }
  if (!same || m_fitted) fit();
  fitRows();
  setScroll(static_cast<int>(m_view.scroll));
  Q_EMIT rowsChanged();
  update();
}

void TimelineCanvas::fitRows() {
  m_view.rowScale = 1;
  if (m_compact && overflow() > 0) {
    const TimelineLayout layout = layoutNow();
    m_view.rowScale = std::max(0.02, layout.tracks.height() / std::max(1.0, layout.rowsHeight()));
  }
}

void TimelineCanvas::setCompact(bool compact) {
  m_compact = compact;
  fitRows();
  setScroll(static_cast<int>(m_view.scroll));
  Q_EMIT rowsChanged();
  update();
}

int TimelineCanvas::overflow() const {
  const TimelineLayout layout = layoutNow();
  return std::max(0, static_cast<int>(std::ceil(layout.rowsHeight() - layout.tracks.height())));
}

void TimelineCanvas::setScroll(int pixels) {
  m_view.scroll = std::clamp(pixels, 0, overflow());
  update();
}

void TimelineCanvas::setStale(bool stale) {
  m_view.stale = stale;
  update();
}

void TimelineCanvas::setEmptyText(const QString& words) {
  m_emptyText = words;
  update();
}

void TimelineCanvas::showCycle(double cycle) {
  m_view.cursor = cycle;
  if (cycle >= 0 && m_drag == Drag::None && (cycle < m_view.begin || cycle > m_view.end)) {
    // The cursor comes in at the side from which it moves on.
    const double width = m_view.end - m_view.begin;
    const double ahead = cycle > m_view.end ? 0.1 : 0.9;
    showRange(cycle - width * ahead, cycle + width * (1 - ahead));
  }
  update();
}

int TimelineCanvas::rowLike(const TimelineRow& like) const {
  const auto found =
      std::ranges::find_if(m_scene.rows, [&](const TimelineRow& row) { return row.isLike(like); });
  return found == m_scene.rows.end() ? -1 : static_cast<int>(found - m_scene.rows.begin());
}

void TimelineCanvas::markRow(TimelineRow::Kind kind, int index) {
  const auto found = std::ranges::find_if(
      m_scene.rows, [&](const TimelineRow& row) { return row.kind == kind && row.index == index; });
  mark(found == m_scene.rows.end() || index < 0 ? -1
                                                : static_cast<int>(found - m_scene.rows.begin()));
}

void TimelineCanvas::markRow(const TimelineRow& like) { mark(rowLike(like)); }

void TimelineCanvas::mark(int row) {
  m_view.selected = row;
  if (m_view.selected >= 0) {
    const TimelineLayout layout = layoutNow();
    const QRectF box = layout.rowBox(static_cast<std::size_t>(m_view.selected), m_view.scroll);
    if (box.top() < layout.tracks.top())
      setScroll(static_cast<int>(m_view.scroll - (layout.tracks.top() - box.top())));
    else if (box.bottom() > layout.tracks.bottom())
      setScroll(static_cast<int>(std::ceil(m_view.scroll + box.bottom() - layout.tracks.bottom())));
    Q_EMIT rowsChanged();
  }
  update();
}

void TimelineCanvas::showRange(double begin, double end) {
  const double most = std::max(m_scene.range(), kLeastCycles);
  const double width = std::clamp(end - begin, kLeastCycles, most);
  m_view.begin = std::clamp(begin, 0.0, most - width);
  m_view.end = m_view.begin + width;
  m_fitted = width >= most;
  update();
}

void TimelineCanvas::fit() { showRange(0, m_scene.range()); }

void TimelineCanvas::zoomAt(double cycle, double factor) {
  const double width = std::clamp((m_view.end - m_view.begin) / factor, kLeastCycles,
                                  std::max(m_scene.range(), 1.0));
  const double part = (cycle - m_view.begin) / (m_view.end - m_view.begin);
  showRange(cycle - part * width, cycle + (1 - part) * width);
}

void TimelineCanvas::zoomIn() {
  const bool inView = m_view.cursor >= m_view.begin && m_view.cursor <= m_view.end;
  zoomAt(inView ? m_view.cursor : (m_view.begin + m_view.end) / 2, kKeyStep);
}

void TimelineCanvas::zoomOut() {
  const bool inView = m_view.cursor >= m_view.begin && m_view.cursor <= m_view.end;
  zoomAt(inView ? m_view.cursor : (m_view.begin + m_view.end) / 2, 1 / kKeyStep);
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Tokens& tokens = tokensFor(palette());
  painter.fillRect(rect(), tokens.panel);
  if (m_scene.empty()) {
    painter.setPen(tokens.faint);
    painter.drawText(rect().adjusted(24, 4, -24, -4), Qt::AlignCenter | Qt::TextWordWrap,
                     m_emptyText);
    return;
  }
  paintTimeline(painter, QRectF(rect()), m_scene, m_view, tokens);
  if (!hasFocus()) return;
  painter.setPen(QPen(tokens.accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void TimelineCanvas::resizeEvent(QResizeEvent*) {
  fitRows();
  setScroll(static_cast<int>(m_view.scroll));
  Q_EMIT rowsChanged();
}

/// What a row does at a cycle, for its tooltip; in A, too, where it differs.
QString TimelineCanvas::saidAt(const TimelineRow& row, double cycle) const {
  const auto said = [&](const TimelineExtent& run, const TimelineRow& of, const char* name) {
    const QString value = valueAt(run, of, cycle);
    if (value.isEmpty()) return QString();
    const bool computes = of.steps && of.steps->cores() > 1;
    return QStringLiteral("%1: %2%3")
        .arg(QLatin1String(name), value, computes ? QStringLiteral(" compute") : QString());
  };
  if (!row.a) return said(m_scene, row, "");
  return said(*m_scene.a, *row.a, "\nA") + said(m_scene, row, "\nB");
}

bool TimelineCanvas::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || m_scene.empty()) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const TimelineLayout layout = layoutNow();
  const int row = layout.rowAt(help->pos().y(), m_view.scroll);
  if (row < 0) {
    QToolTip::hideText();
    return true;
  }
  const TimelineRow& at = m_scene.rows[static_cast<std::size_t>(row)];
  QString words = shownText(at.detail.toStdString());
  const double cycle = layout.cycleAt(help->pos().x());
  if (help->pos().x() >= layout.tracks.left() && cycle >= 0 && cycle <= m_scene.range())
    words += QStringLiteral("\ncycle %1").arg(countText(std::floor(cycle))) + saidAt(at, cycle);
  QToolTip::showText(help->globalPos(), words, this);
  return true;
}

}  // namespace gridloom::widgets
