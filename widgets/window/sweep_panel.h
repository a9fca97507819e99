// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "bridge/sweep.h"
#include "charts/chart_view.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;

namespace gridloom::widgets {

class FittedTable;
class ReportTableModel;
class Session;
class SweepField;

/// The chart of a sweep, whose points are clicked.
class SweepView : public ChartView {
  Q_OBJECT
 public:
  using ChartView::ChartView;
  void showSweep(const Sweep& sweep, int selected);
  /// -1 for none.
  int pointAt(const QPointF& place) const;

 Q_SIGNALS:
  void picked(int point);
  void activated(int point);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  std::optional<SweepChart> m_sweep;
};

/// Varies one or two numbers of the machine or the kernel: the best mapping at every value, as a
/// chart and a table.
class SweepPanel : public QWidget {
  Q_OBJECT
 public:
  explicit SweepPanel(Session* session, QWidget* parent = nullptr);

  SweepField* field(std::size_t axis) const { return m_fields[axis]; }
  Sweep* sweep() const { return m_sweep; }
  SweepView* chart() const { return m_chart; }
  FittedTable* table() const { return m_table; }
  QPushButton* runButton() const { return m_run; }
  QPushButton* stopButton() const { return m_stop; }
  QPushButton* openButton() const { return m_open; }
  /// As a file; empty before a sweep.
  QByteArray csv() const;

 Q_SIGNALS:
  void started();
  /// A point is to be opened; `title` says which.
  void pointWanted(const Project& project, const QString& title);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeControls();
  QWidget* makeProgress();
  void refill();
  void refreshValues();
  std::vector<SweepAxis> axes() const;
  /// Why nothing is run; empty where it can be.
  QString problem() const;
  void pauseForEdits();
  void run();
  void reload();
  void fitColumns();
  void refreshStale();
  void select(int point);
  void open(int point);

  Session* m_session;
  Sweep* m_sweep;
  std::array<SweepField*, 2> m_fields{};
  QPushButton *m_run = nullptr, *m_stop = nullptr, *m_open = nullptr;
  QWidget* m_running = nullptr;
  QLabel* m_activity = nullptr;
  QProgressBar* m_progress = nullptr;
  QLabel* m_note = nullptr;
  SweepView* m_chart;
  ReportTableModel* m_model;
  FittedTable* m_table;
  QSplitter* m_split;
  int m_selected = -1;
};

}  // namespace gridloom::widgets
