// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

namespace gridloom::widgets {

/// Widgets from left to right, in as many rows as the width requires. Gaps shrink to the minimum
/// before a row breaks. A stretch takes the rest of its row.
class FlowLayout : public QLayout {
  Q_OBJECT
 public:
  struct Gaps {
    int usual, least, rows;
  };
  explicit FlowLayout(Gaps gaps, QWidget* parent = nullptr);
  ~FlowLayout() override;

  void addStretch();
  void addItem(QLayoutItem* item) override { m_items << item; }
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
  void setGeometry(const QRect& rect) override;
  QSize minimumSize() const override;
  QSize sizeHint() const override;

 private:
  int arrange(const QRect& area, bool place) const;
  void placeRow(const QList<QLayoutItem*>& row, const QRect& area) const;
  Gaps m_gaps;
  QList<QLayoutItem*> m_items;
};

}  // namespace gridloom::widgets
