// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "report/records.h"
#include "window/when_shown.h"

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
  const ReportTableModel* bytes() const { return filled(m_bytesPage, m_bytes); }
  const ReportTableModel* operands() const { return filled(m_bytesPage, m_operands); }
  const ReportTableModel* loops() const { return filled(m_loopsPage, m_loops); }
  const ReportTableModel* links() const { return filled(m_linksPage, m_links); }

 private:
  FittedTable* table(ReportTableModel* model, const QString& name);
  static const ReportTableModel* filled(WhenShown* page, const ReportTableModel* model) {
    page->now();
    return model;
  }
  void reload();
  /// The listed mapping that is selected; -1 for none.
  int candidate() const;
  /// What its simulation did; none before it has run, and of a large machine.
  std::optional<report::SimulationRecord> record() const;
  void fillBytes();
  void fillLoops();
  void fillLinks();
  void selectResource(int row);

  Session* m_session;
  SelectionHub* m_hub;
  FittedTable* m_bytesView;
  ReportTableModel *m_bytes, *m_operands, *m_loops, *m_links;
  WhenShown *m_bytesPage, *m_loopsPage, *m_linksPage;
};

}  // namespace gridloom::widgets
