// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <vector>

#include "models/measured_problem.h"
#include "report/reproduction.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace gridloom::widgets {

class CodeEditor;
class LineLabel;
class Measurements;
class ProblemModel;
class ReportTableModel;
class ScatterPlot;

/// Measurements beside prediction and simulation: a scatter and the rows, for one quantity at a
/// time. Or what is wrong with their file, at its places.
class MeasuredPanel : public QWidget {
  Q_OBJECT
 public:
  explicit MeasuredPanel(Measurements* measurements, QWidget* parent = nullptr);
  ScatterPlot* scatter() const { return m_scatter; }
  /// Errors and rank correlations of the figures that are shown, in one line.
  QString errors() const { return m_errors; }
  QTableView* rows() const { return m_rows; }
  QTableView* problems() const { return m_problems; }
  CodeEditor* text() const { return m_text; }
  QComboBox* quantities() const { return m_quantity; }
  QPushButton* openButton() const { return m_open; }

 Q_SIGNALS:
  void fileWanted();
  /// The problem of a row is to be opened; `name` is what the row is called.
  void problemWanted(const RowSettings& row, const QString& name);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeEmpty();
  QWidget* makeResult();
  QWidget* makeProblems();
  void reload();
  void showProblems();
  void showQuantity();
  void showProblem(int row);
  void refreshActivity();
  void select(int row);
  void brush(const std::vector<int>& rows);
  void followTable();
  void openRow(int row);
  QString describe(int row) const;

  struct Figure {
    report::ReproducedFigure figure;
    RowSettings settings;  ///< empty for a figure of all rows
  };
  Measurements* m_measurements;
  std::vector<Figure> m_figures;  ///< of all tables
  std::vector<Figure> m_shown;    ///< those of the quantity, in the order of the rows
  ReportTableModel* m_model;
  ProblemModel* m_problemModel;
  QLabel* m_activity;
  QProgressBar* m_progress;
  QPushButton* m_stop;
  QPushButton* m_open = nullptr;
  QComboBox* m_quantity = nullptr;
  LineLabel* m_summary = nullptr;
  QString m_errors;
  ScatterPlot* m_scatter = nullptr;
  QSplitter* m_split = nullptr;
  QTableView* m_rows = nullptr;
  QTableView* m_problems = nullptr;
  CodeEditor* m_text = nullptr;
  QStackedWidget* m_stack;
  QTimer m_poll;
  bool m_following = false;  ///< plot and table are being made to agree
};

}  // namespace gridloom::widgets
