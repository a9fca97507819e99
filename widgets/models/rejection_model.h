// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "search/search.h"

namespace gridloom::widgets {

/// Counts of the points of a mapping space: ranked, pruned, and infeasible by reason, with the
/// smallest excess.
class RejectionModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Reason, Count, Share, NearestMiss, Columns };

  using QAbstractTableModel::QAbstractTableModel;

  void setSpace(search::SpaceCount space);
  const search::SpaceCount& space() const { return m_space; }
  /// Directives of the nearest mapping that a row is about; empty for rows without one.
  QString directivesOf(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;

 private:
  QString cell(int row, int column) const;
  search::SpaceCount m_space;
};

/// "capacity" -> "Does not fit local memory".
QString rejectionTitle(const QString& reason);
/// How much of the space was covered, and how exact the ranking is; a sentence that goes on.
QString coverText(const search::SpaceCount& space);
/// "6,781,684 mappings: 9,604 evaluated, 6,277,522 pruned by a bound, 494,558 infeasible." and
/// `coverText`.
QString extentText(const search::SpaceCount& space);
/// "needs 1.91 MiB, has 1.43 MiB: 0.48 MiB too much".
QString nearestMissText(const search::Rejection& rejection);

}  // namespace gridloom::widgets
