// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QTableView>

namespace gridloom::widgets {

/// A table of rows that cuts nothing off: columns are as wide as what they hold, one of them takes
/// what is left, and what is wider than the view is scrolled to. A column that the user drags keeps
/// its width.
class FittedTable : public QTableView {
  Q_OBJECT
 public:
  /// `elastic` is the column that takes what is left.
  FittedTable(QAbstractItemModel* model, int elastic, const QString& name,
              QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void measureAll();
  void measureRows(int first, int last);
  void apply();
  int widthOf(int row, int column) const;

  int m_elastic;
  std::vector<int> m_widths;  ///< that the contents want
  QSet<int> m_dragged;
  bool m_applying = false;
};

}  // namespace gridloom::widgets
