// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <memory>
#include <vector>

#include "bridge/job.h"
#include "models/ranked_order.h"
#include "models/ranked_rows.h"

namespace gridloom::widgets {

/// The ranked mappings over columns and a vector of row numbers: sorting and filtering make that
/// vector anew. Of a long table a worker makes it, while the views keep the old one; a further
/// request takes the place of one that is under way.
class RankedModel : public QAbstractTableModel {
  Q_OBJECT
 Q_SIGNALS:
  /// Of a mapping, shown or not, the simulation has ended.
  void simulatedChanged();

 public:
  /// Value of a cell as a number, for sorting and export.
  static constexpr int SortRole = Qt::UserRole + 1;
  /// Of Space: how many equivalent mappings are not listed.
  static constexpr int TwinsRole = Qt::UserRole + 2;
  /// RankedRows::outputs.
  static constexpr int OutputsRole = Qt::UserRole + 3;

  using QAbstractTableModel::QAbstractTableModel;

  void setRows(const std::vector<RankedRow>& rows);
  void setRows(std::shared_ptr<const RankedRows> rows);
  /// Replaces one row by its rank, and moves it to its sorted position; the selection moves with
  /// its row.
  void updateRow(int candidate, const RankedRow& row);
  /// Compares simulated cycles with these instead of predicted ones; NaN ends it.
  void setReference(double cycles);
  /// The rows of A and B of a comparison carry their letter; -1: not in this table.
  void setCompared(int a, int b);
  /// Keeps the rows that a `RankedFilter` of these words accepts.
  void setFilter(const QString& words);
  /// A pinned row stays above the others, whatever is filtered and sorted.
  void togglePin(int candidate);
  bool isPinned(int candidate) const;
  const QStringList& filter() const { return m_order.filter.words(); }
  /// A worker orders the rows; what is shown is of earlier requests.
  bool ordering() const { return m_job.running(); }

  const RankedRows& rows() const { return *m_rows; }
  /// The same, as they are now: a later change makes a copy.
  const std::shared_ptr<const RankedRows>& sharedRows() const { return m_rows; }
  /// The candidate with the fewest simulated cycles; -1 until two are simulated. Its row is bold.
  int fastest() const { return m_fastest; }
  /// How many are simulated.
  int simulated() const { return m_simulated; }
  /// Candidates in the order of the rows, without those that the filter hides.
  const std::vector<int>& shown() const { return m_shown; }
  /// "12 mappings", or how many of how many match the filter.
  QString extentText() const;
  int candidateAt(int viewRow) const;
  /// -1 when filtered out.
  int viewRowOf(int candidate) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  /// RFC 4180, all rows as shown, numbers unrounded; the mapping in one column.
  QByteArray csv() const;

 private:
  QString display(std::size_t at, RankedColumn column) const;
  QString letterOf(int candidate) const;
  QString toolTip(std::size_t at, RankedColumn column) const;
  QVariant sortValue(std::size_t at, RankedColumn column) const;
  RankedRows& writableRows();
  template <class Change> void order(const Change& change);
  void adopt(RankedOrder order, std::vector<int> shown);
  template <class Change> void reorder(const Change& change);
  void replaceInOrder(int candidate);
  std::vector<int> viewRows() const;
  int findFastest();
  void announce(int candidate);

  std::shared_ptr<const RankedRows> m_rows = std::make_shared<RankedRows>();
  std::vector<int> m_shown;
  RankedOrder m_order;         ///< of `m_shown`
  RankedOrder m_wanted;        ///< the last request; other than `m_order` while `m_job` runs
  std::vector<int> m_changed;  ///< rows that changed since the request
  int m_fastest = -1;
  int m_a = -1, m_b = -1;
  int m_simulated = 0;
  Job m_job;
};

/// Name of a column on one line, and the sentence that defines it.
QString titleOf(RankedColumn column);
QString meaningOf(RankedColumn column);
/// Name of a column in files and settings.
QString keyOf(RankedColumn column);

}  // namespace gridloom::widgets
