// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace gridloom::widgets {

/// Paints the share of an ExplainModel row as a bar in the colour of its cause, the number beside it.
class ShareDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  /// Room the widest number takes; the bar stays clear of it.
  static int numberWidth(const QFontMetrics& metrics);
  /// Where the bar lies in a cell; null where the cell has no room for one beside the number.
  static QRectF trackOf(const QRect& cell, const QFontMetrics& metrics);
};

}  // namespace gridloom::widgets
