// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/state_legend.h"

#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <cmath>

#include "canvas/mesh_canvas.h"
#include "canvas/mesh_moment.h"
#include "canvas/mesh_scene.h"
#include "canvas/mesh_states.h"
#include "theme/tokens.h"
#include "window/heat_scale.h"

namespace gridloom::widgets {

namespace {

constexpr int kKeyRow = 20;
constexpr int kSpare = 10;  // behind the last key of a row
constexpr int kLeastColumns = 3;  // where not all stand in one row, nor in one column
/// The legend keeps its width while cores change their states.
constexpr int kLeastDigits = 3;

QString unknownText() { return QStringLiteral("The recording ends before this cycle"); }

/// Pixels of the widest key, with as many digits as cores may have while a run is played.
double widestKey(const std::vector<StateKey>& keys, const QPainter& painter) {
  double widest = 0;
  for (const StateKey& key : keys) {
    const auto digits = key.words.size() - key.words.lastIndexOf(QLatin1Char(' ')) - 1;
    const QString more(std::max<qsizetype>(0, kLeastDigits - digits), QLatin1Char('0'));
    widest = std::max(widest,
                      widthOfKeys(painter, {key}) + painter.fontMetrics().horizontalAdvance(more));
  }
  return widest;
}

}  // namespace

StateLegend::StateLegend(const MeshCanvas* canvas, QWidget* parent)
    : QWidget(parent), m_canvas(canvas) {
  setAccessibleName(QStringLiteral("States of the cores"));
  hide();
}

void StateLegend::setRoom(int room) {
  if (m_room == room) return;
  m_room = room;
  refresh();
}

void StateLegend::refresh() {
  const MeshScene& scene = m_canvas->scene();
  setVisible(showsStates(scene));
  if (!showsStates(scene)) return;
  if (scene.moment && !scene.moment->knowsStates) return showUnknown();
  const std::vector<StateKey> keys = stateKeys(scene);
  QStringList parts;
  for (const StateKey& key : keys) parts << key.words;
  setAccessibleDescription(parts.join(QStringLiteral(", ")));
  setToolTip(titleOf(scene.moment ? Heat::State : Heat::States) + QLatin1Char('\n') +
             parts.join(QLatin1Char('\n')));
  QPixmap paper(1, 1);
  QPainter painter(&paper);
  painter.setFont(font());
  const double row = widthOfKeys(painter, keys);
  if (m_room > 0 && !scene.moment && row <= m_room + kSpare) {
    m_columnWidth = 0;
    return takeSize({static_cast<int>(std::ceil(row)), kKeyRow});
  }
  m_columnWidth = std::max(scene.moment ? m_columnWidth : 0.0, widestKey(keys, painter));
  const int fits = static_cast<int>(m_room / std::max(m_columnWidth, 1.0));
  m_columns = m_room > 0 ? std::max(fits, kLeastColumns) : 1;
  // It does not jump while the run is played.
  const int shown = static_cast<int>(scene.moment ? simulate::kStates : keys.size());
  const int columns = std::min(m_columns, shown);
  takeSize({static_cast<int>(m_columnWidth) * columns,
            kKeyRow * ((shown + columns - 1) / std::max(columns, 1))});
}

/// It gives way to a narrower panel, which then asks for fewer columns.
void StateLegend::takeSize(QSize size) {
  const int least = static_cast<int>(m_columnWidth) * std::min(m_columns, kLeastColumns);
  setMinimumSize(std::min(size.width(), least), size.height());
  setMaximumSize(size);
  m_size = size;
  updateGeometry();
  update();
}

/// A recording that ends before the cursor.
void StateLegend::showUnknown() {
  setAccessibleDescription(unknownText());
  setToolTip(unknownText());
  const int line = fontMetrics().horizontalAdvance(unknownText()) + 4;
  takeSize(m_room == 0 ? QSize(kSideLegend, 2 * kKeyRow) : QSize(line, kKeyRow));
}

void StateLegend::paintEvent(QPaintEvent*) {
  const MeshScene& scene = m_canvas->scene();
  QPainter painter(this);
  const Tokens& tokens = tokensFor(palette());
  if (m_canvas->isStale()) painter.setOpacity(kStaleInk);
  if (scene.moment && !scene.moment->knowsStates) {
    painter.setPen(tokens.muted);
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap, unknownText());
    return;
  }
  const std::vector<StateKey> keys = stateKeys(scene);
  if (m_columnWidth <= 0) return paintStateKeys(painter, rect(), keys, tokens);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const int at = static_cast<int>(i);
    const QRectF place(at % m_columns * m_columnWidth, at / m_columns * kKeyRow, m_columnWidth,
                       kKeyRow);
    paintStateKeys(painter, place, {keys[i]}, tokens);
  }
}

}  // namespace gridloom::widgets
