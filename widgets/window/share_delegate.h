// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace gridloom::widgets {

/// Paints the share of an ExplainModel row as a bar in the colour of its cause, with the number
/// beside it.
class ShareDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  /// Width of the widest number; the bar does not overlap it.
  static int numberWidth(const QFontMetrics& metrics);
  /// Rectangle of the bar in a cell; null where the cell is too narrow for one beside the number.
  static QRectF trackOf(const QRect& cell, const QFontMetrics& metrics);
};

}  // namespace gridloom::widgets
