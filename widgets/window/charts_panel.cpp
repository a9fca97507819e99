// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/charts_panel.h"

#include <QChart>
#include <QChartView>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "bridge/session.h"
#include "charts/scatter_plot.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "theme/tokens.h"
#include "window/stale_notice.h"
#include "window/when_shown.h"

namespace gridloom::widgets {

namespace {

constexpr int kBestBars = 3;  // besides the selected mapping

}  // namespace

std::vector<Breakdown> breakdownsOf(const QString& name, const cost::Estimate& estimate,
                                    const simulate::Simulation* simulated) {
  std::vector<Breakdown> bars;
  Breakdown predicted{name + QStringLiteral(" predicted"), {}};
  for (const cost::Term& term : estimate.terms)
    predicted.parts.push_back({text(term.name), term.cycles});
  bars.push_back(std::move(predicted));
  if (!simulated) return bars;
  Breakdown states{name + QStringLiteral(" simulated"), {}};
  for (std::size_t i = 0; i < simulate::kStates; ++i) {
    states.parts.push_back(
        {text(simulate::nameOf(static_cast<simulate::State>(i))), simulated->states[i]});
  }
  bars.push_back(std::move(states));
  return bars;
}

ChartsPanel::ChartsPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_hub(hub),
      m_tabs(new QTabWidget),
      m_scatter(new ScatterPlot(QStringLiteral("Predicted against simulated cycles"))),
      m_breakdown(new QChartView) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  m_breakdown->setRenderHint(QPainter::Antialiasing);
  m_breakdown->setFrameShape(QFrame::NoFrame);
  m_breakdown->setAccessibleName(QStringLiteral("Where the cycles go, as bars"));
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_scatter, QStringLiteral("Predicted / simulated"));
  m_tabs->addTab(m_breakdown, QStringLiteral("Breakdown"));
  column->addWidget(new StaleNotice(session));
  column->addWidget(m_tabs);
  connect(m_scatter, &ScatterPlot::picked, hub, &SelectionHub::selectCandidate);
  connect(m_scatter, &ScatterPlot::brushed, hub, &SelectionHub::selectBrush);
  connect(hub, &SelectionHub::candidateChanged, m_scatter, &ScatterPlot::setSelected);
  connect(hub, &SelectionHub::brushChanged, m_scatter, &ScatterPlot::setBrushed);
  m_scatterFill = new WhenShown(m_scatter, [this] { fillScatter(); });
  m_breakdownFill = new WhenShown(m_breakdown, [this] { fillBreakdown(); });
  connect(hub, &SelectionHub::candidateChanged, m_breakdownFill, &WhenShown::request);
  for (WhenShown* fill : {m_scatterFill, m_breakdownFill}) {
    connect(session, &Session::explorationChanged, fill, &WhenShown::request);
    connect(session, &Session::runChanged, fill, &WhenShown::request);
  }
  connect(session, &Session::staleChanged, m_scatter, &ScatterPlot::setStale);
  connect(session, &Session::staleChanged, this, &ChartsPanel::fadeBars);
  showBars();
}

ChartsPanel::Chart ChartsPanel::current() const {
  return static_cast<Chart>(m_tabs->currentIndex());
}

ScatterPlot* ChartsPanel::scatter() const {
  m_scatterFill->now();
  return m_scatter;
}

const std::vector<Breakdown>& ChartsPanel::breakdowns() const {
  m_breakdownFill->now();
  return m_bars;
}

const std::vector<int>& ChartsPanel::barCandidates() const {
  m_breakdownFill->now();
  return m_barCandidates;
}

void ChartsPanel::fillScatter() {
  const auto& exploration = m_session->exploration();
  const std::size_t count = exploration ? exploration->listed() : 0;
  ScatterData shown;
  shown.expected = m_session->project().simulate ? count : 0;
  shown.bound = exploration ? exploration->roofline.cycles : 0;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const auto run = m_session->runOf(i);
    if (run) shown.points.push_back({run->predicted.cycles, run->simulated.cycles, i});
  }
  m_scatter->setData(std::move(shown));
  m_scatter->setSelected(m_hub->candidate());
}

void ChartsPanel::fillBreakdown() {
  m_bars.clear();
  m_barCandidates.clear();
  const auto& exploration = m_session->exploration();
  const int count = exploration ? static_cast<int>(exploration->listed()) : 0;
  const int selected = m_hub->candidate();
  for (int i = 0; i < std::min(count, kBestBars); ++i) m_barCandidates.push_back(i);
  if (selected >= kBestBars && selected < count) m_barCandidates.push_back(selected);
  for (const int i : m_barCandidates) {
    const auto run = m_session->runOf(i);
    const auto bars = breakdownsOf(
        QStringLiteral("#%1").arg(i + 1),
        service::rankedAt(*exploration, static_cast<std::size_t>(i)).candidate.estimate,
        run ? &run->simulated : nullptr);
    m_bars.insert(m_bars.end(), bars.begin(), bars.end());
  }
  showBars();
}

void ChartsPanel::showBars() {
  QChart* old = m_breakdown->chart();
  m_breakdown->setChart(makeBreakdownChart(m_bars, tokensFor(palette())));
  delete old;
  fadeBars();
}

void ChartsPanel::fadeBars() {
  m_breakdown->chart()->setOpacity(m_session->stale() ? kStaleInk : 1);
}

void ChartsPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) showBars();
}

}  // namespace gridloom::widgets
