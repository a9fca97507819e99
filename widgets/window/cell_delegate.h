// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemDelegate>

#include "theme/line_font.h"

namespace gridloom::widgets {

/// Paints a cell of one line of text in the colours of the theme. The delegate of Qt lays out each
/// text and asks the style sheet for each cell, which takes most of a frame of a large table.
class CellDelegate : public QAbstractItemDelegate {
  Q_OBJECT
 public:
  using QAbstractItemDelegate::QAbstractItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  /// The font of a cell: the model's where it has one.
  const LineFont& fontOf(const QStyleOptionViewItem& option, const QModelIndex& index) const;
  /// The ground of a cell: selected, below the pointer, or plain.
  static void paintGround(QPainter& painter, const QStyleOptionViewItem& option);

 private:
  mutable LineFonts m_fonts;
};

/// Pixels between the edge of a cell and its text.
constexpr int kCellPadding = 11;

}  // namespace gridloom::widgets
