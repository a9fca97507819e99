// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/result_panels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>
#include <limits>

#include "bridge/session.h"
#include "models/explain_model.h"
#include "models/problem_model.h"
#include "models/quantity_text.h"
#include "models/ranked_model.h"
#include "models/rejection_model.h"
#include "models/selection_hub.h"
#include "window/choice_menu.h"
#include "window/fitted_table.h"
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

RankedRow rowOf(const service::Ranked& ranked, const service::SimulationRun* run) {
  const cost::Estimate& estimate = ranked.candidate.estimate;
  RankedRow row;
  row.mapping = text(ranked.line);
  row.predicted = estimate.cycles;
  row.simulated = run ? run->simulated.cycles : std::numeric_limits<double>::quiet_NaN();
  row.tflops = run ? run->simulated.tflops : estimate.tflops;
  row.utilization = run ? run->simulated.utilization : estimate.utilization;
  row.bottleneck = text(estimate.bottleneck);
  row.localBytes = static_cast<double>(estimate.localBytes);
  row.localCapacity = static_cast<double>(estimate.localCapacity);
  return row;
}

}  // namespace

RankedPanel::RankedPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent), m_session(session), m_hub(hub), m_model(new RankedModel(this)) {
  m_filter = new QLineEdit;
  m_filter->setPlaceholderText(
      QStringLiteral("Filter: words of the mapping, simulated<3.6M, error>1%, memory<1MiB"));
  m_filter->setToolTip(QStringLiteral(
      "Words that the mapping or the bottleneck contains, and ranges without spaces: "
      "#, predicted, simulated, error, tflops, util, memory with < <= > >= =; "
      "k M G % KiB MiB GiB. Ctrl+T pins the selected row"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setAccessibleName(QStringLiteral("Filter mappings"));
  m_view = new FittedTable(m_model, RankedModel::Mapping, QStringLiteral("Ranked mappings"));
  m_view->setObjectName(QStringLiteral("ranked"));
  m_view->setSortingEnabled(true);
  m_view->sortByColumn(RankedModel::Rank, Qt::AscendingOrder);
  m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  auto* column = columnOf(this);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(8, 6, 8, 6);
  head->addWidget(m_filter);
  column->addWidget(new StaleNotice(session));
  column->addLayout(head);
  column->addWidget(m_view);

  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
    m_model->setFilter(words);
    showBrush(m_hub->brush());
  });
  connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& at) {
            if (at.isValid()) m_hub->selectCandidate(m_model->candidateAt(at.row()));
          });
  m_view->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_view, &QWidget::customContextMenuRequested, this, &RankedPanel::showChoices);
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &RankedPanel::brushSelected);
  connect(hub, &SelectionHub::brushChanged, this, &RankedPanel::showBrush);
  connect(session, &Session::explorationChanged, this, &RankedPanel::reload);
  connect(session, &Session::runChanged, this, &RankedPanel::updateRow);
  connect(session, &Session::differenceChanged, this, [this] {
    const auto& a = m_session->frozen().run;
    m_model->setReference(a ? a->simulated.cycles : std::numeric_limits<double>::quiet_NaN());
    showCandidate(m_hub->candidate());
  });
  connect(session, &Session::staleChanged, m_view,
          [this](bool stale) { m_view->setEnabled(!stale); });
  connect(hub, &SelectionHub::candidateChanged, this, &RankedPanel::showCandidate);
}

void RankedPanel::showChoices() {
  const auto& exploration = m_session->exploration();
  const int row = m_model->viewRowOf(m_hub->candidate());
  if (!exploration || m_session->stale() || row < 0) return;
  auto* menu = new ChoiceMenu(choicesOf(*exploration, m_hub->candidate()), this);
  menu->setObjectName(QStringLiteral("choices"));
  connect(menu, &ChoiceMenu::kept, this, &RankedPanel::choicesKept);
  connect(menu, &ChoiceMenu::excluded, this, &RankedPanel::choiceExcluded);
  const QModelIndex at = m_model->index(row, RankedModel::Rank);
  m_view->scrollTo(at);
  menu->popup(m_view->viewport()->mapToGlobal(m_view->visualRect(at).bottomLeft()));
}

void RankedPanel::pinRow(int candidate) {
  m_model->togglePin(candidate);
  showCandidate(candidate);
}

void RankedPanel::reload() {
  std::vector<RankedRow> rows;
  if (const auto& exploration = m_session->exploration()) {
    for (const service::Ranked& ranked : exploration->top) rows.push_back(rowOf(ranked, nullptr));
  }
  m_model->setRows(std::move(rows));
  showCandidate(m_hub->candidate());
}

void RankedPanel::updateRow(int candidate) {
  const auto& top = m_session->exploration()->top;
  m_model->updateRow(candidate, rowOf(top[static_cast<std::size_t>(candidate)],
                                      m_session->runOf(candidate).get()));
}

void RankedPanel::showCandidate(int candidate) {
  const int row = m_model->viewRowOf(candidate);
  if (row < 0) {
    const QSignalBlocker quiet(m_view->selectionModel());
    m_view->clearSelection();
    return;
  }
  const auto& brush = m_hub->brush();
  if (std::ranges::binary_search(brush, candidate)) {
    // The brush stays while one of its mappings is looked at.
    m_view->selectionModel()->setCurrentIndex(m_model->index(row, 0),
                                              QItemSelectionModel::NoUpdate);
    m_view->scrollTo(m_model->index(row, 0));
    return;
  }
  if (m_view->currentIndex().row() != row || !m_view->selectionModel()->hasSelection())
    m_view->selectRow(row);
}

/// Several rows selected in the table are a brush in every view.
void RankedPanel::brushSelected() {
  std::vector<int> candidates;
  for (const QModelIndex& at : m_view->selectionModel()->selectedRows())
    candidates.push_back(m_model->candidateAt(at.row()));
  if (candidates.size() < 2) candidates.clear();
  std::ranges::sort(candidates);
  m_brushing = true;
  m_hub->selectBrush(candidates);
  m_brushing = false;
}

void RankedPanel::showBrush(const std::vector<int>& candidates) {
  if (m_brushing) return;
  QItemSelection rows;
  const int last = m_model->columnCount() - 1;
  for (int row = 0; row < m_model->rowCount(); ++row) {
    if (!std::ranges::binary_search(candidates, m_model->candidateAt(row))) continue;
    const bool joins = !rows.empty() && rows.back().bottom() == row - 1;
    const int first = joins ? rows.back().top() : row;
    const QItemSelectionRange range(m_model->index(first, 0), m_model->index(row, last));
    if (joins)
      rows.back() = range;
    else
      rows.push_back(range);
  }
  {
    const QSignalBlocker quiet(m_view->selectionModel());
    m_view->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  }
  m_view->viewport()->update();
  if (rows.empty())
    showCandidate(m_hub->candidate());
  else
    m_view->scrollTo(m_model->index(rows.front().top(), 0));
}

ExplainPanel::ExplainPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent), m_session(session), m_hub(hub), m_model(new ExplainModel(this)) {
  m_view = new FittedTable(m_model, ExplainModel::Share, QStringLiteral("What if"));
  m_view->setItemDelegateForColumn(ExplainModel::Share, new ShareDelegate(this));
  auto* column = columnOf(this);
  column->addWidget(new StaleNotice(session));
  column->addWidget(m_view);
  connect(session, &Session::explorationChanged, this, &ExplainPanel::reload);
  connect(session, &Session::explanationChanged, this, &ExplainPanel::reload);
  connect(session, &Session::staleChanged, m_view,
          [this](bool stale) { m_view->setEnabled(!stale); });
  connect(hub, &SelectionHub::candidateChanged, this, &ExplainPanel::reload);
}

void ExplainPanel::reload() {
  const auto& exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  if (!exploration || candidate < 0 || candidate >= static_cast<int>(exploration->top.size())) {
    m_model->show(nullptr, nullptr);
    return;
  }
  const bool explained = m_session->explanation() && m_session->explainedCandidate() == candidate;
  m_model->show(&exploration->top[static_cast<std::size_t>(candidate)].candidate.estimate,
                explained ? m_session->explanation().get() : nullptr);
}

SpacePanel::SpacePanel(Session* session, QWidget* parent)
    : QWidget(parent), m_session(session), m_model(new RejectionModel(this)) {
  m_summary = new QLabel(QStringLiteral("Nothing explored yet"));
  m_summary->setWordWrap(true);
  m_summary->setContentsMargins(10, 8, 10, 6);
  m_view = new FittedTable(m_model, RejectionModel::NearestMiss, QStringLiteral("Mapping space"));
  auto* column = columnOf(this);
  column->addWidget(new StaleNotice(session));
  column->addWidget(m_summary);
  column->addWidget(m_view);
  connect(session, &Session::explorationChanged, this, &SpacePanel::reload);
  connect(session, &Session::staleChanged, m_view, [this](bool stale) {
    m_view->setEnabled(!stale);
    m_summary->setEnabled(!stale);
  });
}

namespace {

QString coverText(const search::SpaceCount& space) {
  if (space.exact) return QStringLiteral("All covered: the ranking is exact,");
  if (space.stopped != search::Stop::None)
    return QStringLiteral("Stopped early: the ranking is the best so far,");
  return QStringLiteral("All covered: no mapping is over %1 faster by the model,")
      .arg(percentText(space.margin));
}

}  // namespace

void SpacePanel::reload() {
  if (!m_session->exploration()) {
    m_summary->setText(QStringLiteral("Nothing explored yet"));
    m_model->setSpace({});
    return;
  }
  const auto& exploration = *m_session->exploration();
  const search::SpaceCount& space = exploration.space;
  m_summary->setText(QStringLiteral("<b>%1</b> mappings, <b>%2</b> known to fit. %3 in %4.")
                         .arg(countText(static_cast<double>(space.size)),
                              countText(static_cast<double>(space.feasible)), coverText(space),
                              secondsText(exploration.seconds)));
  m_model->setSpace(space);
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
