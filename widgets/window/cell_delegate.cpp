// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/cell_delegate.h"

#include <QPainter>
#include <cmath>

#include "theme/tokens.h"

namespace gridloom::widgets {

const LineFont& CellDelegate::fontOf(const QStyleOptionViewItem& option,
                                     const QModelIndex& index) const {
  const QVariant own = index.data(Qt::FontRole);
  return m_fonts.of(own.isValid() ? own.value<QFont>().resolve(option.font) : option.font);
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
  painter->setPen((option.state & QStyle::State_Enabled) != 0 ? tokens.text : tokens.faint);
  const LineFont& font = fontOf(option, index);
  const QString text = index.data().toString();
  const QRectF room = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
  const auto alignment = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
  const bool right = (alignment & Qt::AlignRight) != 0;
  font.paint(*painter, text,
             {right ? room.right() - font.widthOf(text) : room.left(),
              std::round(room.center().y() + font.belowMiddle())});
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const LineFont& font = fontOf(option, index);
  return {static_cast<int>(std::ceil(font.widthOf(index.data().toString()))) + 2 * kCellPadding,
          static_cast<int>(std::ceil(font.metrics().height())) + 4};
}

}  // namespace gridloom::widgets
