// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/state_legend.h"

#include <QPainter>

#include "canvas/mesh_canvas.h"
#include "canvas/mesh_moment.h"
#include "models/quantity_text.h"
#include "theme/tokens.h"
#include "timeline/timeline_painter.h"

namespace gridloom::widgets {

namespace {

constexpr int kSwatch = 10, kGap = 14;
/// The legend keeps its width while cores change their states.
constexpr int kLeastDigits = 3;

QString wordsOf(std::size_t state, std::int64_t cores) {
  return QStringLiteral("%1 %2").arg(stateTitle(static_cast<simulate::State>(state)),
                                     countText(static_cast<double>(cores)));
}

QString unknownText() { return QStringLiteral("The recording ends before this cycle"); }

}  // namespace

StateLegend::StateLegend(const MeshCanvas* canvas, QWidget* parent)
    : QWidget(parent), m_canvas(canvas) {
  setAccessibleName(QStringLiteral("Cores by state at the cursor"));
  hide();
}

void StateLegend::refresh() {
  const auto& moment = m_canvas->scene().moment;
  setVisible(moment != nullptr);
  if (!moment) return;
  QStringList parts;
  if (!moment->knowsStates) return showUnknown();
  int width = 0;
  for (std::size_t s = 0; s < simulate::kStates; ++s) {
    const QString words = wordsOf(s, moment->totals[s]);
    parts << words;
    const QString widest = stateTitle(static_cast<simulate::State>(s)) + QLatin1Char(' ') +
                           QString(kLeastDigits, QLatin1Char('0'));
    if (moment->totals[s] > 0 || s == 0)
      width += kSwatch + 4 +
               std::max(fontMetrics().horizontalAdvance(widest),
                        fontMetrics().horizontalAdvance(words)) +
               kGap;
  }
  setAccessibleDescription(parts.join(QStringLiteral(", ")));
  setToolTip(parts.join(QLatin1Char('\n')));
  // It does not jump while the run is played.
  setFixedSize(isVisible() ? std::max(width, this->width()) : width, 22);
  update();
}

/// A recording that ends before the cursor.
void StateLegend::showUnknown() {
  setAccessibleDescription(unknownText());
  setToolTip(unknownText());
  setFixedSize(fontMetrics().horizontalAdvance(unknownText()) + kGap, 22);
  update();
}

void StateLegend::paintEvent(QPaintEvent*) {
  const auto& moment = m_canvas->scene().moment;
  if (!moment) return;
  QPainter painter(this);
  const Tokens& tokens = tokensFor(palette());
  if (m_canvas->isStale()) painter.setOpacity(kStaleInk);
  if (!moment->knowsStates) {
    painter.setPen(tokens.muted);
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, unknownText());
    return;
  }
  int x = 0;
  for (std::size_t s = 0; s < simulate::kStates; ++s) {
    if (moment->totals[s] == 0 && s != 0) continue;
    painter.fillRect(QRect(x, height() / 2 - 4, kSwatch, 8),
                     stateColour(tokens, static_cast<simulate::State>(s)));
    painter.setPen(tokens.muted);
    const QString words = wordsOf(s, moment->totals[s]);
    painter.drawText(QRect(x + kSwatch + 4, 0, width() - x, height()),
                     Qt::AlignVCenter | Qt::AlignLeft, words);
    x += kSwatch + 4 + fontMetrics().horizontalAdvance(words) + kGap;
  }
}

}  // namespace gridloom::widgets
