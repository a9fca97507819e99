// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/report_table_model.h"

#include <algorithm>

#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

/// With the signs that the window has.
void setSigns(report::Table& table) {
  for (auto& row : table.rows) {
    for (report::Cell& cell : row) cell.shown = shownText(cell.shown).toStdString();
  }
}

bool haveSameTitles(const report::Table& a, const report::Table& b) {
  return std::ranges::equal(a.columns, b.columns, {}, &report::Column::title,
                            &report::Column::title);
}

}  // namespace

void ReportTableModel::show(report::Table table) {
  setSigns(table);
  const auto before = static_cast<int>(m_table.rows.size()),
             after = static_cast<int>(table.rows.size());
  // A table that grows keeps what is selected in it, and where it is scrolled to.
  if (!m_turned && before > 0 && after >= before && haveSameTitles(m_table, table)) {
    if (after > before) beginInsertRows({}, before, after - 1);
    m_table = std::move(table);
    if (after > before) endInsertRows();
    Q_EMIT dataChanged(index(0, 0), index(before - 1, columnCount() - 1));
    return;
  }
  beginResetModel();
  m_turned = false;
  m_table = std::move(table);
  endResetModel();
}

void ReportTableModel::showTurned(const report::Table& table) {
  report::Table made;
  if (!table.columns.empty()) made.columns.push_back(table.columns.front());
  for (const auto& row : table.rows) made.columns.push_back({row[0].shown, row[0].exact});
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    made.rows.push_back({report::textCell(table.columns[c].title)});
    for (const auto& row : table.rows) made.rows.back().push_back(row[c]);
  }
  setSigns(made);
  beginResetModel();
  m_turned = true;
  m_table = std::move(made);
  endResetModel();
}

int ReportTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int ReportTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant ReportTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto column = static_cast<std::size_t>(index.column());
  if (role == Qt::TextAlignmentRole) {
    const bool left = m_table.columns[column].align == report::Align::Left;
    return QVariant::fromValue(Qt::AlignVCenter | (left ? Qt::AlignLeft : Qt::AlignRight));
  }
  const report::Cell& cell = m_table.rows[static_cast<std::size_t>(index.row())][column];
  if (role == ExactRole) return text(cell.exact);
  return role == Qt::DisplayRole || role == Qt::ToolTipRole ? text(cell.shown) : QVariant();
}

QVariant ReportTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const auto column = static_cast<std::size_t>(section);
  if (orientation != Qt::Horizontal || column >= m_table.columns.size()) return {};
  // The command has titles in small letters. Names stay as they are.
  const QString title = text(m_table.columns[column].title);
  if (role == Qt::DisplayRole)
    return m_turned && section > 0 ? title : title.left(1).toUpper() + title.mid(1);
  if (role != Qt::TextAlignmentRole) return {};
  const bool left = m_table.columns[column].align == report::Align::Left;
  return QVariant::fromValue(Qt::AlignBottom | (left ? Qt::AlignLeft : Qt::AlignRight));
}

}  // namespace gridloom::widgets
