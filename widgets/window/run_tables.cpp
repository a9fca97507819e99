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
  column->addWidget(table(m_bytes, QStringLiteral("Bytes by place")));
  column->addWidget(table(m_operands, QStringLiteral("Predicted bytes by tensor")));
  FittedTable* links = table(m_links, QStringLiteral("Busiest links and channels"));
  const auto add = [tabs](QWidget* page, const QString& title, const QString& meaning) {
    tabs->setTabToolTip(tabs->addTab(page, title), meaning);
  };
  add(bytes, QStringLiteral("Bytes"), QStringLiteral("Bytes by place, and by tensor"));
  add(table(m_loops, QStringLiteral("What limits each loop")), QStringLiteral("Loops"),
      QStringLiteral("What limits each loop, outermost first"));
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
  const QString name = m_links->index(row, 0).data().toString();
  m_hub->selectResource(m_hub->resource() == name ? QString() : name);
}

void RunTables::clear() {
  for (ReportTableModel* each : {m_bytes, m_operands, m_loops, m_links}) each->show({});
}

void RunTables::reload() {
  const auto& exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  if (!exploration || candidate < 0 || candidate >= static_cast<int>(exploration->listed()))
    return clear();
  const ranking::Ranked ranked =
      service::rankedAt(*exploration, static_cast<std::size_t>(candidate));
  m_loops->show(report::levelTable(ranked.candidate.estimate));
  const service::SimulationRunRef run = m_session->runOf(candidate);
  if (!run || exploration->hardware->topology.coreCount() > kMostCoresListed) {
    for (ReportTableModel* each : {m_bytes, m_operands, m_links}) each->show({});
    return;
  }
  const report::SimulationRecord record = service::recordOf(*run);
  m_bytes->show(report::trafficTable(record.predicted.traffic, record.simulated.traffic));
  m_operands->show(report::operandTable(record));
  m_links->show(report::resourceTable(record, kMostResources));
}

}  // namespace gridloom::widgets
