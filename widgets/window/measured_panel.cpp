// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/measured_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>

#include "bridge/measurements.h"
#include "charts/scatter_plot.h"
#include "editors/code_editor.h"
#include "editors/language_highlighter.h"
#include "models/measured_scatter.h"
#include "models/problem_model.h"
#include "models/quantity_text.h"
#include "models/report_table_model.h"
#include "window/fitted_table.h"
#include "window/line_label.h"

namespace gridloom::widgets {

namespace {

constexpr int kPollPauseOfRows = 100;  // milliseconds between polls of the progress

constexpr int kMappingColumn = 8;  // takes the remaining width

enum Page { Empty, Result, Faults };

QVBoxLayout* measuredColumn(QWidget* panel) {
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  return column;
}

}  // namespace

MeasuredPanel::MeasuredPanel(Measurements* measurements, QWidget* parent)
    : QWidget(parent),
      m_measurements(measurements),
      m_model(new ReportTableModel(this)),
      m_problemModel(new ProblemModel(this)),
      m_activity(new QLabel),
      m_progress(new QProgressBar),
      m_stop(new QPushButton(QStringLiteral("Stop"))),
      m_stack(new QStackedWidget) {
  auto* running = new QWidget;
  auto* line = new QHBoxLayout(running);
  line->setContentsMargins(12, 4, 12, 4);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(QStringLiteral("Progress of the measurements"));
  m_stop->setToolTip(QStringLiteral("Stop running the rows; the last result stays"));
  line->addWidget(m_activity);
  line->addWidget(m_progress, 1);
  line->addWidget(m_stop);
  m_stack->addWidget(makeEmpty());
  m_stack->addWidget(makeResult());
  m_stack->addWidget(makeProblems());
  auto* column = measuredColumn(this);
  column->addWidget(running);
  column->addWidget(m_stack, 1);
  running->hide();
  m_poll.setInterval(kPollPauseOfRows);
  connect(&m_poll, &QTimer::timeout, this, &MeasuredPanel::refreshActivity);
  connect(m_stop, &QPushButton::clicked, measurements, &Measurements::stop);
  connect(measurements, &Measurements::changed, this, &MeasuredPanel::reload);
  connect(measurements, &Measurements::runningChanged, this, [this, running](bool runs) {
    running->setVisible(runs);
    if (runs)
      m_poll.start();
    else
      m_poll.stop();
    refreshActivity();
  });
}

QWidget* MeasuredPanel::makeEmpty() {
  auto* page = new QWidget;
  auto* column = measuredColumn(page);
  column->setContentsMargins(12, 8, 12, 8);
  auto* words = new QLabel(
      QStringLiteral("Measurements appear here beside prediction and simulation: a table of "
                     "hardware, kernel, sizes and what you measured."));
  words->setWordWrap(true);
  words->setAlignment(Qt::AlignCenter);
  words->setProperty("role", QStringLiteral("faint"));
  auto* open = new QPushButton(QStringLiteral("Open measurements…"));
  connect(open, &QPushButton::clicked, this, &MeasuredPanel::fileWanted);
  column->addStretch();
  column->addWidget(words);
  column->addSpacing(8);
  column->addWidget(open, 0, Qt::AlignCenter);
  column->addStretch();
  return page;
}

QWidget* MeasuredPanel::makeResult() {
  m_quantity = new QComboBox;
  m_quantity->setAccessibleName(QStringLiteral("Measured quantity"));
  m_quantity->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_summary = new LineLabel;
  m_summary->setObjectName(QStringLiteral("measuredSummary"));
  m_open = new QPushButton(QStringLiteral("Open as problem"));
  m_open->setToolTip(QStringLiteral(
      "Opens hardware, kernel, sizes and directives of the selected row; Ctrl+Z goes back"));
  m_scatter = new ScatterPlot(QStringLiteral("Measured against predicted and simulated"));
  m_scatter->setDescription([this](const auto& point) { return describe(point.id); });
  m_rows = new FittedTable(m_model, kMappingColumn, QStringLiteral("Measured rows"));
  m_rows->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_split = new QSplitter;
  m_split->addWidget(m_scatter);
  m_split->addWidget(m_rows);
  m_split->setChildrenCollapsible(false);
  m_split->setSizes({450, 550});
  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 6, 12, 6);
  head->addWidget(m_quantity);
  head->addSpacing(12);
  head->addWidget(m_summary, 1);
  head->addWidget(m_open);
  auto* page = new QWidget;
  auto* column = measuredColumn(page);
  column->addLayout(head);
  column->addWidget(m_split, 1);
  connect(m_quantity, &QComboBox::currentIndexChanged, this, &MeasuredPanel::showQuantity);
  connect(m_open, &QPushButton::clicked, this, [this] { openRow(m_rows->currentIndex().row()); });
  connect(m_rows, &QTableView::activated, this, [this](const auto& at) { openRow(at.row()); });
  connect(m_rows->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &MeasuredPanel::followTable);
  connect(m_rows->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &MeasuredPanel::followTable);
  connect(m_scatter, &ScatterPlot::picked, this, &MeasuredPanel::select);
  connect(m_scatter, &ScatterPlot::brushed, this, &MeasuredPanel::brush);
  connect(m_scatter, &ScatterPlot::activated, this, &MeasuredPanel::openRow);
  return page;
}

QWidget* MeasuredPanel::makeProblems() {
  m_problems = new FittedTable(m_problemModel, ProblemModel::Hint,
                               QStringLiteral("Problems of the measurements"));
  m_text = new CodeEditor(Language::Directives);
  m_text->setReadOnly(true);
  m_text->setAccessibleName(QStringLiteral("Text of the measurements"));
  auto* split = new QSplitter;
  split->addWidget(m_text);
  split->addWidget(m_problems);
  split->setChildrenCollapsible(false);
  const auto go = [this](const QModelIndex& at) { showProblem(at.row()); };
  connect(m_problems, &QTableView::clicked, this, go);
  connect(m_problems, &QTableView::activated, this, go);
  return split;
}

void MeasuredPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool upright = height() > width();
  m_split->setOrientation(upright ? Qt::Vertical : Qt::Horizontal);
}

void MeasuredPanel::refreshActivity() {
  m_activity->setText(m_measurements->activity());
  const double share = m_measurements->shareDone();
  m_progress->setRange(0, share < 0 ? 0 : 1000);
  if (share >= 0) m_progress->setValue(static_cast<int>(share * 1000));
}

void MeasuredPanel::reload() {
  m_figures.clear();
  std::vector<report::ReproducedFigure> all;
  for (const report::Reproduction& table : m_measurements->tables()) {
    for (const report::ReproducedFigure& figure : table.figures) {
      const bool known = figure.row && *figure.row < table.settings.size();
      m_figures.push_back({figure, known ? table.settings[*figure.row] : RowSettings()});
      all.push_back(figure);
    }
  }
  {
    const QSignalBlocker quiet(m_quantity);
    const QString before = m_quantity->currentText();
    m_quantity->clear();
    for (const auto& summary : report::summarize(all))
      m_quantity->addItem(widgets::text(summary.quantity));
    m_quantity->setCurrentIndex(std::max(0, m_quantity->findText(before)));
  }
  showQuantity();
  showProblems();
}

void MeasuredPanel::showProblems() {
  std::vector<Problem> problems;
  for (const base::Diagnostic& each : m_measurements->problems())
    problems.push_back({Subject::Exploration, each});
  m_problemModel->setProblems(std::move(problems));
  const bool faulty = m_problemModel->rowCount() > 0;
  if (faulty) showProblem(0);
  m_stack->setCurrentIndex(faulty ? Faults : m_figures.empty() ? Empty : Result);
}

/// Shows the text that a problem is about, at its place, with all problems of that text.
void MeasuredPanel::showProblem(int row) {
  const base::Diagnostic& shown = m_problemModel->problemAt(row).diagnostic;
  m_text->setVisible(shown.source != nullptr);
  if (!shown.source) return;
  base::Diagnostics same;
  std::ranges::copy_if(m_measurements->problems(), std::back_inserter(same),
                       [&](const auto& each) { return each.source == shown.source; });
  m_text->replaceText(widgets::text(shown.source->text()));
  m_text->setProblems(same);
  m_text->goTo(shown.span.begin);
}

void MeasuredPanel::showQuantity() {
  m_shown.clear();
  report::Reproduction part;
  QStringList sizes;
  for (const Figure& each : m_figures) {
    if (widgets::text(each.figure.quantity) != m_quantity->currentText()) continue;
    m_shown.push_back(each);
    part.figures.push_back(each.figure);
    const auto known = each.settings.find("sizes");
    sizes << (known == each.settings.end() ? QString() : widgets::text(known->second).trimmed());
  }
  m_following = true;
  m_model->show(measuredTable(part, sizes));
  m_scatter->setBrushed({});
  m_scatter->setSelected(-1);
  m_scatter->setData(measuredScatter(part.figures));
  m_errors = measuredSummary(part.figures);
  m_summary->setLine(m_errors);
  m_following = false;
  m_open->setEnabled(false);
  if (!m_shown.empty()) select(0);
}

QString MeasuredPanel::describe(int row) const {
  const report::ReproducedFigure& figure = m_shown[static_cast<std::size_t>(row)].figure;
  const auto& cells = m_model->table().rows[static_cast<std::size_t>(row)];
  QString words = widgets::text(figure.subject) + QLatin1Char('\n') + widgets::text(cells[1].shown);
  for (std::size_t i = 2; i < 5; ++i) {
    words += QStringLiteral("\n%1 %2").arg(widgets::text(m_model->table().columns[i].title),
                                           widgets::text(cells[i].shown));
  }
  return words;
}

void MeasuredPanel::select(int row) {
  const QModelIndex at = m_model->index(row, 0);
  const auto& brushed = m_scatter->look().brushed;
  if (std::ranges::binary_search(brushed, row))
    m_rows->selectionModel()->setCurrentIndex(at, QItemSelectionModel::NoUpdate);
  else
    m_rows->selectRow(row);
  m_rows->scrollTo(at);
}

void MeasuredPanel::brush(const std::vector<int>& rows) {
  QItemSelection all;
  const int last = m_model->columnCount() - 1;
  for (const int row : rows) all.select(m_model->index(row, 0), m_model->index(row, last));
  if (rows.empty() && m_rows->currentIndex().isValid())
    m_rows->selectRow(m_rows->currentIndex().row());
  else
    m_rows->selectionModel()->select(all, QItemSelectionModel::ClearAndSelect);
  if (!rows.empty()) m_rows->scrollTo(m_model->index(rows.front(), 0));
}

void MeasuredPanel::followTable() {
  if (m_following) return;
  std::vector<int> chosen;
  for (const QModelIndex& at : m_rows->selectionModel()->selectedRows()) chosen.push_back(at.row());
  std::ranges::sort(chosen);
  if (chosen.size() < 2) chosen.clear();
  const int row = m_rows->currentIndex().row();
  m_scatter->setBrushed(chosen);
  m_scatter->setSelected(row);
  const auto at = static_cast<std::size_t>(row);
  m_open->setEnabled(row >= 0 && at < m_shown.size() && !m_shown[at].settings.empty());
}

void MeasuredPanel::openRow(int row) {
  const auto at = static_cast<std::size_t>(row);
  if (row < 0 || at >= m_shown.size() || m_shown[at].settings.empty()) return;
  Q_EMIT problemWanted(m_shown[at].settings, widgets::text(m_shown[at].figure.subject));
}

}  // namespace gridloom::widgets
