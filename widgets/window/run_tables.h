// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QTabWidget;
class QTableView;

namespace gridloom::widgets {

class FittedTable;
class ReportTableModel;
class SelectionHub;
class Session;

/// Tabs with the tables of the selected mapping that `explain` and `simulate` print: bytes by place
/// and by tensor, what limits each loop, and the busiest links and channels.
class RunTables : public QObject {
  Q_OBJECT
 public:
  /// Adds the tabs behind those that are there.
  RunTables(Session* session, SelectionHub* hub, QTabWidget* tabs);
  const ReportTableModel* bytes() const { return m_bytes; }
  const ReportTableModel* operands() const { return m_operands; }
  const ReportTableModel* loops() const { return m_loops; }
  const ReportTableModel* links() const { return m_links; }

 private:
  FittedTable* table(ReportTableModel* model, const QString& name);
  void reload();
  void clear();
  void selectResource(int row);

  Session* m_session;
  SelectionHub* m_hub;
  ReportTableModel *m_bytes, *m_operands, *m_loops, *m_links;
};

}  // namespace gridloom::widgets
