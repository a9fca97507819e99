// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/explain_model.h"

#include <QFont>
#include <algorithm>
#include <cmath>

#include "models/quantity_text.h"

namespace gridloom::widgets {

namespace {

using Row = ExplainModel::Row;
using Kind = ExplainModel::Kind;

Row section(const QString& label, const QString& meaning) {
  return {Kind::Section, {}, label, 0, 0, meaning};
}

/// Adds the parts, largest first, without parts of zero cycles, and then the sum.
void addParts(std::vector<Row>& rows, std::vector<Row> parts, double cycles) {
  std::erase_if(parts, [](const Row& row) { return !(row.cycles > 0); });
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Row& a, const Row& b) { return a.cycles > b.cycles; });
  double sum = 0;
  for (Row& row : parts) {
    row.share = row.cycles / cycles;
    sum += row.cycles;
  }
  rows.insert(rows.end(), parts.begin(), parts.end());
  rows.push_back({Kind::Total,
                  {},
                  QStringLiteral("Sum"),
                  sum / cycles,
                  sum,
                  QStringLiteral("The parts above; 100% of the cycles")});
}

void addEstimate(std::vector<Row>& rows, const cost::Estimate& estimate) {
  rows.push_back(section(
      QStringLiteral("Predicted"),
      QStringLiteral("Terms of the analytical model: computing first, then what it waits for")));
  std::vector<Row> parts;
  for (const cost::Term& term : estimate.terms) {
    const QString cause = text(term.name);
    parts.push_back({Kind::Part, cause, causeTitle(cause), 0, term.cycles, causeMeaning(cause)});
  }
  addParts(rows, std::move(parts), estimate.cycles);
}

void addTwice(std::vector<Row>& rows, const service::Explanation& explanation) {
  rows.push_back(section(QStringLiteral("What if"),
                         QStringLiteral("The same mapping run again with one resource doubled")));
  std::vector<Row> parts;
  for (const service::WhatIf& twice : explanation.twice) {
    const bool simulated = twice.simulatedCycles.has_value();
    const double before =
        simulated ? explanation.run->simulated.cycles : explanation.run->predicted.cycles;
    const double after = simulated ? *twice.simulatedCycles : twice.predictedCycles;
    parts.push_back(
        {Kind::Twice, text(twice.resource), resourceTitle(twice.resource), 1 - after / before,
         after,
         QStringLiteral("%1 cycles instead of %2, %3")
             .arg(cyclesText(after), cyclesText(before),
                  simulated ? QStringLiteral("simulated") : QStringLiteral("predicted"))});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Row& a, const Row& b) { return a.share > b.share; });
  rows.insert(rows.end(), parts.begin(), parts.end());
}

QString shareText(const Row& row) {
  if (row.kind == Kind::Twice)
    return std::abs(row.share) < 5e-4 ? QStringLiteral("no gain") : signedPercentText(-row.share);
  return percentText(row.share);
}

}  // namespace

void ExplainModel::show(const cost::Estimate* estimate, const service::Explanation* explanation) {
  beginResetModel();
  m_rows.clear();
  if (explanation && explanation->run) addTwice(m_rows, *explanation);
  if (estimate && estimate->cycles > 0) addEstimate(m_rows, *estimate);
  endResetModel();
}

int ExplainModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ExplainModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : Columns;
}

Qt::ItemFlags ExplainModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Kind kind = m_rows[static_cast<std::size_t>(index.row())].kind;
  return kind == Kind::Part ? Qt::ItemIsEnabled | Qt::ItemIsSelectable
                            : Qt::ItemFlags(Qt::ItemIsEnabled);
}

QVariant ExplainModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  switch (role) {
  case ShareRole:
    return row.share;
  case KindRole:
    return static_cast<int>(row.kind);
  case CauseRole:
    return row.cause;
  case Qt::ToolTipRole:
    return row.meaning;
  case Qt::TextAlignmentRole:
    return QVariant::fromValue(Qt::AlignVCenter |
                               (index.column() == Label ? Qt::AlignLeft : Qt::AlignRight));
  case Qt::FontRole:
    if (row.kind == Kind::Section || row.kind == Kind::Total) {
      QFont font;
      font.setWeight(QFont::DemiBold);
      return font;
    }
    return {};
  case Qt::DisplayRole:
    break;
  default:
    return {};
  }
  if (index.column() == Label) return row.label;
  if (row.kind == Kind::Section) return {};
  return index.column() == Share ? shareText(row) : cyclesText(row.cycles);
}

QVariant ExplainModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(Qt::AlignVCenter |
                               (section == Label ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
  case Label:
    return QStringLiteral("Cause");
  case Share:
    return QStringLiteral("Share");
  case Cycles:
    return QStringLiteral("Cycles");
  default:
    return {};
  }
}

}  // namespace gridloom::widgets
