// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/run_tables.h"

#include <QTabWidget>
#include <QVBoxLayout>

#include "bridge/session.h"
#include "models/report_table_model.h"
#include "models/selection_hub.h"
#include "report/attribution.h"
#include "service/result_records.h"
#include "window/fitted_table.h"

namespace gridloom::widgets {

namespace {

constexpr std::size_t kMostResources = 50;
/// A run of a larger machine has millions of links, which take longer to sort than a click may.
constexpr std::int64_t kMostCoresListed = 1 << 14;

}  // namespace

RunTables::RunTables(Session* session, SelectionHub* hub, QTabWidget* tabs)
    : QObject(tabs),
      m_session(session),
      m_hub(hub),
      m_bytes(new ReportTableModel(this)),
      m_operands(new ReportTableModel(this)),
      m_loops(new ReportTableModel(this)),
      m_links(new ReportTableModel(this)) {
  auto* bytes = new QWidget;
  auto* column = new QVBoxLayout(bytes);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_bytesView = table(m_bytes, QStringLiteral("Bytes by place"));
  column->addWidget(m_bytesView);
  column->addWidget(table(m_operands, QStringLiteral("Predicted bytes by tensor")), 1);
  FittedTable* loops = table(m_loops, QStringLiteral("What limits each loop"));
  FittedTable* links = table(m_links, QStringLiteral("Busiest links and channels"));
  m_bytesPage = new WhenShown(bytes, [this] { fillBytes(); });
  m_loopsPage = new WhenShown(loops, [this] { fillLoops(); });
  m_linksPage = new WhenShown(links, [this] { fillLinks(); });
  const auto add = [tabs](QWidget* page, const QString& title, const QString& meaning) {
    tabs->setTabToolTip(tabs->addTab(page, title), meaning);
  };
  add(bytes, QStringLiteral("Bytes"), QStringLiteral("Bytes by place, and by tensor"));
  add(loops, QStringLiteral("Loops"), QStringLiteral("What limits each loop, outermost first"));
  add(links, QStringLiteral("Links"), QStringLiteral("The busiest links and channels"));
  connect(links, &QTableView::clicked, this,
          [this](const QModelIndex& at) { selectResource(at.row()); });
  connect(session, &Session::explorationChanged, this, &RunTables::reload);
  connect(session, &Session::runChanged, this, [this](int candidate) {
    if (candidate == m_hub->candidate()) reload();
  });
  connect(hub, &SelectionHub::candidateChanged, this, &RunTables::reload);
}

FittedTable* RunTables::table(ReportTableModel* model, const QString& name) {
  return new FittedTable(model, 0, name);
}

/// A second click ends the selection.
void RunTables::selectResource(int row) {
  const QString name = m_links->index(row, 0).data(ReportTableModel::ExactRole).toString();
  m_hub->selectResource(m_hub->resource() == name ? QString() : name);
}

void RunTables::reload() {
  for (WhenShown* page : {m_bytesPage, m_loopsPage, m_linksPage}) page->request();
}

int RunTables::candidate() const {
  const auto& exploration = m_session->exploration();
  const int selected = m_hub->candidate();
  return exploration && selected < static_cast<int>(exploration->listed()) ? selected : -1;
}

std::optional<report::SimulationRecord> RunTables::record() const {
  const service::SimulationRunRef run = m_session->runOf(candidate());
  if (!run || run->hardware->topology.coreCount() > kMostCoresListed) return std::nullopt;
  return service::recordOf(*run);
}

void RunTables::fillBytes() {
  const auto run = record();
  m_bytes->show(run ? report::trafficTable(run->predicted.traffic, run->simulated)
                    : report::Table{});
  // The second table begins where the first one ends.
  m_bytesView->setMaximumHeight(m_bytesView->wholeHeight());
  m_operands->showTurned(run ? report::operandTable(*run) : report::Table{});
}

void RunTables::fillLoops() {
  const int shown = candidate();
  if (shown < 0) return m_loops->show({});
  const ranking::Ranked ranked =
      service::rankedAt(*m_session->exploration(), static_cast<std::size_t>(shown));
  m_loops->showTurned(report::levelTable(ranked.candidate.estimate));
}

void RunTables::fillLinks() {
  const auto run = record();
  m_links->show(run ? report::resourceTable(*run, kMostResources) : report::Table{});
}

}  // namespace gridloom::widgets
