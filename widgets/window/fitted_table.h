// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QTableView>

namespace gridloom::widgets {

/// A table of rows that truncates no text: columns are as wide as their contents, one of them takes
/// the remaining width, and a wider table drops columns or scrolls. A column that the user drags
/// keeps its width.
class FittedTable : public QTableView {
  Q_OBJECT
 public:
  /// `elastic` is the column that takes the remaining width.
  FittedTable(QAbstractItemModel* model, int elastic, const QString& name,
              QWidget* parent = nullptr);
  /// All columns but the first share the width evenly and wrap their text, so that they stand
  /// beside each other in any width. Those that the user drags keep theirs, and the others share
  /// the remaining width. For tables of a few rows.
  void setWrapped();
  void setElastic(int column) { m_elastic = column; }
  /// What all rows need, with the titles.
  int wholeHeight() const;
  /// Columns by importance: where not all fit, the first of them that do are shown, and no title
  /// or number is cut off.
  void setImportance(std::vector<int> columns);
  /// Whether the user wants to see a column.
  void setWanted(int column, bool wanted);
  /// Wanted columns for which there is no room.
  int missing() const { return m_missing; }

 Q_SIGNALS:
  void columnsChosen();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void measureAll();
  void measureRows(int first, int last);
  void apply();
  void share();
  void chooseColumns();
  int wrappedHeight(int row) const;
  /// Of every `step`-th row the one with the longest text.
  int longestOf(int first, int last, int step, int column) const;
  int widthOf(int row, int column) const;

  int m_elastic;
  std::vector<int> m_widths;  ///< required by the contents
  QSet<int> m_dragged, m_unwanted;
  std::vector<int> m_importance;  ///< empty: the table scrolls
  int m_missing = 0;
  bool m_applying = false;
  bool m_wraps = false;
};

}  // namespace gridloom::widgets
