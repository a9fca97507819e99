// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/result_panels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "bridge/session.h"
#include "models/explain_model.h"
#include "models/problem_model.h"
#include "models/quantity_text.h"
#include "models/rejection_model.h"
#include "models/selection_hub.h"
#include "window/fitted_table.h"
#include "window/nothing_fits.h"
#include "window/share_delegate.h"
#include "window/stale_notice.h"

namespace gridloom::widgets {

namespace {

QVBoxLayout* columnOf(QWidget* panel) {
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  return column;
}

/// What statements that run apart take, and how much faster that is.
QString gainText(const service::Exploration& exploration) {
  if (!exploration.apart) return {};
  const QString text = QLatin1Char(' ') + apartText(*exploration.apart);
  if (exploration.top.empty()) return text + QLatin1Char('.');
  const double gain = exploration.top.front().cycles() / exploration.apart->cycles;
  return text + QStringLiteral(", %1 times as fast.").arg(gain, 0, 'f', 2);
}

}  // namespace

ExplainPanel::ExplainPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent), m_session(session), m_hub(hub), m_model(new ExplainModel(this)) {
  m_view = new FittedTable(m_model, ExplainModel::Share, QStringLiteral("What if"));
  m_view->setItemDelegateForColumn(ExplainModel::Share, new ShareDelegate(this));
  auto* column = columnOf(this);
  column->addWidget(new StaleNotice(session));
  column->addWidget(m_view);
  column->addWidget(new NothingFits(session, m_view), 1);
  m_fill = new WhenShown(this, [this] { fill(); });
  connect(session, &Session::explorationChanged, m_fill, &WhenShown::request);
  connect(session, &Session::explanationChanged, m_fill, &WhenShown::request);
  connect(session, &Session::staleChanged, m_view,
          [this](bool stale) { m_view->setEnabled(!stale); });
  connect(hub, &SelectionHub::candidateChanged, m_fill, &WhenShown::request);
}

void ExplainPanel::fill() {
  const auto& exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  if (!exploration || candidate < 0 || candidate >= static_cast<int>(exploration->listed())) {
    m_model->show(nullptr, nullptr);
    return;
  }
  const bool explained = m_session->explanation() && m_session->explainedCandidate() == candidate;
  const ranking::Ranked ranked =
      service::rankedAt(*exploration, static_cast<std::size_t>(candidate));
  m_model->show(&ranked.candidate.estimate, explained ? m_session->explanation().get() : nullptr);
}

SpacePanel::SpacePanel(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new RejectionModel(this)) {
  m_summary = new QLabel(QStringLiteral("Nothing explored yet"));
  m_summary->setWordWrap(true);
  m_summary->setContentsMargins(10, 2, 10, 0);
  m_view = new FittedTable(m_model, RejectionModel::NearestMiss, QStringLiteral("Mapping space"));
  auto* column = columnOf(this);
  column->addWidget(new StaleNotice(session));
  auto* head = new QHBoxLayout;
  head->setContentsMargins(0, 6, 8, 6);
  head->addWidget(m_summary, 1);
  m_open = new QPushButton(QStringLiteral("Open the nearest"));
  m_open->setToolTip(QStringLiteral(
      "Writes the directives of the mapping that misses by the least, to edit them"));
  head->addWidget(m_open);
  column->addLayout(head);
  column->addWidget(m_view);
  connect(m_open, &QPushButton::clicked, this, [this] { openRow(m_view->currentIndex().row()); });
  connect(m_view, &QTableView::activated, this,
          [this](const QModelIndex& at) { openRow(at.row()); });
  connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &SpacePanel::refreshButton);
  connect(session, &Session::explorationChanged, this, &SpacePanel::reload);
  connect(session, &Session::staleChanged, m_view, [this](bool stale) {
    m_view->setEnabled(!stale);
    m_summary->setEnabled(!stale);
    refreshButton();
  });
  refreshButton();
}

void SpacePanel::openRow(int row) {
  const QString directives = m_model->directivesOf(row);
  if (!directives.isEmpty() && !m_session->stale()) Q_EMIT exampleWanted(directives);
}

void SpacePanel::refreshButton() {
  const bool opens = !m_model->directivesOf(m_view->currentIndex().row()).isEmpty();
  m_open->setEnabled(opens && !m_session->stale());
}

void SpacePanel::reload() {
  if (!m_session->exploration()) {
    m_summary->setText(QStringLiteral("Nothing explored yet"));
    m_model->setSpace({});
    refreshButton();
    return;
  }
  const auto& exploration = *m_session->exploration();
  const search::SpaceCount& space = exploration.space;
  // Mappings shown before are told of before the space is counted.
  if (exploration.interrupted && space.size == 0) return;
  m_summary->setText(QStringLiteral("<b>%1</b> mappings, <b>%2</b> known to fit. %3 in %4.")
                         .arg(countText(static_cast<double>(space.size)),
                              countText(static_cast<double>(space.feasible)), coverText(space),
                              secondsText(exploration.seconds)) +
                     gainText(exploration));
  m_model->setSpace(space);
  // The first reason with an example, so that the button is ready.
  for (int row = 0; row < m_model->rowCount(); ++row) {
    if (m_model->directivesOf(row).isEmpty()) continue;
    m_view->selectRow(row);
    break;
  }
  refreshButton();
}

ProblemPanel::ProblemPanel(Session* session, QWidget* parent)
    : QWidget(parent), m_model(new ProblemModel(this)), m_stack(new QStackedWidget) {
  m_view = new FittedTable(m_model, ProblemModel::Hint, QStringLiteral("Problems"));
  auto* fine = new QLabel(QStringLiteral("No problems"));
  fine->setAlignment(Qt::AlignCenter);
  fine->setProperty("role", QStringLiteral("faint"));
  m_stack->addWidget(fine);
  m_stack->addWidget(m_view);
  columnOf(this)->addWidget(m_stack);
  connect(session, &Session::problemsChanged, this, [this, session] {
    m_model->setProblems(session->problems());
    m_stack->setCurrentIndex(m_model->rowCount() > 0 ? 1 : 0);
  });
  connect(m_view, &QTableView::activated, this,
          [this](const QModelIndex& at) { Q_EMIT activated(at.row()); });
  connect(m_view, &QTableView::clicked, this,
          [this](const QModelIndex& at) { Q_EMIT activated(at.row()); });
}

}  // namespace gridloom::widgets
