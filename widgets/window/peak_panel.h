// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "report/records.h"

class QFrame;
class QLabel;
class QTabWidget;

namespace gridloom::widgets {

class FlowLayout;
class SelectionHub;
class Session;
class RunTables;
class WaterfallView;

/// Where the peak went in the selected mapping's simulation, with a card on the selected step: its
/// arithmetic, and the cores, loops, operands, links and channels that make it. Behind it the
/// tables of the run.
class PeakPanel : public QWidget {
  Q_OBJECT
 public:
  PeakPanel(Session* session, SelectionHub* hub, QWidget* parent = nullptr);
  WaterfallView* view() const { return m_view; }
  /// Null while nothing is simulated.
  const report::WaterfallRecord* waterfall() const;
  QTabWidget* tabs() const { return m_tabs; }
  const RunTables* tables() const { return m_tables; }

 Q_SIGNALS:
  /// A unit of the cores is chosen as what a step is lost to.
  void unitChosen();

 private:
  QFrame* makeCard();
  void reload();
  void showLoss(const QString& key);
  void addCore(const QString& key);
  void addCause(const report::CauseRecord& cause);

  Session* m_session;
  SelectionHub* m_hub;
  QLabel* m_unit;
  QLabel* m_sum;
  QLabel* m_none;
  WaterfallView* m_view;
  QFrame* m_card = nullptr;
  QLabel* m_title = nullptr;
  QLabel* m_share = nullptr;
  QLabel* m_reason = nullptr;
  QWidget* m_causes = nullptr;
  FlowLayout* m_causeRow = nullptr;
  QTabWidget* m_tabs;
  RunTables* m_tables;
};

}  // namespace gridloom::widgets
