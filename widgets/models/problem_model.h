// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "base/diagnostic.h"

namespace gridloom::widgets {

/// Which text of the project a problem is about.
enum class Subject { Hardware, Kernel, Directives, Exploration };

struct Problem {
  Subject subject = Subject::Exploration;
  base::Diagnostic diagnostic;
};

/// Diagnostics of all inputs, errors first.
class ProblemModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Message, Place, Hint, Columns };

  using QAbstractTableModel::QAbstractTableModel;

  void setProblems(std::vector<Problem> problems);
  const Problem& problemAt(int row) const { return m_problems[static_cast<std::size_t>(row)]; }
  int errorCount() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation,
                      int role = Qt::DisplayRole) const override;

 private:
  std::vector<Problem> m_problems;
};

}  // namespace gridloom::widgets
