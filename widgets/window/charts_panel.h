// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "charts/breakdown_chart.h"
#include "charts/run_charts.h"
#include "service/workspace.h"

class QComboBox;
class QStackedWidget;

namespace gridloom::widgets {

class ChartView;
class ScatterPlot;
class SelectionHub;
class Session;
class WhenShown;

/// Charts of the ranked mappings, and of the run of the selected one, as papers show them.
class ChartsPanel : public QWidget {
  Q_OBJECT
 public:
  enum Chart { Scatter, Breakdowns, Roofline, Traffic, Links, Cores };
  ChartsPanel(Session* session, SelectionHub* hub, QWidget* parent = nullptr);
  ScatterPlot* scatter() const;
  Chart current() const;
  void setCurrent(Chart chart);
  /// As `gridloom-render --chart` calls the current one.
  QString currentKey() const;
  /// The current one; nothing for the scatter, and before the simulation that it shows.
  const std::optional<SizedChart>& chart() const;
  /// The mappings that the current chart shows.
  std::vector<int> candidates() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct View {
    Chart chart;
    ChartView* view;
    WhenShown* fill;
  };
  using Make = std::optional<SizedChart> (ChartsPanel::*)() const;
  void add(const QString& title, const QString& meaning, Make make);
  void addPage(QWidget* page, const QString& title, const QString& meaning);
  void reload();
  /// Whether a chart shows the run of a mapping.
  bool shows(Chart chart, int candidate) const;
  void fillScatter();
  std::optional<SizedChart> breakdown() const;
  std::optional<SizedChart> roofline() const;
  std::optional<SizedChart> traffic() const;
  std::optional<SizedChart> links() const;
  std::optional<SizedChart> cores() const;
  std::vector<int> bars() const;
  service::SimulationRunRef run() const;

  Session* m_session;
  SelectionHub* m_hub;
  QComboBox* m_choice;  ///< a name for each chart
  QStackedWidget* m_stack;
  ScatterPlot* m_scatter;
  std::vector<View> m_views;  ///< those after the scatter
  WhenShown* m_scatterFill;
};

}  // namespace gridloom::widgets
