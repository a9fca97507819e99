// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/ranked_model.h"

#include <QFont>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

namespace gridloom::widgets {

namespace {

constexpr std::size_t kInlineRows = 20'000;  // more are ordered by a worker

struct Ordered {
  RankedOrder order;
  std::vector<int> shown;
};

}  // namespace

void RankedModel::setRows(const std::vector<RankedRow>& rows) {
  setRows(std::make_shared<RankedRows>(rows));
}

void RankedModel::setRows(std::shared_ptr<const RankedRows> rows) {
  m_job.drop();
  beginResetModel();
  const double reference = m_rows->reference();
  m_rows = std::move(rows);
  if (!std::isnan(reference)) writableRows().setReference(reference);
  m_fastest = findFastest();
  // By rank, until it is in the order that was asked for.
  m_shown.resize(m_rows->size());
  std::iota(m_shown.begin(), m_shown.end(), 0);
  m_order = {};
  m_wanted.pinned.clear();
  m_wanted.filter.forget();
  endResetModel();
  order([](RankedOrder&) {});
}

/// A worker may still read the rows: then they are copied.
RankedRows& RankedModel::writableRows() {
  if (m_rows.use_count() > 1) m_rows = std::make_shared<RankedRows>(*m_rows);
  std::atomic_thread_fence(std::memory_order_acquire);
  return const_cast<RankedRows&>(*m_rows);
}

/// Changes the order that is asked for, and orders the rows so.
template <class Change> void RankedModel::order(const Change& change) {
  change(m_wanted);
  m_changed.clear();
  if (m_rows->size() <= kInlineRows) {
    RankedOrder wanted = m_wanted;
    std::vector<int> shown = wanted.apply(*m_rows, base::Progress());
    return adopt(std::move(wanted), std::move(shown));
  }
  m_job.start<Ordered>(
      [rows = m_rows, order = m_wanted](base::Progress& progress) -> Job::Answer<Ordered> {
        auto made = std::make_shared<Ordered>(Ordered{order, {}});
        made->shown = made->order.apply(*rows, progress);
        return std::shared_ptr<const Ordered>(std::move(made));
      },
      [this](Job::Answer<Ordered> answer) {
        if (!answer) return;
        adopt((*answer)->order, (*answer)->shown);
        for (const int candidate : std::exchange(m_changed, {})) replaceInOrder(candidate);
      });
}

/// Other rows are a new model, another order of the same ones keeps the selection.
void RankedModel::adopt(RankedOrder order, std::vector<int> shown) {
  const bool sameRows = order.filter.words() == m_order.filter.words() &&
                        order.pinned == m_order.pinned && shown.size() == m_shown.size();
  const auto change = [&] {
    m_shown = std::move(shown);
    m_order = std::move(order);
  };
  if (sameRows) return reorder(change);
  beginResetModel();
  change();
  endResetModel();
}

void RankedModel::updateRow(int candidate, const RankedRow& row) {
  if (candidate < 0 || candidate >= static_cast<int>(m_rows->size())) return;
  const auto at = static_cast<std::size_t>(candidate);
  const auto place = [&] {
    return std::pair(sortValue(at, m_order.column), m_order.shows(*m_rows, candidate));
  };
  const auto old = place();
  writableRows().set(at, row);
  m_order.filter.prepare(*m_rows);
  if (place() != old) replaceInOrder(candidate);
  if (m_job.running()) m_changed.push_back(candidate);
  const int before = std::exchange(m_fastest, findFastest());
  announce(candidate);
  if (before != m_fastest) {
    announce(before);
    announce(m_fastest);
  }
  Q_EMIT simulatedChanged();
}

void RankedModel::announce(int candidate) {
  const int shown = viewRowOf(candidate);
  if (shown >= 0) Q_EMIT dataChanged(index(shown, 0), index(shown, kRankedColumns - 1));
}

int RankedModel::findFastest() {
  int best = -1;
  m_simulated = 0;
  for (std::size_t i = 0; i < m_rows->size(); ++i) {
    if (std::isnan(m_rows->simulated(i))) continue;
    ++m_simulated;
    if (best < 0 || m_rows->simulated(i) < m_rows->simulated(static_cast<std::size_t>(best)))
      best = static_cast<int>(i);
  }
  return m_simulated > 1 ? best : -1;
}

void RankedModel::setReference(double cycles) {
  if (std::isnan(cycles) && std::isnan(m_rows->reference())) return;
  beginResetModel();
  writableRows().setReference(cycles);
  endResetModel();
  order([](RankedOrder&) {});
  const int error = indexOf(RankedColumn::Error);
  Q_EMIT headerDataChanged(Qt::Horizontal, error, error);
}

void RankedModel::setCompared(int a, int b) {
  if (a == m_a && b == m_b) return;
  const int before[] = {m_a, m_b};
  m_a = a;
  m_b = b;
  for (const int candidate : {before[0], before[1], a, b}) {
    const int row = viewRowOf(candidate);
    if (row >= 0) Q_EMIT dataChanged(index(row, 0), index(row, 0));
  }
}

void RankedModel::setFilter(const QString& words) {
  RankedFilter filter(words);
  if (filter.words() == m_wanted.filter.words()) return;
  order([&](RankedOrder& wanted) { wanted.filter = std::move(filter); });
}

void RankedModel::togglePin(int candidate) {
  if (candidate < 0 || candidate >= static_cast<int>(m_rows->size())) return;
  order([candidate](RankedOrder& wanted) {
    if (std::erase(wanted.pinned, candidate) == 0) wanted.pinned.push_back(candidate);
  });
}

bool RankedModel::isPinned(int candidate) const { return m_order.isPinned(candidate); }

QString RankedModel::extentText() const {
  const auto all = static_cast<int>(m_rows->size());
  if (m_order.filter.empty())
    return all == 1 ? QStringLiteral("1 mapping") : QStringLiteral("%1 mappings").arg(all);
  return QStringLiteral("only the %1 of %2 mappings that match \u201c%3\u201d")
      .arg(m_shown.size())
      .arg(all)
      .arg(m_order.filter.words().join(QLatin1Char(' ')));
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
  std::vector<int> rows(m_rows->size(), -1);
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
    return m_rows->twins(at);
  case OutputsRole:
    return m_rows->outputs();
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
  if (isText(column)) return m_rows->text(at, column);
  if (column == RankedColumn::Rank) return static_cast<int>(at) + 1;
  return m_rows->number(at, column);
}

void RankedModel::sort(int column, Qt::SortOrder direction) {
  if (column < 0 || column >= kRankedColumns) return;
  order([&](RankedOrder& wanted) {
    wanted.column = static_cast<RankedColumn>(column);
    wanted.direction = direction;
  });
}

/// Moves one row, so that each simulation that arrives does not sort all rows again.
void RankedModel::replaceInOrder(int candidate) {
  reorder([&] {
    if (const auto old = std::ranges::find(m_shown, candidate); old != m_shown.end())
      m_shown.erase(old);
    if (!m_order.shows(*m_rows, candidate)) return;
    const auto place = std::ranges::upper_bound(
        m_shown, candidate, [this](int a, int b) { return m_order.before(*m_rows, a, b); });
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
