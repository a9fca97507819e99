// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/ranked_model.h"

#include <QFont>
#include <algorithm>
#include <cmath>
#include <utility>

namespace gridloom::widgets {

void RankedModel::setRows(const std::vector<RankedRow>& rows) {
  RankedRows made;
  made.assign(rows);
  setRows(std::move(made));
}

void RankedModel::setRows(RankedRows rows) {
  beginResetModel();
  rows.setReference(m_rows.reference());
  m_rows = std::move(rows);
  m_pinned.clear();
  m_filter.forget();
  m_fastest = findFastest();
  rebuild();
  endResetModel();
}

void RankedModel::updateRow(int candidate, const RankedRow& row) {
  if (candidate < 0 || candidate >= static_cast<int>(m_rows.size())) return;
  const auto at = static_cast<std::size_t>(candidate);
  const auto place = [&] { return std::pair(sortValue(at, m_sortColumn), isShownAt(at)); };
  const auto old = place();
  m_rows.set(at, row);
  m_filter.prepare(m_rows);
  if (place() != old) replaceInOrder(candidate);
  announce(candidate);
  const int before = std::exchange(m_fastest, findFastest());
  if (before == m_fastest) return;
  announce(before);
  announce(m_fastest);
}

void RankedModel::announce(int candidate) {
  const int shown = viewRowOf(candidate);
  if (shown >= 0) Q_EMIT dataChanged(index(shown, 0), index(shown, kRankedColumns - 1));
}

int RankedModel::findFastest() const {
  int best = -1;
  int simulated = 0;
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    if (std::isnan(m_rows.simulated(i))) continue;
    ++simulated;
    if (best < 0 || m_rows.simulated(i) < m_rows.simulated(static_cast<std::size_t>(best)))
      best = static_cast<int>(i);
  }
  return simulated > 1 ? best : -1;
}

void RankedModel::setReference(double cycles) {
  if (std::isnan(cycles) && std::isnan(m_rows.reference())) return;
  beginResetModel();
  m_rows.setReference(cycles);
  rebuild();
  endResetModel();
  const int error = indexOf(RankedColumn::Error);
  Q_EMIT headerDataChanged(Qt::Horizontal, error, error);
}

void RankedModel::setFilter(const QString& words) {
  RankedFilter filter(words);
  if (filter.words() == m_filter.words()) return;
  beginResetModel();
  m_filter = std::move(filter);
  rebuild();
  endResetModel();
}

void RankedModel::togglePin(int candidate) {
  if (candidate < 0 || candidate >= static_cast<int>(m_rows.size())) return;
  const auto found = std::ranges::find(m_pinned, candidate);
  if (found == m_pinned.end())
    m_pinned.push_back(candidate);
  else
    m_pinned.erase(found);
  beginResetModel();
  rebuild();
  endResetModel();
}

bool RankedModel::isPinned(int candidate) const {
  return std::ranges::find(m_pinned, candidate) != m_pinned.end();
}

QString RankedModel::extentText() const {
  const auto all = static_cast<int>(m_rows.size());
  if (m_filter.empty())
    return all == 1 ? QStringLiteral("1 mapping") : QStringLiteral("%1 mappings").arg(all);
  return QStringLiteral("only the %1 of %2 mappings that match \u201c%3\u201d")
      .arg(m_shown.size())
      .arg(all)
      .arg(m_filter.words().join(QLatin1Char(' ')));
}

int RankedModel::candidateAt(int viewRow) const {
  return viewRow < 0 || viewRow >= rowCount() ? -1 : m_shown[static_cast<std::size_t>(viewRow)];
}

int RankedModel::viewRowOf(int candidate) const {
  const auto it = std::find(m_shown.begin(), m_shown.end(), candidate);
  return it == m_shown.end() ? -1 : static_cast<int>(it - m_shown.begin());
}

/// Per candidate: its row, or -1 when filtered out.
std::vector<int> RankedModel::viewRows() const {
  std::vector<int> rows(m_rows.size(), -1);
  for (std::size_t row = 0; row < m_shown.size(); ++row)
    rows[static_cast<std::size_t>(m_shown[row])] = static_cast<int>(row);
  return rows;
}

int RankedModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int RankedModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kRankedColumns;
}

QVariant RankedModel::data(const QModelIndex& index, int role) const {
  const int candidate = index.isValid() ? candidateAt(index.row()) : -1;
  if (candidate < 0) return {};
  const auto at = static_cast<std::size_t>(candidate);
  const auto column = static_cast<RankedColumn>(index.column());
  switch (role) {
  case Qt::DisplayRole:
    return display(at, column);
  case SortRole:
    return sortValue(at, column);
  case TwinsRole:
    return m_rows.twins(at);
  case Qt::TextAlignmentRole:
    return QVariant::fromValue(Qt::AlignVCenter |
                               (isText(column) ? Qt::AlignLeft : Qt::AlignRight));
  case Qt::FontRole:
    // Numbers alone: bold choices would be wider than those of other rows.
    if (candidate == m_fastest && !isText(column)) {
      QFont font;
      font.setBold(true);
      return font;
    }
    return {};
  case Qt::ToolTipRole:
    return toolTip(at, column);
  default:
    return {};
  }
}

QVariant RankedModel::sortValue(std::size_t at, RankedColumn column) const {
  if (isText(column)) return m_rows.text(at, column);
  if (column == RankedColumn::Rank) return static_cast<int>(at) + 1;
  return m_rows.number(at, column);
}

bool RankedModel::isShownAt(std::size_t at) const {
  return isPinned(static_cast<int>(at)) || m_filter.accepts(m_rows, at);
}

void RankedModel::rebuild() {
  m_filter.prepare(m_rows);
  m_shown.clear();
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    if (m_filter.empty() || isShownAt(i)) m_shown.push_back(static_cast<int>(i));
  }
  sortShown();
}

/// Unknown numbers stay at the end in either order; equal ones keep the order of the ranking.
void RankedModel::sortShown() {
  const bool down = m_sortOrder == Qt::DescendingOrder;
  struct Keyed {
    double key = 0;
    int candidate = 0;
    bool operator<(const Keyed& other) const {
      return key < other.key || (key == other.key && candidate < other.candidate);
    }
  };
  const std::vector<double> keys = m_rows.keys(m_sortColumn);
  std::vector<Keyed> known;
  known.reserve(m_shown.size());
  std::vector<int> unknown;
  // By rank first, which takes no sort.
  std::vector<char> isShown(m_rows.size(), 0);
  for (const int candidate : m_shown) isShown[static_cast<std::size_t>(candidate)] = 1;
  for (std::size_t i = 0; i < isShown.size(); ++i) {
    if (!isShown[i]) continue;
    const auto candidate = static_cast<int>(i);
    const double key = keys[i];
    if (std::isnan(key))
      unknown.push_back(candidate);
    else
      known.push_back({down ? -key : key, candidate});
  }
  if (!std::is_sorted(known.begin(), known.end())) std::sort(known.begin(), known.end());
  std::ranges::transform(known, m_shown.begin(), &Keyed::candidate);
  std::ranges::copy(unknown, m_shown.begin() + static_cast<std::ptrdiff_t>(known.size()));
  if (!m_pinned.empty()) {
    std::ranges::stable_partition(m_shown, [&](int candidate) { return isPinned(candidate); });
  }
}

/// The order of `sortShown`, for two rows.
bool RankedModel::before(int a, int b) const {
  if (isPinned(a) != isPinned(b)) return isPinned(a);
  const auto first = static_cast<std::size_t>(a);
  const auto second = static_cast<std::size_t>(b);
  const bool down = m_sortOrder == Qt::DescendingOrder;
  if (isText(m_sortColumn)) {
    const int order = m_rows.text(first, m_sortColumn).compare(m_rows.text(second, m_sortColumn));
    return order == 0 ? a < b : (order < 0) != down;
  }
  const double x = m_rows.number(first, m_sortColumn);
  const double y = m_rows.number(second, m_sortColumn);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
  return x == y ? a < b : (x < y) != down;
}

void RankedModel::sort(int column, Qt::SortOrder order) {
  if (column < 0 || column >= kRankedColumns) return;
  m_sortColumn = static_cast<RankedColumn>(column);
  m_sortOrder = order;
  reorder([this] { sortShown(); });
}

/// Moves one row, so that each simulation that arrives does not sort all rows again.
void RankedModel::replaceInOrder(int candidate) {
  reorder([&] {
    if (const auto old = std::ranges::find(m_shown, candidate); old != m_shown.end())
      m_shown.erase(old);
    if (!isShownAt(static_cast<std::size_t>(candidate))) return;
    const auto place =
        std::ranges::upper_bound(m_shown, candidate, [this](int a, int b) { return before(a, b); });
    m_shown.insert(place, candidate);
  });
}

/// Changes the order of the rows; views keep their selection, which may have most of the rows.
template <class Change> void RankedModel::reorder(const Change& change) {
  Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  std::vector<int> kept;
  for (const QModelIndex& old : before) kept.push_back(candidateAt(old.row()));
  change();
  const std::vector<int> rows = before.isEmpty() ? std::vector<int>() : viewRows();
  QModelIndexList after;
  after.reserve(before.size());
  for (qsizetype i = 0; i < before.size(); ++i) {
    const int candidate = kept[static_cast<std::size_t>(i)];
    const int row = candidate < 0 ? -1 : rows[static_cast<std::size_t>(candidate)];
    after.push_back(row < 0 ? QModelIndex() : index(row, before[i].column()));
  }
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged({}, VerticalSortHint);
}

}  // namespace gridloom::widgets
