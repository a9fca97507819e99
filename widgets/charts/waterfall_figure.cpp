// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <algorithm>

#include "charts/chart_parts.h"
#include "charts/waterfall_chart.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kFigureRow = 30, kFigureFoot = 26;

/// "Where the peak went: 65.5 to 38.4 TFLOP/s".
ChartHead waterfallHead(const report::WaterfallRecord& waterfall, const QString& facts) {
  const auto rows = waterfallRows(waterfall);
  return {QStringLiteral("Where the peak went: %1 to %2 %3")
              .arg(rows.front().rate, rows.back().rate,
                   QLatin1String(waterfall.clock > 0 ? "TFLOP/s" : "flop/cycle")),
          facts};
}

}  // namespace

double waterfallFigureHeight(const report::WaterfallRecord& waterfall, const QString& facts,
                             double width) {
  return headHeight(QFont(), width - 2 * kChartEdge, waterfallHead(waterfall, facts)) +
         2 * kChartEdge + kFigureRow * static_cast<double>(waterfallRows(waterfall).size()) +
         kFigureFoot;
}

void paintWaterfallFigure(QPainter& painter, const QRectF& area,
                          const report::WaterfallRecord& waterfall, const Tokens& tokens,
                          const QString& facts) {
  painter.save();
  painter.fillRect(area, tokens.panel);
  const QRectF rest =
      paintHead(painter, area.adjusted(kChartEdge, kChartEdge, -kChartEdge, -kChartEdge),
                waterfallHead(waterfall, facts), tokens);
  const auto rows = waterfallRows(waterfall);
  const QRectF body(area.left(), rest.top(), area.width(), rest.height() - kFigureFoot);
  const double height =
      std::min(kFigureRow * 1.4, body.height() / static_cast<double>(rows.size()));
  paintWaterfall(painter, body, rows, tokens, {height, height >= 28, {}, {}});
  painter.setFont(chartFont(painter.font(), kLabelPixels));
  painter.setPen(tokens.muted);
  painter.drawText(QRectF(rest.left(), rest.bottom() - kFigureFoot + 4, rest.width(), kFigureFoot),
                   Qt::AlignLeft | Qt::TextWordWrap,
                   waterfallUnit(waterfall) + QStringLiteral("; ") + waterfallSum(waterfall));
  painter.restore();
}

}  // namespace gridloom::widgets
