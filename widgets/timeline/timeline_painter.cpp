// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "models/quantity_text.h"
#include "theme/tokens.h"
#include "timeline/column_strip.h"
#include "timeline/timeline_parts.h"

namespace gridloom::widgets {

namespace {

using Kind = TimelineRow::Kind;
using Share = std::array<float, simulate::kStates>;

constexpr double kNameRoom = 60;  // pixels that a tile needs to be named
constexpr double kScanLine = 2;   // lower rows are scan lines

/// From the bottom of a stack up.
constexpr std::array kStackOrder{simulate::State::Compute,  simulate::State::WaitLink,
                                 simulate::State::WaitDram, simulate::State::WaitStore,
                                 simulate::State::WaitLoad, simulate::State::WaitSync,
                                 simulate::State::Idle};

using StateColours = std::array<QRgb, simulate::kStates>;

StateColours coloursOf(const Tokens& tokens) {
  StateColours colours{};
  for (std::size_t s = 0; s < simulate::kStates; ++s)
    colours[s] = stateColour(tokens, static_cast<simulate::State>(s)).rgb();
  return colours;
}

/// In a scan line, a wait hides compute that hides idleness: one core that waits stays visible.
simulate::State loudest(const Share& share) {
  constexpr float kSeen = 0.02F;
  auto best = simulate::State::Idle;
  float most = 0;
  for (std::size_t s = 0; s < simulate::kStates; ++s) {
    const auto state = static_cast<simulate::State>(s);
    if (state == simulate::State::Idle || state == simulate::State::Compute) continue;
    if (share[s] > std::max(most, kSeen)) {
      most = share[s];
      best = state;
    }
  }
  if (most > 0) return best;
  return share[0] > kSeen ? simulate::State::Compute : best;
}

void addStates(ColumnStrip::Column& column, const Share& share, const StateColours& colours,
               bool scanLine) {
  if (scanLine) {
    column.add(1, colours[static_cast<std::size_t>(loudest(share))]);
    return;
  }
  for (const simulate::State state : kStackOrder)
    column.add(share[static_cast<std::size_t>(state)], colours[static_cast<std::size_t>(state)]);
}

class RowPainter {
 public:
  RowPainter(QPainter& painter, const TimelineLayout& layout, const Tokens& tokens)
      : m_painter(painter),
        m_layout(layout),
        m_tokens(tokens),
        m_colours(coloursOf(tokens)),
        m_columns(columnsOf(painter, layout.tracks.width())),
        m_width((layout.end - layout.begin) / static_cast<double>(m_columns)) {}

  void paint(const TimelineRow& row, const TimelineExtent& run, const QRectF& box) {
    m_run = run;
    switch (row.kind) {
    case Kind::Class:
    case Kind::Core:
      paintStates(row, box);
      if (box.height() >= 12) paintTiles(row, box);
      break;
    case Kind::Followed:
      paintHolds(row, box);
      paintTransfers(row, box);
      break;
    case Kind::Transfer:
      paintTransfers(row, box);
      break;
    case Kind::Link:
      paintUse(row, box, m_tokens.network);
      break;
    case Kind::Channel:
      paintUse(row, box, m_tokens.memory);
      break;
    case Kind::Path:
    case Kind::Links:
      break;
    }
  }

 private:
  void paintStates(const TimelineRow& row, const QRectF& box) {
    if (!row.steps) return;
    ColumnStrip strip(m_columns);
    row.steps->shares(m_layout.begin, m_width, m_shares, m_columns);
    for (std::size_t x = 0; x < m_columns; ++x) {
      if (cycleOf(x) >= m_run.until || cycleOf(x + 1) <= 0) continue;
      addStates(strip[x], m_shares[x], m_colours, box.height() < kScanLine);
    }
    strip.paint(m_painter, box);
  }

  /// Lines between the tiles, and their numbers where there is room.
  void paintTiles(const TimelineRow& row, const QRectF& box) {
    if (!row.tiles) return;
    const std::vector<TileMark>& tiles = *row.tiles;
    auto tile = std::ranges::lower_bound(tiles, m_layout.begin, {}, &TileMark::lastEnd);
    const double room = m_layout.tracks.width() / (m_layout.end - m_layout.begin);
    const QColor line = m_tokens.panel;
    // Where a tile has less than four pixels, lines would hide what they divide.
    if (tile != tiles.end() && (tile->firstEnd - tile->lastBegin) * room < 4) return;
    for (; tile != tiles.end() && tile->firstBegin < m_layout.end; ++tile) {
      const auto next = tile + 1;
      const double gap = next == tiles.end() ? 0 : (next->lastBegin - tile->firstEnd) * room;
      if (next != tiles.end() && gap < 3)
        m_painter.fillRect(QRectF(m_layout.xOf(tile->firstEnd), box.top(), 1, box.height()), line);
      const double left = std::max(m_layout.xOf(tile->lastBegin), box.left());
      const double right = std::min(m_layout.xOf(tile->firstEnd), box.right());
      if (right - left < kNameRoom) continue;
      m_painter.setPen(m_tokens.dark ? m_tokens.panel : Qt::white);
      m_painter.drawText(QRectF(left + 5, box.top(), right - left - 8, box.height()),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         QStringLiteral("tile %1").arg(tile - tiles.begin() + 1));
    }
  }

  /// Where a buffer holds the followed tile, below its transfers.
  void paintHolds(const TimelineRow& row, const QRectF& box) {
    QColor colour = m_tokens.operand(row.colour);
    colour.setAlphaF(0.28F);
    for (const auto& [from, to] : row.holds) {
      const double left = std::max(m_layout.xOf(from), box.left());
      const double right = std::min(std::max(m_layout.xOf(to), left + 1), box.right());
      if (right > left)
        m_painter.fillRect(QRectF(left, box.top() + 2, right - left, box.height() - 2), colour);
    }
  }

  void paintTransfers(const TimelineRow& row, const QRectF& box) {
    ColumnStrip strip(m_columns);
    const QRgb colour = m_tokens.operand(row.colour).rgb();
    // Spans of one activity hardly overlap; a few back are enough to find one that still runs.
    constexpr std::size_t kBack = 4;
    for (std::size_t x = 0; x < m_columns; ++x) {
      const double begin = cycleOf(x), end = cycleOf(x + 1);
      const auto after =
          std::ranges::lower_bound(row.spans, end, {}, &std::pair<double, double>::first);
      auto n = static_cast<std::size_t>(after - row.spans.begin());
      for (std::size_t back = 0; back < kBack && n-- > 0; ++back) {
        if (row.spans[n].second <= begin) continue;
        strip[x].add(0.8F, colour);
        break;
      }
    }
    strip.paint(m_painter, box);
  }

  void paintUse(const TimelineRow& row, const QRectF& box, const QColor& colour) {
    m_painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), m_tokens.border);
    if (row.use.empty() || m_run.binCycles <= 0) return;
    ColumnStrip strip(m_columns);
    QColor ink = colour;
    ink.setAlphaF(0.72F);
    for (std::size_t x = 0; x < m_columns; ++x) {
      const auto bin = [&](double cycle) {
        return static_cast<std::size_t>(
            std::clamp(cycle / m_run.binCycles, 0.0, static_cast<double>(row.use.size())));
      };
      if (cycleOf(x) >= m_run.cycles || cycleOf(x + 1) <= 0) continue;
      const std::size_t first = bin(cycleOf(x)), last = std::max(first + 1, bin(cycleOf(x + 1)));
      float most = 0;
      for (std::size_t b = first; b < std::min(last, row.use.size()); ++b)
        most = std::max(most, row.use[b]);
      strip[x].add(most, ink.rgba());
    }
    strip.paint(m_painter, box);
  }

  double cycleOf(std::size_t column) const {
    return m_layout.begin + m_width * static_cast<double>(column);
  }

  QPainter& m_painter;
  TimelineExtent m_run;  ///< whose row is painted
  const TimelineLayout& m_layout;
  const Tokens& m_tokens;
  StateColours m_colours;
  std::size_t m_columns;
  double m_width;  ///< cycles per column
  std::vector<Share> m_shares;
};

void paintRows(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout,
               const TimelineView& view, const Tokens& tokens) {
  RowPainter rows(painter, layout, tokens);
  for (std::size_t r = 0; r < scene.rows.size(); ++r) {
    const QRectF box = layout.rowBox(r, view.scroll);
    if (box.bottom() < layout.tracks.top()) continue;
    if (box.top() > layout.tracks.bottom()) break;
    if (static_cast<int>(r) == view.selected) {
      painter.fillRect(QRectF(box.left() - layout.labels, box.top(),
                              layout.labels + box.width() + layout.margin, box.height()),
                       tokens.selection);
    }
    const double gap = box.height() >= 6 ? 1 : 0;
    const TimelineRow& row = scene.rows[r];
    const RowBands bands = bandsOf(row, box);
    if (row.a) rows.paint(*row.a, *scene.a, bands.ofA.adjusted(0, gap, 0, 0));
    rows.paint(row, scene, bands.ofB.adjusted(0, gap, 0, -gap));
    paintBandNames(painter, row, box, tokens);
    if (box.height() >= kReadableRow) {
      paintRowTitle(painter, scene.rows[r], box, layout, tokens);
      paintRowValue(painter, scene, scene.rows[r], box, layout, view.cursor, tokens);
    }
  }
}

/// All cores of one run in a band of the overview, which covers `range` cycles.
void paintWhole(QPainter& painter, const QRectF& box, const TimelineExtent& run, double range,
                const std::vector<std::shared_ptr<const StateSteps>>& whole, const Tokens& tokens) {
  const std::size_t columns = columnsOf(painter, box.width());
  std::vector<Share> shares, sum(columns);
  std::int32_t cores = 0;
  for (const auto& group : whole) {
    group->shares(0, range / static_cast<double>(columns), shares, columns);
    const auto weight = static_cast<float>(group->cores());
    for (std::size_t x = 0; x < columns; ++x)
      for (std::size_t s = 0; s < simulate::kStates; ++s) sum[x][s] += weight * shares[x][s];
    cores += group->cores();
  }
  ColumnStrip strip(columns);
  const StateColours colours = coloursOf(tokens);
  for (std::size_t x = 0; x < columns && cores > 0; ++x) {
    if (range * static_cast<double>(x) >= run.until * static_cast<double>(columns)) break;
    for (float& share : sum[x]) share /= static_cast<float>(cores);
    addStates(strip[x], sum[x], colours, false);
  }
  strip.paint(painter, box);
}

void paintOverview(QPainter& painter, const TimelineScene& scene, const TimelineLayout& layout,
                   const Tokens& tokens) {
  const QRectF& box = layout.overview;
  const double half = scene.a ? box.height() / 2 : 0;
  if (scene.a)
    paintWhole(painter, box.adjusted(0, 0, 0, -half - 0.5), *scene.a, scene.range(), scene.wholeOfA,
               tokens);
  paintWhole(painter, box.adjusted(0, half, 0, 0), scene, scene.range(), scene.whole, tokens);
  paintWindow(painter, scene, layout, tokens);
}

}  // namespace

void paintTimeline(QPainter& painter, const QRectF& area, const TimelineScene& scene,
                   const TimelineView& view, const Tokens& tokens) {
  if (scene.empty()) return;
  painter.save();
  if (view.stale) painter.setOpacity(kStaleInk);
  const TimelineLayout layout(scene, area, view);
  QFont font = painter.font();
  font.setPixelSize(11);
  painter.setFont(font);
  painter.save();
  painter.setClipRect(
      QRectF(area.left(), layout.tracks.top(), area.width(), layout.tracks.height()));
  paintRows(painter, scene, layout, view, tokens);
  painter.restore();
  paintOverview(painter, scene, layout, tokens);
  paintAxis(painter, scene, layout, view.cursor, tokens);
  paintCursor(painter, scene, layout, view.cursor, tokens);
  painter.restore();
}

}  // namespace gridloom::widgets
