// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/mapping_chips.h"
#include "window/cell_delegate.h"

namespace gridloom::widgets {

/// Paints the choices of a mapping as chips; the pointer on one shows what it means.
class ChipDelegate : public CellDelegate {
  Q_OBJECT
 public:
  using CellDelegate::CellDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;

 private:
  mutable LineFonts m_bold;
};

}  // namespace gridloom::widgets
