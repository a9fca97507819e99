// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/problem_model.h"

#include <QColor>
#include <QGuiApplication>
#include <algorithm>

#include "models/quantity_text.h"
#include "theme/tokens.h"

namespace gridloom::widgets {

namespace {

QString placeOf(const base::Diagnostic& diagnostic) {
  if (!diagnostic.source) return {};
  const auto at = diagnostic.source->lineColumn(diagnostic.span.begin);
  return QStringLiteral("%1:%2:%3")
      .arg(text(diagnostic.source->name()))
      .arg(at.line)
      .arg(at.column);
}

QColor colourOf(base::Severity severity) {
  const Tokens& tokens = tokensFor(QGuiApplication::palette());
  switch (severity) {
  case base::Severity::Error:
    return tokens.error;
  case base::Severity::Warning:
    return tokens.warning;
  case base::Severity::Note:
    break;
  }
  return tokens.muted;
}

}  // namespace

void ProblemModel::setProblems(std::vector<Problem> problems) {
  beginResetModel();
  m_problems = std::move(problems);
  std::stable_sort(m_problems.begin(), m_problems.end(), [](const Problem& a, const Problem& b) {
    return a.diagnostic.severity > b.diagnostic.severity;
  });
  endResetModel();
}

int ProblemModel::errorCount() const {
  return static_cast<int>(
      std::count_if(m_problems.begin(), m_problems.end(), [](const Problem& problem) {
        return problem.diagnostic.severity == base::Severity::Error;
      }));
}

int ProblemModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_problems.size());
}

int ProblemModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : Columns;
}

QVariant ProblemModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const base::Diagnostic& diagnostic = problemAt(index.row()).diagnostic;
  if (role == Qt::ForegroundRole) {
    if (index.column() == Message) return colourOf(diagnostic.severity);
    return tokensFor(QGuiApplication::palette()).muted;
  }
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) {
    switch (index.column()) {
    case Message:
      return text(diagnostic.message);
    case Place:
      return placeOf(diagnostic);
    case Hint:
      return text(diagnostic.hint);
    default:
      return {};
    }
  }
  return {};
}

QVariant ProblemModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignLeft);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
  case Message:
    return QStringLiteral("Problem");
  case Place:
    return QStringLiteral("Where");
  case Hint:
    return QStringLiteral("Help");
  default:
    return {};
  }
}

}  // namespace gridloom::widgets
