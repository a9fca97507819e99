// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "charts/breakdown_chart.h"
#include "service/workspace.h"

class QChartView;
class QTabWidget;

namespace gridloom::widgets {

class ScatterPlot;
class SelectionHub;
class Session;
class WhenShown;

/// Charts of predicted against simulated cycles, and of the parts of the cycles.
class ChartsPanel : public QWidget {
  Q_OBJECT
 public:
  enum Chart { Scatter, Breakdowns };
  ChartsPanel(Session* session, SelectionHub* hub, QWidget* parent = nullptr);
  ScatterPlot* scatter() const;
  Chart current() const;
  const std::vector<Breakdown>& breakdowns() const;
  /// The mappings that have bars.
  const std::vector<int>& barCandidates() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void fillScatter();
  void fillBreakdown();
  void showBars();
  void fadeBars();
  Session* m_session;
  SelectionHub* m_hub;
  QTabWidget* m_tabs;
  ScatterPlot* m_scatter;
  QChartView* m_breakdown;
  std::vector<Breakdown> m_bars;
  std::vector<int> m_barCandidates;
  WhenShown *m_scatterFill, *m_breakdownFill;
};

/// Predicted and simulated bars of one mapping; `simulated` may be null.
std::vector<Breakdown> breakdownsOf(const QString& name, const cost::Estimate& estimate,
                                    const simulate::Simulation* simulated);

}  // namespace gridloom::widgets
