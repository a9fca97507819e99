// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/flow_layout.h"

#include <QWidget>
#include <algorithm>

namespace gridloom::widgets {

FlowLayout::FlowLayout(Gaps gaps, QWidget* parent) : QLayout(parent), m_gaps(gaps) {}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

void FlowLayout::addStretch() {
  addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding, QSizePolicy::Minimum));
}

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

namespace {

/// A widget that takes what is left of its row, as a line of text that elides.
bool grows(const QLayoutItem& item) {
  const QWidget* widget = const_cast<QLayoutItem&>(item).widget();
  return widget && widget->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored;
}

QSize sizeOf(const QLayoutItem& item) {
  const QSize hint = item.sizeHint();
  return grows(item) ? QSize(item.minimumSize().width(), hint.height()) : hint;
}

}  // namespace

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

QSize FlowLayout::minimumSize() const {
  QSize widest;
  for (const QLayoutItem* item : m_items) widest = widest.expandedTo(item->minimumSize());
  const QMargins around = contentsMargins();
  return widest + QSize(around.left() + around.right(), around.top() + around.bottom());
}

QSize FlowLayout::sizeHint() const {
  const QMargins around = contentsMargins();
  int width = around.left() + around.right();
  for (const QLayoutItem* item : m_items) {
    if (!item->isEmpty()) width += sizeOf(*item).width() + m_gaps.usual;
  }
  return {width, heightForWidth(width)};
}

/// Breaks the items into rows; returns the height of all.
int FlowLayout::arrange(const QRect& area, bool place) const {
  const QMargins around = contentsMargins();
  const QRect inside = area.marginsRemoved(around);
  QList<QLayoutItem*> row;
  int used = 0;
  int height = 0;
  int top = inside.top();
  const auto endRow = [&] {
    if (place) placeRow(row, {inside.left(), top, inside.width(), height});
    top += height;
  };
  for (QLayoutItem* item : m_items) {
    const bool stretch = item->spacerItem() != nullptr;
    if (item->isEmpty() && !stretch) continue;
    const QSize size = sizeOf(*item);
    const int more = stretch ? 0 : size.width() + (used > 0 ? m_gaps.least : 0);
    if (used > 0 && used + more > inside.width()) {
      endRow();
      top += m_gaps.rows;
      row.clear();
      used = 0;
      height = 0;
    }
    row << item;
    used += more;
    height = std::max(height, size.height());
  }
  endRow();
  return top - inside.top() + around.top() + around.bottom();
}

void FlowLayout::placeRow(const QList<QLayoutItem*>& row, const QRect& area) const {
  int widths = 0;
  int widgets = 0;
  int stretches = 0;
  int growing = 0;
  for (QLayoutItem* item : row) {
    if (item->spacerItem()) {
      ++stretches;
      continue;
    }
    widths += sizeOf(*item).width();
    growing += grows(*item) ? 1 : 0;
    ++widgets;
  }
  const int gaps = std::max(widgets - 1, 1);
  const int gap = std::clamp((area.width() - widths) / gaps, m_gaps.least, m_gaps.usual);
  const int spare = std::max(0, area.width() - widths - gap * (widgets - 1));
  int left = area.left();
  for (QLayoutItem* item : row) {
    if (item->spacerItem()) {
      if (growing == 0) left += spare / stretches;
      continue;
    }
    QSize size = sizeOf(*item);
    if (grows(*item)) size.rwidth() += spare / growing;
    item->setGeometry({left, area.top() + (area.height() - size.height()) / 2,
                       std::min(size.width(), area.width()), size.height()});
    left += size.width() + gap;
  }
}

}  // namespace gridloom::widgets
