// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/share_delegate.h"

#include <QPainter>
#include <algorithm>

#include "models/explain_model.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

constexpr int kEdge = 6;            // pixels around the number and the bar
constexpr double kLeastTrack = 16;  // minimum length of a bar

}  // namespace

void ShareDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  const auto kind = static_cast<ExplainModel::Kind>(index.data(ExplainModel::KindRole).toInt());
  if (kind == ExplainModel::Kind::Section || kind == ExplainModel::Kind::Total) {
    QStyledItemDelegate::paint(painter, option, index);
    return;
  }
  const Tokens& tokens = tokensFor(option.palette);
  painter->save();
  if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, tokens.selection);
  const double share = std::clamp(index.data(ExplainModel::ShareRole).toDouble(), 0.0, 1.0);
  const bool enabled = (option.state & QStyle::State_Enabled) != 0;
  const int number = numberWidth(option.fontMetrics);
  const QRectF track = trackOf(option.rect, option.fontMetrics);
  if (track.isValid()) {
    painter->setOpacity(enabled ? 1 : kStaleInk);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(tokens.raised);
    painter->drawRoundedRect(track, 3, 3);
    const QString cause = index.data(ExplainModel::CauseRole).toString();
    painter->setBrush(kind == ExplainModel::Kind::Twice ? tokens.good : causeColour(tokens, cause));
    QRectF bar = track;
    bar.setWidth(std::max(2.0, track.width() * share));
    if (share > 0) painter->drawRoundedRect(bar, 3, 3);
    painter->setOpacity(1);
  }
  painter->setPen(enabled ? tokens.text : tokens.faint);
  painter->drawText(
      QRectF(option.rect.right() - number - kEdge, option.rect.top(), number, option.rect.height()),
      Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
  painter->restore();
}

int ShareDelegate::numberWidth(const QFontMetrics& metrics) {
  return metrics.horizontalAdvance(QStringLiteral("+100.0%"));
}

QRectF ShareDelegate::trackOf(const QRect& cell, const QFontMetrics& metrics) {
  const double width = cell.width() - numberWidth(metrics) - 3 * kEdge;
  if (width < kLeastTrack) return {};
  return {cell.left() + double{kEdge}, cell.center().y() - 3.0, width, 7};
}

QSize ShareDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return QStyledItemDelegate::sizeHint(option, index)
      .expandedTo({numberWidth(option.fontMetrics) + 2 * kEdge, 0});
}

}  // namespace gridloom::widgets
