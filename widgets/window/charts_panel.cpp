// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/charts_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "bridge/session.h"
#include "charts/chart_view.h"
#include "charts/scatter_plot.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "theme/tokens.h"
#include "window/stale_notice.h"
#include "window/when_shown.h"

namespace gridloom::widgets {

namespace {

constexpr int kBestBars = 3;            // besides the selected mapping
constexpr std::size_t kRoofRuns = 200;  // of a roofline; more lie on each other

}  // namespace

ChartsPanel::ChartsPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_hub(hub),
      m_choice(new QComboBox),
      m_stack(new QStackedWidget),
      m_scatter(new ScatterPlot(QStringLiteral("Predicted against simulated cycles"))) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  m_choice->setAccessibleName(QStringLiteral("Chart"));
  addPage(m_scatter, QStringLiteral("Predicted / simulated"),
          QStringLiteral("Predicted against simulated cycles of all mappings"));
  add(QStringLiteral("Breakdown of cycles"), QStringLiteral("Where the cycles go, as bars"),
      &ChartsPanel::breakdown);
  add(QStringLiteral("Roofline"),
      QStringLiteral("What mappings achieve below what compute and memory allow"),
      &ChartsPanel::roofline);
  add(QStringLiteral("Traffic"),
      QStringLiteral("Bytes by tensor: global memory, network, local memory; shared buffers"),
      &ChartsPanel::traffic);
  add(QStringLiteral("Use of links"), QStringLiteral("How busy links are, by place and count"),
      &ChartsPanel::links);
  add(QStringLiteral("Use of cores"), QStringLiteral("How long cores compute, by place and count"),
      &ChartsPanel::cores);
  connect(m_choice, &QComboBox::currentIndexChanged, m_stack, &QStackedWidget::setCurrentIndex);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 6, 12, 2);
  head->addWidget(m_choice);
  head->addStretch();
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(new StaleNotice(session));
  column->addWidget(m_stack, 1);
  connect(m_scatter, &ScatterPlot::picked, hub, &SelectionHub::selectCandidate);
  connect(m_scatter, &ScatterPlot::brushed, hub, &SelectionHub::selectBrush);
  connect(hub, &SelectionHub::candidateChanged, m_scatter, &ScatterPlot::setSelected);
  connect(hub, &SelectionHub::brushChanged, m_scatter, &ScatterPlot::setBrushed);
  m_scatterFill = new WhenShown(m_scatter, [this] { fillScatter(); });
  connect(session, &Session::explorationChanged, m_scatterFill, &WhenShown::request);
  connect(session, &Session::runChanged, m_scatterFill, &WhenShown::request);
  connect(session, &Session::staleChanged, m_scatter, &ScatterPlot::setStale);
  connect(session, &Session::explorationChanged, this, &ChartsPanel::reload);
  connect(session, &Session::runChanged, this, [this](int candidate) {
    for (const View& each : m_views) {
      if (shows(each.chart, candidate)) each.fill->request();
    }
  });
  connect(hub, &SelectionHub::candidateChanged, this, &ChartsPanel::reload);
}

void ChartsPanel::addPage(QWidget* page, const QString& title, const QString& meaning) {
  m_stack->addWidget(page);
  m_choice->addItem(title);
  m_choice->setItemData(m_choice->count() - 1, meaning, Qt::ToolTipRole);
}

void ChartsPanel::add(const QString& title, const QString& meaning, Make make) {
  auto* view = new ChartView(meaning);
  addPage(view->scrolled(), title, meaning);
  auto* fill = new WhenShown(view, [this, view, make] { view->show((this->*make)()); });
  m_views.push_back({static_cast<Chart>(m_choice->count() - 1), view, fill});
  connect(m_session, &Session::staleChanged, view, &ChartView::setStale);
}

void ChartsPanel::reload() {
  for (const View& each : m_views) each.fill->request();
}

ChartsPanel::Chart ChartsPanel::current() const {
  return static_cast<Chart>(m_choice->currentIndex());
}

void ChartsPanel::setCurrent(Chart chart) { m_choice->setCurrentIndex(chart); }

QString ChartsPanel::currentKey() const {
  constexpr const char* kKeys[] = {"scatter", "breakdown", "roofline", "traffic", "links", "cores"};
  return QLatin1String(kKeys[current()]);
}

ScatterPlot* ChartsPanel::scatter() const {
  m_scatterFill->now();
  return m_scatter;
}

const std::optional<SizedChart>& ChartsPanel::chart() const {
  static const std::optional<SizedChart> kNone;
  if (current() == Scatter) return kNone;
  const View& view = m_views[static_cast<std::size_t>(current()) - 1];
  view.fill->now();
  return view.view->chart();
}

std::vector<int> ChartsPanel::candidates() const {
  if (current() == Scatter || current() == Roofline) return scatter()->ids();
  return current() == Breakdowns ? bars() : std::vector<int>{m_hub->candidate()};
}

bool ChartsPanel::shows(Chart chart, int candidate) const {
  if (chart == Scatter || chart == Roofline) return true;
  return chart == Breakdowns ? std::ranges::count(bars(), candidate) > 0
                             : candidate == m_hub->candidate();
}

void ChartsPanel::fillScatter() {
  const auto& exploration = m_session->exploration();
  const std::size_t count = exploration ? exploration->listed() : 0;
  ScatterData shown;
  shown.expected = m_session->project().simulate ? count : 0;
  shown.bound = exploration ? exploration->roofline.cycles : 0;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const auto each = m_session->runOf(i);
    if (each) shown.points.push_back({each->predicted.cycles, each->simulated.cycles, i});
  }
  m_scatter->setData(std::move(shown));
  m_scatter->setSelected(m_hub->candidate());
}

/// The mappings that have bars: the best, and the selected one.
std::vector<int> ChartsPanel::bars() const {
  std::vector<int> shown;
  const auto& exploration = m_session->exploration();
  const int count = exploration ? static_cast<int>(exploration->listed()) : 0;
  const int selected = m_hub->candidate();
  for (int i = 0; i < std::min(count, kBestBars); ++i) shown.push_back(i);
  if (selected >= kBestBars && selected < count) shown.push_back(selected);
  return shown;
}

std::optional<SizedChart> ChartsPanel::breakdown() const {
  const auto& exploration = m_session->exploration();
  const std::vector<int> shown = bars();
  if (shown.empty()) return std::nullopt;
  std::vector<Breakdown> all;
  for (const int i : shown) {
    const auto each = m_session->runOf(i);
    const auto two = breakdownsOf(
        QStringLiteral("#%1").arg(i + 1),
        service::rankedAt(*exploration, static_cast<std::size_t>(i)).candidate.estimate,
        each ? &each->simulated : nullptr);
    all.insert(all.end(), two.begin(), two.end());
  }
  return sized(
      breakdownChart(all,
                     {QStringLiteral("Where the cycles of the best mappings go"),
                      factsOf(*exploration->hardware, *exploration->kernel, exploration->mode)},
                     tokensFor(palette())));
}

std::optional<SizedChart> ChartsPanel::roofline() const {
  const auto& exploration = m_session->exploration();
  if (!exploration) return std::nullopt;
  std::vector<RooflineRun> runs;
  std::vector<service::SimulationRunRef> kept;
  const int count = static_cast<int>(exploration->listed());
  for (int i = 0; i < count && runs.size() < kRoofRuns; ++i) {
    const auto each = m_session->runOf(i);
    if (!each) continue;
    const bool named = i == 0 || i == m_hub->candidate();
    kept.push_back(each);
    runs.push_back({&each->simulated, named ? QStringLiteral("#%1").arg(i + 1) : QString()});
  }
  if (runs.empty() || !exploration->hardware->topology.hasGlobal()) return std::nullopt;
  return sized(rooflineOf(*exploration->hardware, *exploration->kernel, exploration->mode, runs));
}

service::SimulationRunRef ChartsPanel::run() const { return m_session->runOf(m_hub->candidate()); }

std::optional<SizedChart> ChartsPanel::traffic() const {
  const auto shown = run();
  if (!shown) return std::nullopt;
  return sized(trafficOf(*shown, tokensFor(palette())));
}

std::optional<SizedChart> ChartsPanel::links() const {
  const auto shown = run();
  if (!shown) return std::nullopt;
  return sized(linkUseOf(*shown));
}

std::optional<SizedChart> ChartsPanel::cores() const {
  const auto shown = run();
  if (!shown) return std::nullopt;
  return sized(coreUseOf(*shown));
}

void ChartsPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) reload();
}

}  // namespace gridloom::widgets
