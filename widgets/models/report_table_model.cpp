// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/report_table_model.h"

#include "models/quantity_text.h"

namespace gridloom::widgets {

void ReportTableModel::show(report::Table table) {
  beginResetModel();
  m_table = std::move(table);
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
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  return text(m_table.rows[static_cast<std::size_t>(index.row())][column].shown);
}

QVariant ReportTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const auto column = static_cast<std::size_t>(section);
  if (orientation != Qt::Horizontal || column >= m_table.columns.size()) return {};
  // The command has titles in small letters.
  const QString title = text(m_table.columns[column].title);
  if (role == Qt::DisplayRole) return title.left(1).toUpper() + title.mid(1);
  if (role != Qt::TextAlignmentRole) return {};
  const bool left = m_table.columns[column].align == report::Align::Left;
  return QVariant::fromValue(Qt::AlignBottom | (left ? Qt::AlignLeft : Qt::AlignRight));
}

}  // namespace gridloom::widgets
