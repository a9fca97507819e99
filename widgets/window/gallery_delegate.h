// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "bridge/preset_looks.h"

namespace gridloom::widgets {

/// Paints a preset of a gallery as a card. The row of the item is that of the preset.
class GalleryDelegate : public QStyledItemDelegate {
 public:
  GalleryDelegate(const PresetLooks& looks, PresetLooks::Kind kind, QObject* parent)
      : QStyledItemDelegate(parent), m_looks(looks), m_kind(kind) {}

  static constexpr QSize kPicture{264, 120};
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  /// Of all cards alike: together they fill the width of the view.
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  const PresetLooks& m_looks;
  PresetLooks::Kind m_kind;
};

}  // namespace gridloom::widgets
