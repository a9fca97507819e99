// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <limits>
#include <vector>

namespace gridloom::widgets {

/// One ranked mapping for the table and the charts. NaN: not known (yet).
struct RankedRow {
  QString mapping;
  double predicted = 0;    ///< cycles
  double simulated = 0;    ///< cycles
  double tflops = 0;       ///< simulated where known, predicted otherwise
  double utilization = 0;  ///< as tflops
  QString bottleneck;
  double localBytes = 0;
  double localCapacity = 0;
  double error() const { return predicted / simulated - 1.0; }
};

/// The ranked mappings over flat rows and a vector of row numbers: sorting and filtering touch only
/// that vector.
class RankedModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    Rank,
    Predicted,
    Simulated,
    Error,
    Rate,
    Utilization,
    Bottleneck,
    Memory,
    Mapping,
    Columns
  };
  /// Value of a cell as a number, for sorting and export.
  static constexpr int SortRole = Qt::UserRole + 1;

  using QAbstractTableModel::QAbstractTableModel;

  void setRows(std::vector<RankedRow> rows);
  /// Replaces one row by its rank, and moves it to its sorted position; the selection moves with
  /// its row.
  void updateRow(int candidate, RankedRow row);
  /// Compares simulated cycles with these instead of predicted ones; NaN ends it.
  void setReference(double cycles);
  /// Keeps rows whose mapping or bottleneck contains every word, and whose figures are in every
  /// range: `simulated<3.6M`, `error>=1%`, `util>50%`, `memory<1MiB`; also `#`, predicted, tflops.
  void setFilter(const QString& words);
  /// A pinned row stays above the others, whatever is filtered and sorted.
  void togglePin(int candidate);
  bool isPinned(int candidate) const;
  const QStringList& filter() const { return m_filter; }

  const std::vector<RankedRow>& rows() const { return m_rows; }
  /// The candidate with the fewest simulated cycles; -1 until two are simulated. Its row is bold.
  int fastest() const { return m_fastest; }
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

  /// RFC 4180, all rows as shown, numbers unrounded.
  QByteArray csv() const;

 private:
  QString display(const RankedRow& row, int candidate, int column) const;
  QVariant sortValue(const RankedRow& row, int candidate, int column) const;
  void rebuild();
  void reorder();
  double errorOf(const RankedRow& row) const;
  bool accepts(const RankedRow& row, int candidate) const;
  void parseRanges();
  int findFastest() const;
  void announce(int candidate);

  std::vector<RankedRow> m_rows;
  std::vector<int> m_shown;
  QStringList m_filter;  ///< as typed
  QStringList m_words;   ///< those of it that are no ranges
  struct Range {
    int column = 0;
    QString comparison;
    double value = 0;
  };
  std::vector<Range> m_ranges;
  std::vector<int> m_pinned;
  int m_fastest = -1;
  double m_reference = std::numeric_limits<double>::quiet_NaN();  ///< simulated cycles of A
  int m_sortColumn = Rank;
  Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

}  // namespace gridloom::widgets
