// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/fitted_table.h"

#include <QEvent>
#include <QHeaderView>
#include <algorithm>
#include <utility>

namespace gridloom::widgets {

namespace {

/// Padding left and right of a text. A cell has the style sheet's padding, the focus frame, and
/// rounding; a title has that padding twice, as Qt subtracts it, and the mark of the order in it.
constexpr int kPadding = 2 * 12;
constexpr int kMostMeasured = 300;  // rows
constexpr int kMostRead = 3000;     // rows
constexpr int kLeastWrapped = 60;   // width of a column that wraps

}  // namespace

FittedTable::FittedTable(QAbstractItemModel* model, int elastic, const QString& name,
                         QWidget* parent)
    : QTableView(parent), m_elastic(elastic) {
  setModel(model);
  setObjectName(name);
  setAccessibleName(name);
  setShowGrid(false);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setWordWrap(false);
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
  horizontalHeader()->setHighlightSections(false);
  connect(model, &QAbstractItemModel::modelReset, this, &FittedTable::measureAll);
  connect(model, &QAbstractItemModel::dataChanged, this,
          [this](const QModelIndex& first, const QModelIndex& last) {
            measureRows(first.row(), last.row());
            apply();
          });
  connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
    if (m_applying) return;
    m_dragged << column;
    if (m_wraps) share();
  });
  measureAll();
}

/// Measures all columns; also needed when fonts change.
void FittedTable::measureAll() {
  const int columns = model()->columnCount();
  m_widths.assign(static_cast<std::size_t>(columns), 0);
  for (int column = 0; column < columns; ++column) {
    const QString title = model()->headerData(column, Qt::Horizontal).toString();
    m_widths[static_cast<std::size_t>(column)] =
        horizontalHeader()->fontMetrics().size(0, title).width() + kPadding;
  }
  measureRows(0, model()->rowCount() - 1);
  apply();
}

/// Of a long table every n-th row, with the longest text of all rows between them: texts are read
/// faster than they are measured. The last row has the longest rank.
void FittedTable::measureRows(int first, int last) {
  const int step = std::max(1, (last - first + 1) / kMostMeasured);
  const int read = std::max(1, (last - first + 1) / kMostRead);
  for (int column = 0; column < static_cast<int>(m_widths.size()); ++column) {
    int& width = m_widths[static_cast<std::size_t>(column)];
    for (int row = first; row <= last; row += row < last ? std::min(step, last - row) : 1) {
      width = std::max(width, widthOf(row, column));
    }
    if (step > 1) width = std::max(width, widthOf(longestOf(first, last, read, column), column));
  }
}

int FittedTable::longestOf(int first, int last, int step, int column) const {
  int longest = first;
  qsizetype most = 0;
  for (int row = first; row <= last; row += step) {
    const qsizetype length = model()->index(row, column).data().toString().size();
    if (length <= most) continue;
    most = length;
    longest = row;
  }
  return longest;
}

/// A delegate's size hint lays out text, which is slow: plain cells use font metrics.
int FittedTable::widthOf(int row, int column) const {
  const QModelIndex at = model()->index(row, column);
  QFont own = font();
  if (const QVariant set = at.data(Qt::FontRole); set.isValid())
    own = set.value<QFont>().resolve(own);
  const int text = QFontMetrics(own).horizontalAdvance(at.data().toString()) + kPadding;
  const QAbstractItemDelegate* special = itemDelegateForColumn(column);
  if (!special) return text;
  QStyleOptionViewItem option;
  initViewItemOption(&option);
  return std::max(text, special->sizeHint(option, at).width());
}

void FittedTable::setImportance(std::vector<int> columns) {
  m_importance = std::move(columns);
  apply();
}

void FittedTable::setWanted(int column, bool wanted) {
  if (wanted)
    m_unwanted.remove(column);
  else
    m_unwanted << column;
  if (m_importance.empty()) setColumnHidden(column, !wanted);
  apply();
}

/// Shows those of the wanted columns that fit, the important ones first. One that was dragged wider
/// than there is room gets the room.
void FittedTable::chooseColumns() {
  int room = viewport()->width(), missing = 0;
  for (const int column : m_importance) {
    const bool wanted = !m_unwanted.contains(column);
    const int least = m_widths[static_cast<std::size_t>(column)];
    // The first one is there in any case.
    const bool shown = wanted && (least <= room || column == m_importance.front());
    if (wanted && !shown) ++missing;
    if (isColumnHidden(column) == shown) setColumnHidden(column, !shown);
    if (!shown) continue;
    const bool dragged = m_dragged.contains(column);
    if (dragged && columnWidth(column) > room) setColumnWidth(column, std::max(room, least));
    room -= dragged ? columnWidth(column) : least;
  }
  if (std::exchange(m_missing, missing) != missing) Q_EMIT columnsChosen();
}

void FittedTable::apply() {
  // A table of no result has no columns yet.
  if (static_cast<std::size_t>(m_elastic) >= m_widths.size()) return;
  if (m_wraps) return share();
  const bool was = std::exchange(m_applying, true);
  if (!m_importance.empty()) chooseColumns();
  int rest = viewport()->width();
  for (int column = 0; column < static_cast<int>(m_widths.size()); ++column) {
    if (column == m_elastic || isColumnHidden(column)) continue;
    if (!m_dragged.contains(column))
      setColumnWidth(column, m_widths[static_cast<std::size_t>(column)]);
    rest -= columnWidth(column);
  }
  if (!isColumnHidden(m_elastic))
    setColumnWidth(m_elastic, std::max(rest, m_widths[static_cast<std::size_t>(m_elastic)]));
  m_applying = was;
}

int FittedTable::wholeHeight() const {
  const int rows = model()->rowCount() * verticalHeader()->defaultSectionSize();
  return horizontalHeader()->sizeHint().height() + rows + 2 * frameWidth();
}

void FittedTable::setWrapped() {
  m_wraps = true;
  setWordWrap(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  apply();
}

/// The style's own hint leaves out the padding of its cells. Qt wraps a word that just fits.
int FittedTable::wrappedHeight(int row) const {
  const QFontMetrics metrics = fontMetrics();
  int height = metrics.height();
  for (int column = 0; column < model()->columnCount(); ++column) {
    const QRect room(0, 0, std::max(1, columnWidth(column) - kPadding), 1 << 16);
    const QString words = model()->index(row, column).data().toString();
    if (metrics.horizontalAdvance(words) > room.width())
      height = std::max(height, metrics.boundingRect(room, Qt::TextWordWrap, words).height());
  }
  return height + 10;
}

void FittedTable::share() {
  const bool was = std::exchange(m_applying, true);
  const int columns = static_cast<int>(m_widths.size());
  if (!m_dragged.contains(0)) setColumnWidth(0, m_widths.front());
  int rest = viewport()->width(), sharing = 0;
  for (int column = 0; column < columns; ++column) {
    const bool shares = column > 0 && !m_dragged.contains(column);
    sharing += shares;
    if (!shares) rest -= columnWidth(column);
  }
  for (int column = 1; column < columns; ++column) {
    if (m_dragged.contains(column)) continue;
    const int mine = std::max(kLeastWrapped, rest / sharing);
    setColumnWidth(column, mine);
    rest -= mine;
    --sharing;
  }
  // Columns that stand beside each other need no scroll bar; those that were dragged may.
  setHorizontalScrollBarPolicy(m_dragged.isEmpty() ? Qt::ScrollBarAlwaysOff
                                                   : Qt::ScrollBarAsNeeded);
  for (int row = 0; row < model()->rowCount(); ++row) setRowHeight(row, wrappedHeight(row));
  m_applying = was;
}

void FittedTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  apply();
}

void FittedTable::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() != QEvent::StyleChange && event->type() != QEvent::FontChange) return;
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
  measureAll();
}

}  // namespace gridloom::widgets
