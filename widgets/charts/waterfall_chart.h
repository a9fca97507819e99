// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <vector>

#include "report/records.h"
#include "report/run_difference.h"

class QPainter;

namespace gridloom::widgets {

struct Tokens;

/// A waterfall as rows: the peak, one row per loss, what is achieved.
struct WaterfallRow {
  QString key;  ///< of a report::PeakLoss; "peak" and "achieved" for the two ends
  QString name, reason;
  double from = 0, to = 0;  ///< of the bar, as shares of the peak
  QString rate, share;      ///< "-9.61", "14.7%"
  bool isEnd = false;
  /// While comparing: the bar and the figure of B; `rate` is A's and `share` the change.
  bool compares = false;
  double fromB = 0, toB = 0;
  QString rateB = {};
  double change = 0;          ///< cycles
  QString explained() const;  ///< name, figures and reason, for tooltips and readers
};

/// Rows of all losses that are not 0.
std::vector<WaterfallRow> waterfallRows(const report::WaterfallRecord& waterfall);
/// The same of two runs: cycles by term, A over B, terms that both lack left out.
std::vector<WaterfallRow> differenceRows(const report::RunDifference& difference);
/// "TFLOP/s, share of peak", or flop/cycle without a clock.
QString waterfallUnit(const report::WaterfallRecord& waterfall);
/// "sums to 100.0% of 64 × 3,576,117 cycles".
QString waterfallSum(const report::WaterfallRecord& waterfall);
/// "Nothing lost to: padding, edge tiles; …"; empty when all is.
QString waterfallZeros(const report::WaterfallRecord& waterfall);

struct WaterfallStyle {
  double rowHeight = 36;
  bool reasons = true;        ///< a second line per row
  QString selected, hovered;  ///< keys
};

/// One row after the other from the top of `area`, as wide as it. The font is the painter's.
void paintWaterfall(QPainter& painter, const QRectF& area, const std::vector<WaterfallRow>& rows,
                    const Tokens& tokens, const WaterfallStyle& style);

/// The same with a heading, for export, and the height that it takes; `facts` say of what it is.
void paintWaterfallFigure(QPainter& painter, const QRectF& area,
                          const report::WaterfallRecord& waterfall, const Tokens& tokens,
                          const QString& facts);
double waterfallFigureHeight(const report::WaterfallRecord& waterfall, const QString& facts,
                             double width);

}  // namespace gridloom::widgets
