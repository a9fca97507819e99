// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "service/workspace.h"

namespace gridloom::widgets {

/// What one mapping gains from twice of each resource, and the terms of its prediction, which sum
/// to the whole.
class ExplainModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Label, Share, Cycles, Columns };
  enum class Kind { Section, Part, Total, Twice };
  struct Row {
    Kind kind = Kind::Part;
    QString cause;  ///< name of the term or state
    QString label;
    double share = 0;  ///< of the whole; for Twice: the cycles saved over the current cycles
    double cycles = 0;
    QString meaning;
  };
  static constexpr int ShareRole = Qt::UserRole + 1;
  static constexpr int KindRole = Qt::UserRole + 2;
  static constexpr int CauseRole = Qt::UserRole + 3;

  using QAbstractTableModel::QAbstractTableModel;

  /// Both may be null.
  void show(const cost::Estimate* estimate, const service::Explanation* explanation);
  const std::vector<Row>& rows() const { return m_rows; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  std::vector<Row> m_rows;
};

}  // namespace gridloom::widgets
