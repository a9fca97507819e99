// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/cell_delegate.h"

#include <QPainter>

#include "theme/tokens.h"

namespace gridloom::widgets {

QFont CellDelegate::fontOf(const QStyleOptionViewItem& option, const QModelIndex& index) {
  const QVariant own = index.data(Qt::FontRole);
  return own.isValid() ? own.value<QFont>().resolve(option.font) : option.font;
}

void CellDelegate::paintGround(QPainter& painter, const QStyleOptionViewItem& option) {
  const bool selected = (option.state & QStyle::State_Selected) != 0;
  const bool hovered = (option.state & QStyle::State_MouseOver) != 0;
  if (!selected && !hovered) return;
  const Tokens& tokens = tokensFor(option.palette);
  const bool enabled = (option.state & QStyle::State_Enabled) != 0;
  painter.fillRect(option.rect, selected && enabled ? tokens.selection : tokens.raised);
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  paintGround(*painter, option);
  const Tokens& tokens = tokensFor(option.palette);
  painter->setFont(fontOf(option, index));
  painter->setPen((option.state & QStyle::State_Enabled) != 0 ? tokens.text : tokens.faint);
  const QFontMetrics metrics = painter->fontMetrics();
  const QString text = index.data().toString();
  const QRect room = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
  const auto alignment = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
  const bool right = (alignment & Qt::AlignRight) != 0;
  const int x = right ? room.right() + 1 - metrics.horizontalAdvance(text) : room.left();
  painter->drawText(x, room.top() + (room.height() - metrics.height()) / 2 + metrics.ascent(),
                    text);
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QFontMetrics metrics(fontOf(option, index));
  return {metrics.horizontalAdvance(index.data().toString()) + 2 * kCellPadding,
          metrics.height() + 4};
}

}  // namespace gridloom::widgets
