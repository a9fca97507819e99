// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/chip_delegate.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "models/ranked_model.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr double kEdge = 8;    // pixels between the cell and its first chip
constexpr double kGap = 4;     // between chips
constexpr double kInside = 5;  // between the edge of a chip and its text
constexpr double kRound = 4;
constexpr float kEdgeInk = 0.4F;  // opacity of the outline of others
constexpr float kGround = 0.14F;  // opacity of an operand's colour below its words

QFont boldOf(QFont font) {
  font.setBold(true);
  return font;
}

/// Where the text of a chip begins: behind its lead.
double leadWidth(const MappingChip& chip, const LineFont& bold, const LineFont& plain) {
  if (chip.lead.isEmpty()) return 0;
  const double gap = chip.text.isEmpty() ? 0 : plain.widthOf(QStringLiteral(" "));
  return bold.widthOf(chip.lead) + gap;
}

/// The places of chips in a cell, in its order.
std::vector<QRectF> placesOf(const std::vector<MappingChip>& chips, const QRectF& cell,
                             const LineFont& bold, const LineFont& plain) {
  std::vector<QRectF> places;
  const double height = plain.metrics().height() + 3;
  double x = cell.left() + kEdge;
  for (const MappingChip& chip : chips) {
    const double width = leadWidth(chip, bold, plain) + plain.widthOf(chip.text) + 2 * kInside;
    places.emplace_back(x, cell.center().y() - height / 2, width, height);
    x += width + kGap;
  }
  return places;
}

std::vector<MappingChip> chipsAt(const QModelIndex& index) {
  return chipsOf(static_cast<RankedColumn>(index.column()), index.data().toString(),
                 index.data(RankedModel::TwinsRole).toInt(),
                 index.data(RankedModel::OutputsRole).toStringList());
}

void paintChip(QPainter& painter, const MappingChip& chip, const QRectF& place,
               const LineFont& bold, const LineFont& plain, const Tokens& tokens, bool enabled) {
  const bool coloured = chip.operand >= 0;
  QColor edge = tokens.muted;
  edge.setAlphaF(kEdgeInk);
  painter.setPen(coloured || chip.quiet ? QPen(Qt::NoPen) : QPen(edge, 1));
  QColor ground = coloured ? tokens.operand(chip.operand) : tokens.raised;
  if (coloured) ground.setAlphaF(enabled ? kGround : kGround / 2);
  painter.setBrush(coloured || chip.quiet ? QBrush(ground) : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), kRound, kRound);
  const QPointF start(place.left() + kInside, std::round(place.center().y() + plain.belowMiddle()));
  if (!chip.lead.isEmpty()) {
    painter.setPen(enabled && coloured ? tokens.operand(chip.operand) : tokens.faint);
    bold.paint(painter, chip.lead, start);
  }
  painter.setPen(!enabled ? tokens.faint : chip.quiet ? tokens.muted : tokens.text);
  plain.paint(painter, chip.text, start + QPointF(leadWidth(chip, bold, plain), 0));
}

}  // namespace

void ChipDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  paintGround(*painter, option);
  const std::vector<MappingChip> chips = chipsAt(index);
  const LineFont& plain = fontOf(option, index);
  const LineFont& bold = m_bold.of(boldOf(plain.font()));
  const std::vector<QRectF> places = placesOf(chips, option.rect, bold, plain);
  const Tokens& tokens = tokensFor(option.palette);
  const bool enabled = (option.state & QStyle::State_Enabled) != 0;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setClipRect(option.rect);
  for (std::size_t i = 0; i < chips.size(); ++i)
    paintChip(*painter, chips[i], places[i], bold, plain, tokens, enabled);
  painter->restore();
}

QSize ChipDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const LineFont& plain = fontOf(option, index);
  const auto places =
      placesOf(chipsAt(index), QRectF(0, 0, 0, 20), m_bold.of(boldOf(plain.font())), plain);
  const double width = places.empty() ? 0 : places.back().right() + kEdge;
  return {static_cast<int>(width) + 1, option.fontMetrics.height() + 4};
}

bool ChipDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
                             const QStyleOptionViewItem& option, const QModelIndex& index) {
  const std::vector<MappingChip> chips = chipsAt(index);
  const LineFont& plain = fontOf(option, index);
  const auto places = placesOf(chips, option.rect, m_bold.of(boldOf(plain.font())), plain);
  for (std::size_t i = 0; i < chips.size(); ++i) {
    if (!places[i].contains(QPointF(event->pos()))) continue;
    const QString name = (chips[i].lead + QLatin1Char(' ') + chips[i].text).trimmed();
    // Rich text wraps.
    QToolTip::showText(event->globalPos(),
                       QStringLiteral("<b>%1</b><br>%2")
                           .arg(name.toHtmlEscaped(), chips[i].meaning.toHtmlEscaped()),
                       view->viewport(), places[i].toRect());
    return true;
  }
  return CellDelegate::helpEvent(event, view, option, index);
}

}  // namespace gridloom::widgets
