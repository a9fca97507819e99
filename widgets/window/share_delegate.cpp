// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/share_delegate.h"

#include <QPainter>
#include <algorithm>

#include "models/explain_model.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

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
  constexpr int kNumber = 62;
  const QRectF track(option.rect.left() + 4, option.rect.center().y() - 3,
                     option.rect.width() - kNumber - 10, 7);
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(tokens.raised);
  painter->drawRoundedRect(track, 3, 3);
  const QString cause = index.data(ExplainModel::CauseRole).toString();
  painter->setBrush(kind == ExplainModel::Kind::Twice ? tokens.good : causeColour(tokens, cause));
  QRectF bar = track;
  bar.setWidth(std::max(2.0, track.width() * share));
  if (share > 0) painter->drawRoundedRect(bar, 3, 3);
  painter->setPen(option.state & QStyle::State_Enabled ? tokens.text : tokens.faint);
  painter->drawText(
      QRectF(option.rect.right() - kNumber, option.rect.top(), kNumber - 6, option.rect.height()),
      Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
  painter->restore();
}

}  // namespace gridloom::widgets
