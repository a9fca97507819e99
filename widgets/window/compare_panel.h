// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "report/run_difference.h"

class QAction;
class QPushButton;
class QTabWidget;
class QTableView;

namespace gridloom::widgets {

class FittedTable;
class ReportTableModel;
class SelectionHub;
class Session;
class WhenShown;
class WrappedLabel;

/// What differs between the frozen mapping A and the selected mapping B.
class ComparePanel : public QWidget {
  Q_OBJECT
 public:
  ComparePanel(Session* session, SelectionHub* hub, QWidget* parent = nullptr);
  /// The action of the panel before a mapping is frozen.
  void setFreezeAction(QAction* freeze);
  const WrappedLabel* verdict() const { return m_verdict; }
  const ReportTableModel* choices() const { return filled(m_choices); }
  const ReportTableModel* resources() const { return filled(m_resources); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  using Make = std::function<report::Table(const report::RunDifference&)>;
  FittedTable* addTable(const QString& tab, const QString& name, ReportTableModel* model,
                        const Make& make);
  const ReportTableModel* filled(const ReportTableModel* model) const;
  void reserveVerdict();
  void reload();
  QString reasonForNone() const;

  Session* m_session;
  SelectionHub* m_hub;
  WrappedLabel* m_verdict;
  ReportTableModel *m_choices, *m_bytes, *m_resources;
  QTabWidget* m_tabs;
  QPushButton *m_leave, *m_freeze;
  std::vector<WhenShown*> m_fills;  ///< of the tables
};

}  // namespace gridloom::widgets
