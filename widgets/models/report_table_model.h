// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "report/table.h"

namespace gridloom::widgets {

/// A table of the reports, with the signs of the window (shownText).
class ReportTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  /// What a file holds: of a name, that of the engine.
  static constexpr int ExactRole = Qt::UserRole + 1;

  using QAbstractTableModel::QAbstractTableModel;

  /// A table that only grows keeps its rows, and so what is selected.
  void show(report::Table table);
  /// With the columns as rows, for few rows of many figures: a panel is high. The cells of the
  /// first column, which are names, become the titles.
  void showTurned(const report::Table& table);
  const report::Table& table() const { return m_table; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;

 private:
  report::Table m_table;
  bool m_turned = false;
};

}  // namespace gridloom::widgets
