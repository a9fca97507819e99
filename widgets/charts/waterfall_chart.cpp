// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/waterfall_chart.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "charts/chart_parts.h"
#include "models/quantity_text.h"
#include "report/peak_waterfall.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kBar = 14, kEdge = 12, kGap = 10;

QString rateOf(const report::WaterfallRecord& waterfall, double share) {
  const double rate = waterfall.peakFlops * share;
  if (waterfall.clock <= 0) return countText(rate);
  const double tflops = rate * waterfall.clock / 1e12;
  return QString::number(tflops, 'f', std::abs(tflops) < 1 ? 2 : 1);
}

WaterfallRow endRow(const report::WaterfallRecord& waterfall, const char* key, const char* name,
                    double share, const QString& reason) {
  return {QString::fromLatin1(key), QString::fromLatin1(name), reason, 0, share,
          rateOf(waterfall, share), percentText(share),        true};
}

QColor colourOf(const WaterfallRow& row, const Tokens& tokens) {
  for (std::size_t l = 0; l < report::kPeakLosses; ++l) {
    const auto loss = static_cast<report::PeakLoss>(l);
    if (row.key == text(report::keyOf(loss))) return lossColour(tokens, loss);
  }
  return tokens.compute;
}

/// Where the columns begin and end, for all rows alike.
struct Columns {
  double nameLeft = 0, nameRight = 0, barLeft = 0, barRight = 0, rateRight = 0, shareRight = 0;
};

Columns columnsFor(const QRectF& area, const QFont& font, const std::vector<WaterfallRow>& rows) {
  double name = 0, rate = 0, share = 0;
  const QFontMetricsF bold(chartFont(font, 12, true)), small(chartFont(font, 10));
  for (const WaterfallRow& row : rows) {
    name = std::max(name, bold.horizontalAdvance(row.name));
    rate = std::max(rate, row.compares ? small.horizontalAdvance(row.rateB)
                                       : bold.horizontalAdvance(row.rate));
    if (row.compares) rate = std::max(rate, small.horizontalAdvance(row.rate));
    share = std::max(share, bold.horizontalAdvance(row.share));
  }
  Columns c;
  c.nameLeft = area.left() + kEdge;
  c.shareRight = area.right() - kEdge;
  c.rateRight = c.shareRight - share - kGap;
  c.barRight = c.rateRight - rate - kGap;
  c.barLeft = std::min(c.nameLeft + name + kGap, c.barRight - 24);
  c.nameRight = c.barLeft - kGap;
  return c;
}

class RowPainter {
 public:
  RowPainter(QPainter& painter, const QRectF& area, const std::vector<WaterfallRow>& rows,
             const Tokens& tokens, const WaterfallStyle& style)
      : m_painter(painter),
        m_area(area),
        m_tokens(tokens),
        m_style(style),
        m_font(painter.font()),
        m_columns(columnsFor(area, m_font, rows)) {}

  void paint(const WaterfallRow& row, const QRectF& box, bool isLast) {
    paintGround(row, box);
    const bool two = m_style.reasons && !row.reason.isEmpty();
    const double middle = box.top() + (two ? 13 : box.height() / 2);
    if (row.compares) return paintBoth(row, box);
    paintBar(row, middle, box, isLast);
    const QColor ink = m_tokens.text;
    paintText({m_columns.nameLeft, middle - 9, m_columns.barLeft - m_columns.nameLeft, 18},
              Qt::AlignLeft, row.name, chartFont(m_font, 12, row.isEnd), ink);
    paintText({m_columns.barRight, middle - 9, m_columns.rateRight - m_columns.barRight, 18},
              Qt::AlignRight, row.rate, chartFont(m_font, 12, true), ink);
    paintText({m_columns.rateRight, middle - 9, m_columns.shareRight - m_columns.rateRight, 18},
              Qt::AlignRight, row.share, chartFont(m_font, 12), m_tokens.faint);
    if (!two) return;
    const QFont small = chartFont(m_font, 10);
    const double width = m_columns.shareRight - m_columns.nameLeft;
    const QFontMetricsF metrics(small);
    const QString reason = metrics.elidedText(row.reason, Qt::ElideRight, width);
    const QRectF place(m_columns.nameLeft, middle + 7, width, 14);
    // The line to the next row ends where the words stand.
    m_painter.fillRect(
        QRectF(place.left(), place.top(), metrics.horizontalAdvance(reason) + 2, place.height()),
        groundOf(row));
    paintText(place, Qt::AlignLeft, reason, small, m_tokens.faint);
  }

 private:
  bool isSelected(const WaterfallRow& row) const {
    return !row.key.isEmpty() && row.key == m_style.selected;
  }
  const QColor& groundOf(const WaterfallRow& row) const {
    if (isSelected(row)) return m_tokens.selection;
    return !row.isEnd && row.key == m_style.hovered ? m_tokens.raised : m_tokens.panel;
  }

  void paintGround(const WaterfallRow& row, const QRectF& box) {
    const bool selected = isSelected(row);
    if (groundOf(row) != m_tokens.panel) m_painter.fillRect(box, groundOf(row));
    if (selected)
      m_painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), m_tokens.accent);
  }

  double at(double share) const {
    return m_columns.barLeft + share * (m_columns.barRight - m_columns.barLeft);
  }

  void paintBar(const WaterfallRow& row, double middle, const QRectF& box, bool isLast) {
    QRectF bar(at(row.from), middle - kBar / 2, at(row.to) - at(row.from), kBar);
    // What is there stays visible, however little it is.
    bar.setWidth(std::max(bar.width(), 1.0));
    m_painter.fillRect(bar, colourOf(row, m_tokens));
    if (isLast) return;
    const double level = row.isEnd ? at(row.to) : at(row.from);
    m_painter.fillRect(QRectF(level - 0.5, bar.bottom(), 1, box.bottom() - bar.bottom() + 6),
                       m_tokens.border);
  }

  /// A above, B below, and the change at the right.
  void paintBoth(const WaterfallRow& row, const QRectF& box) {
    const double middle = box.center().y();
    const QColor colour = colourOf(row, m_tokens);
    QColor pale = colour;
    pale.setAlphaF(0.55F);
    const auto bar = [&](double from, double to, double top, const QColor& fill) {
      m_painter.fillRect(QRectF(at(from), top, std::max(at(to) - at(from), 1.0), 7), fill);
    };
    bar(row.from, row.to, middle - 8.5, pale);
    bar(row.fromB, row.toB, middle + 1.5, colour);
    paintText({m_columns.nameLeft, middle - 9, m_columns.barLeft - m_columns.nameLeft, 18},
              Qt::AlignLeft, row.name, chartFont(m_font, 12, row.isEnd), m_tokens.text);
    const double width = m_columns.rateRight - m_columns.barRight;
    paintText({m_columns.barRight, middle - 14, width, 14}, Qt::AlignRight, row.rate,
              chartFont(m_font, 10), m_tokens.muted);
    paintText({m_columns.barRight, middle, width, 14}, Qt::AlignRight, row.rateB,
              chartFont(m_font, 10), m_tokens.text);
    const QColor ink = row.change > 0   ? m_tokens.more
                       : row.change < 0 ? m_tokens.less
                                        : m_tokens.faint;
    paintText({m_columns.rateRight, middle - 9, m_columns.shareRight - m_columns.rateRight, 18},
              Qt::AlignRight, row.share, chartFont(m_font, 12, row.change != 0), ink);
  }

  void paintText(const QRectF& box, Qt::Alignment side, const QString& words, const QFont& font,
                 const QColor& ink) {
    m_painter.setFont(font);
    m_painter.setPen(ink);
    m_painter.drawText(box, side | Qt::AlignVCenter, words);
  }

  QPainter& m_painter;
  const QRectF m_area;
  const Tokens& m_tokens;
  const WaterfallStyle& m_style;
  const QFont m_font;
  const Columns m_columns;
};

}  // namespace

QString WaterfallRow::explained() const {
  QString out = QStringLiteral("%1: %2 (%3)").arg(name, share, rate);
  return reason.isEmpty() ? out : out + QLatin1Char('\n') + reason;
}

std::vector<WaterfallRow> waterfallRows(const report::WaterfallRecord& waterfall) {
  std::vector<WaterfallRow> rows;
  rows.push_back(endRow(
      waterfall, "peak", "Peak", 1,
      QStringLiteral("%1 flop/cycle of %2 cores")
          .arg(countText(waterfall.peakFlops), countText(static_cast<double>(waterfall.cores)))));
  double level = 1;
  for (const report::LossRecord& loss : waterfall.losses) {
    const double below = level - loss.share;
    if (!loss.reason.empty()) {
      rows.push_back({text(loss.key), text(loss.name), text(loss.reason), below, level,
                      lostText(rateOf(waterfall, loss.share)), percentText(loss.share), false});
    }
    level = below;
  }
  rows.push_back(endRow(waterfall, "achieved", "Achieved", waterfall.achieved,
                        QStringLiteral("%1 cycles").arg(cyclesText(waterfall.cycles))));
  return rows;
}

std::vector<WaterfallRow> differenceRows(const report::RunDifference& difference) {
  const double most = std::max({difference.a.waterfall.cycles, difference.b.waterfall.cycles, 1.0});
  std::vector<WaterfallRow> rows;
  double a = 0, b = 0;
  const auto add = [&](const QString& key, const QString& name, bool isEnd, double inA,
                       double inB) {
    WaterfallRow row;
    row.key = key;
    row.name = name;
    row.isEnd = isEnd;
    row.compares = true;
    row.from = a / most;
    row.to = (a + inA) / most;
    row.fromB = b / most;
    row.toB = (b + inB) / most;
    row.rate = cyclesText(inA);
    row.rateB = cyclesText(inB);
    row.change = std::round(inB - inA);
    const QString sign = row.change > 0   ? QStringLiteral("+")
                         : row.change < 0 ? QStringLiteral("−")
                                          : QString();
    row.share = sign + cyclesText(std::abs(row.change));
    row.reason = QStringLiteral("A %1, B %2 cycles of a core, on average").arg(row.rate, row.rateB);
    rows.push_back(std::move(row));
  };
  for (const report::TermDifference& term : difference.terms) {
    add(text(term.key), text(term.name), term.key == "at_peak", term.a, term.b);
    a += term.a;
    b += term.b;
  }
  const double inA = std::exchange(a, 0), inB = std::exchange(b, 0);
  add(QStringLiteral("achieved"), QStringLiteral("Simulated"), true, inA, inB);
  return rows;
}

QString waterfallUnit(const report::WaterfallRecord& waterfall) {
  return waterfall.clock > 0 ? QStringLiteral("TFLOP/s, share of peak")
                             : QStringLiteral("flop/cycle, share of peak");
}

QString waterfallSum(const report::WaterfallRecord& waterfall) {
  return QStringLiteral("sums to %1 of %2 × %3 cycles")
      .arg(percentText(waterfall.sum()), countText(static_cast<double>(waterfall.cores)),
           cyclesText(waterfall.cycles));
}

QString waterfallZeros(const report::WaterfallRecord& waterfall) {
  QStringList names;
  for (const report::LossRecord& loss : waterfall.losses) {
    if (loss.reason.empty()) names << text(loss.name).toLower().replace("dram", "DRAM");
  }
  return names.isEmpty() ? QString()
                         : QStringLiteral("Nothing lost to ") + names.join(QStringLiteral("; "));
}

void paintWaterfall(QPainter& painter, const QRectF& area, const std::vector<WaterfallRow>& rows,
                    const Tokens& tokens, const WaterfallStyle& style) {
  painter.save();
  RowPainter each(painter, area, rows, tokens, style);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const QRectF box(area.left(), area.top() + style.rowHeight * static_cast<double>(i),
                     area.width(), style.rowHeight);
    each.paint(rows[i], box, i + 1 == rows.size());
  }
  painter.restore();
}

}  // namespace gridloom::widgets
