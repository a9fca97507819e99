// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/chip_delegate.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

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

double leadWidth(const MappingChip& chip, const QFont& font) {
  return chip.lead.isEmpty() ? 0 : QFontMetricsF(boldOf(font)).horizontalAdvance(chip.lead);
}

double widthOf(const MappingChip& chip, const QFont& font) {
  const QFontMetricsF metrics(font);
  const bool both = !chip.lead.isEmpty() && !chip.text.isEmpty();
  return leadWidth(chip, font) + (both ? metrics.horizontalAdvance(QLatin1Char(' ')) : 0) +
         metrics.horizontalAdvance(chip.text) + 2 * kInside;
}

std::vector<MappingChip> chipsAt(const QModelIndex& index) {
  return chipsOf(static_cast<RankedColumn>(index.column()), index.data().toString(),
                 index.data(RankedModel::TwinsRole).toInt(),
                 index.data(RankedModel::OutputsRole).toStringList());
}

void paintChip(QPainter& painter, const MappingChip& chip, const QRectF& place, const QFont& font,
               const Tokens& tokens, bool enabled) {
  const bool coloured = chip.operand >= 0;
  QColor edge = tokens.muted;
  edge.setAlphaF(kEdgeInk);
  painter.setPen(coloured || chip.quiet ? QPen(Qt::NoPen) : QPen(edge, 1));
  QColor ground = coloured ? tokens.operand(chip.operand) : tokens.raised;
  if (coloured) ground.setAlphaF(enabled ? kGround : kGround / 2);
  painter.setBrush(coloured || chip.quiet ? QBrush(ground) : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), kRound, kRound);
  QRectF text = place.adjusted(kInside, 0, 0, 0);
  if (!chip.lead.isEmpty()) {
    painter.setFont(boldOf(font));
    painter.setPen(enabled && coloured ? tokens.operand(chip.operand) : tokens.faint);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, chip.lead);
    text.adjust(leadWidth(chip, font) + QFontMetricsF(font).horizontalAdvance(QLatin1Char(' ')), 0,
                0, 0);
  }
  painter.setFont(font);
  painter.setPen(!enabled ? tokens.faint : chip.quiet ? tokens.muted : tokens.text);
  painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, chip.text);
}

}  // namespace

std::vector<QRectF> ChipDelegate::placesOf(const std::vector<MappingChip>& chips,
                                           const QRectF& cell, const QFont& font) {
  std::vector<QRectF> places;
  const double height = QFontMetricsF(font).height() + 3;
  double x = cell.left() + kEdge;
  for (const MappingChip& chip : chips) {
    const double width = widthOf(chip, font);
    places.emplace_back(x, cell.center().y() - height / 2, width, height);
    x += width + kGap;
  }
  return places;
}

void ChipDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  paintGround(*painter, option);
  const std::vector<MappingChip> chips = chipsAt(index);
  const QFont font = fontOf(option, index);
  const std::vector<QRectF> places = placesOf(chips, option.rect, font);
  const Tokens& tokens = tokensFor(option.palette);
  const bool enabled = (option.state & QStyle::State_Enabled) != 0;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setClipRect(option.rect);
  for (std::size_t i = 0; i < chips.size(); ++i)
    paintChip(*painter, chips[i], places[i], font, tokens, enabled);
  painter->restore();
}

QSize ChipDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto places = placesOf(chipsAt(index), QRectF(0, 0, 0, 20), fontOf(option, index));
  const double width = places.empty() ? 0 : places.back().right() + kEdge;
  return {static_cast<int>(width) + 1, option.fontMetrics.height() + 4};
}

bool ChipDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
                             const QStyleOptionViewItem& option, const QModelIndex& index) {
  const std::vector<MappingChip> chips = chipsAt(index);
  const auto places = placesOf(chips, option.rect, fontOf(option, index));
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
