// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/sweep_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMouseEvent>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <algorithm>

#include "bridge/session.h"
#include "charts/sweep_chart.h"
#include "models/quantity_text.h"
#include "models/report_table_model.h"
#include "service/result_records.h"
#include "theme/tokens.h"
#include "window/fitted_table.h"
#include "window/flow_layout.h"
#include "window/sweep_field.h"

namespace gridloom::widgets {

namespace {

/// Widgets that break from one row to the next as a whole.
QWidget* rowOf(const QList<QWidget*>& widgets) {
  auto* group = new QWidget;
  auto* row = new QHBoxLayout(group);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  for (QWidget* each : widgets) row->addWidget(each);
  return group;
}

/// Inputs that a sweep depends on, with the values at its start of what it varies.
Project fixedInputs(const Project& project, const Sweep& sweep) {
  SweepPoint now;
  for (const SweepAxis& axis : sweep.axes()) now.values.push_back(axis.parameter.now);
  Project same = projectAt(project, sweep.axes(), now);
  for (const SweepAxis& axis : sweep.axes()) {
    if (axis.parameter.ofKernel) same.parameters.erase(text(axis.parameter.component));
  }
  same.top = 1;
  return same;
}

/// How many simulations failed, and the first one's message. "" if none.
QString failedSimulations(const Sweep& sweep) {
  const SweepPoint* first = nullptr;
  int count = 0;
  for (const SweepPoint& point : sweep.points()) {
    if (!point.known || point.found.notSimulated.empty()) continue;
    if (++count == 1) first = &point;
  }
  if (!first) return {};
  const QString what =
      QStringLiteral("%1: %2").arg(text(report::sweepTitle(sweep.axes(), *first)),
                                   text(first->found.notSimulated.front().message));
  return count == 1 ? QStringLiteral("Not simulated at ") + what
                    : QStringLiteral("%1 points are not simulated; at %2").arg(count).arg(what);
}

}  // namespace

void SweepView::showSweep(const Sweep& sweep, int selected) {
  if (sweep.axes().empty() || sweep.done() == 0) {
    m_sweep.reset();
    return show(std::nullopt);
  }
  m_sweep = sweepChart(sweep.record(), tokensFor(palette()));
  m_sweep->selected = selected;
  show(sized(*m_sweep));
}

int SweepView::pointAt(const QPointF& place) const {
  return m_sweep ? sweepPointAt(font(), chartArea(), *m_sweep, place) : -1;
}

void SweepView::mousePressEvent(QMouseEvent* event) {
  const int point = pointAt(event->position());
  if (event->button() == Qt::LeftButton && point >= 0) Q_EMIT picked(point);
}

void SweepView::mouseDoubleClickEvent(QMouseEvent* event) {
  const int point = pointAt(event->position());
  if (event->button() == Qt::LeftButton && point >= 0) Q_EMIT activated(point);
}

SweepPanel::SweepPanel(Session* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_sweep(new Sweep(this)),
      m_chart(new SweepView(QStringLiteral("Chart of the sweep"))),
      m_model(new ReportTableModel(this)),
      m_table(new FittedTable(m_model, -1, QStringLiteral("Points of the sweep"))),
      m_split(new QSplitter) {
  m_chart->setEmptyText(
      QStringLiteral("Choose a number of the machine or the kernel and a range. Each value gets "
                     "its best mapping, and its bottleneck."));
  m_split->addWidget(m_chart->scrolled());
  m_split->addWidget(m_table);
  m_split->setChildrenCollapsible(false);
  m_split->setSizes({500, 500});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeControls());
  column->addWidget(makeProgress());
  column->addWidget(m_split, 1);
  connect(session, &Session::inputsChanged, this, &SweepPanel::refill);
  connect(session, &Session::edited, this, &SweepPanel::refreshStale);
  connect(session, &Session::projectReplaced, this, &SweepPanel::refreshStale);
  connect(session, &Session::projectReplaced, this, &SweepPanel::refreshValues);
  connect(m_sweep, &Sweep::changed, this, &SweepPanel::reload);
  connect(m_sweep, &Sweep::runningChanged, this, &SweepPanel::reload);
  connect(m_sweep, &Sweep::pausedChanged, this, &SweepPanel::reload);
  connect(session, &Session::busyChanged, this, &SweepPanel::pauseForEdits);
  connect(session, &Session::staleChanged, this, &SweepPanel::pauseForEdits);
  connect(m_chart, &SweepView::picked, this, &SweepPanel::select);
  connect(m_chart, &SweepView::activated, this, &SweepPanel::open);
  connect(m_table, &QTableView::activated, this, [this](const auto& at) { open(at.row()); });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& at) { select(at.row()); });
  refill();
  reload();
}

QWidget* SweepPanel::makeControls() {
  auto* controls = new QWidget;
  auto* flow = new FlowLayout({8, 4, 6}, controls);
  flow->setContentsMargins(12, 8, 12, 6);
  for (std::size_t axis = 0; axis < m_fields.size(); ++axis) {
    m_fields[axis] = new SweepField(axis == 1, this);
    for (QWidget* group : m_fields[axis]->groups()) flow->addWidget(group);
    connect(m_fields[axis], &SweepField::changed, this, &SweepPanel::refreshValues);
  }
  m_run = new QPushButton;
  m_run->setProperty("role", QStringLiteral("primary"));
  m_open = new QPushButton(QStringLiteral("Open this point"));
  m_open->setToolTip(
      QStringLiteral("Writes the values of the selected point into machine and kernel; Ctrl+Z "
                     "goes back"));
  connect(m_run, &QPushButton::clicked, this, &SweepPanel::run);
  connect(m_open, &QPushButton::clicked, this, [this] { open(m_selected); });
  flow->addWidget(rowOf({m_run, m_open}));
  return controls;
}

QWidget* SweepPanel::makeProgress() {
  m_running = new QWidget;
  auto* line = new QHBoxLayout(m_running);
  line->setContentsMargins(12, 0, 12, 6);
  m_activity = new QLabel;
  m_progress = new QProgressBar;
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(QStringLiteral("Progress of the sweep"));
  m_stop = new QPushButton(QStringLiteral("Stop"));
  m_stop->setToolTip(QStringLiteral("Stop; the points found by then stay"));
  line->addWidget(m_activity);
  line->addWidget(m_progress, 1);
  line->addWidget(m_stop);
  connect(m_stop, &QPushButton::clicked, m_sweep, &Sweep::stop);
  auto* both = new QWidget;
  auto* column = new QVBoxLayout(both);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_note = new QLabel(QStringLiteral("Of earlier inputs: run again"));
  m_note->setProperty("role", QStringLiteral("warning"));
  m_note->setContentsMargins(12, 0, 12, 6);
  m_note->setWordWrap(true);
  column->addWidget(m_running);
  column->addWidget(m_note);
  return both;
}

/// Offers the numbers of the inputs. While a text has errors, which it has while it is typed, those
/// of the text before stay.
void SweepPanel::refill() {
  if (m_session->hardware() && !m_session->hardwareIsCurrent()) return;
  const auto parameters = sweepParameters(m_session->project(), m_session->kernelValues());
  for (SweepField* field : m_fields) field->offer(parameters);
  refreshValues();
}

std::vector<SweepAxis> SweepPanel::axes() const {
  std::vector<SweepAxis> axes;
  for (const SweepField* field : m_fields) {
    if (auto axis = field->axis()) axes.push_back(*std::move(axis));
  }
  return axes;
}

QString SweepPanel::problem() const {
  for (const SweepField* field : m_fields) {
    if (!field->problem().isEmpty()) return field->problem();
  }
  const auto chosen = axes();
  if (chosen.empty()) return QStringLiteral("Choose a number that varies");
  if (chosen.size() == 2 && chosen[0].parameter.name == chosen[1].parameter.name)
    return QStringLiteral("The same number is chosen twice");
  if (!m_session->kernel()) return QStringLiteral("The kernel has errors");
  return {};
}

void SweepPanel::refreshValues() {
  for (SweepField* field : m_fields) field->refresh();
  const QString why = problem();
  std::size_t points = 1;
  for (const SweepAxis& axis : axes()) points *= axis.values.size();
  m_run->setEnabled(why.isEmpty());
  m_run->setToolTip(why);
  m_run->setText(!why.isEmpty() ? QStringLiteral("Run")
                 : points == 1  ? QStringLiteral("Run 1 point")
                                : QStringLiteral("Run %1 points").arg(points));
}

void SweepPanel::run() {
  if (!problem().isEmpty()) return;
  m_selected = -1;
  pauseForEdits();
  m_sweep->start(m_session->project(), m_session->kernel()->kernel, axes());
  refreshStale();
  Q_EMIT started();
}

/// An edit is answered first: both would take all cores of this computer.
void SweepPanel::pauseForEdits() {
  m_sweep->setPaused(m_session->busy() && (m_session->stale() || m_session->provisional()));
}

void SweepPanel::reload() {
  const int done = m_sweep->done(), count = static_cast<int>(m_sweep->points().size());
  m_running->setVisible(m_sweep->running());
  const QLatin1String paused(m_sweep->paused() ? "; waits for the edit's result" : "");
  m_activity->setText(QStringLiteral("%1 of %2 points%3").arg(done).arg(count).arg(paused));
  m_progress->setRange(0, std::max(count, 1));
  m_progress->setValue(done);
  m_model->show(m_sweep->axes().empty() ? report::Table{} : shownSweepTable(m_sweep->record()));
  m_table->setVisible(done > 0);
  m_open->setVisible(done > 0);
  if (done > 0) fitColumns();
  m_chart->showSweep(*m_sweep, m_selected);
  m_open->setEnabled(m_selected >= 0);
  refreshStale();
}

/// The values, and what was found there; the number of cores goes first where not all fit.
void SweepPanel::fitColumns() {
  const auto axes = static_cast<int>(m_sweep->axes().size());
  const bool simulates = m_sweep->record().simulated;
  // Behind the axes: cores, predicted, simulated, to present, of peak, bottleneck, best mapping.
  const int cycles = axes + (simulates ? 2 : 1);
  std::vector<int> columns{cycles, cycles + 3, cycles + 1, cycles + 2, cycles + 4, axes};
  if (simulates) columns.push_back(axes + 1);
  const int remark = cycles + 5;
  if (remark < m_model->columnCount({})) columns.insert(columns.begin() + 1, remark);
  for (int axis = axes; axis-- > 0;) columns.insert(columns.begin(), axis);
  m_table->setElastic(cycles + 4);
  m_table->setImportance(columns);
}

/// A point that was opened is one of the sweep: only other inputs make it old.
void SweepPanel::refreshStale() {
  const bool stale = m_sweep->done() > 0 && fixedInputs(m_session->project(), *m_sweep) !=
                                                fixedInputs(m_sweep->project(), *m_sweep);
  const int done = m_sweep->done(), count = static_cast<int>(m_sweep->points().size());
  const bool stopped = !m_sweep->running() && done > 0 && done < count;
  QStringList notes;
  if (stale) notes << QStringLiteral("Of earlier inputs: run again");
  if (stopped && !stale) notes << QStringLiteral("Stopped: %1 of %2 points").arg(done).arg(count);
  if (const QString failed = failedSimulations(*m_sweep); !failed.isEmpty()) notes << failed;
  m_note->setText(notes.join(QLatin1Char('\n')));
  m_note->setVisible(!notes.isEmpty());
  m_chart->setStale(stale);
}

void SweepPanel::select(int point) {
  const bool known = point >= 0 && point < m_sweep->done();
  m_open->setEnabled(known);
  if (!known || point == m_selected) return;
  m_selected = point;
  m_table->selectRow(point);
  m_chart->showSweep(*m_sweep, m_selected);
}

void SweepPanel::open(int point) {
  if (point < 0 || point >= m_sweep->done()) return;
  select(point);
  // What was edited since the sweep stays.
  Q_EMIT pointWanted(m_sweep->at(point, m_session->project()),
                     text(report::sweepTitle(m_sweep->axes(),
                                             m_sweep->points()[static_cast<std::size_t>(point)])));
}

QByteArray SweepPanel::csv() const {
  if (m_sweep->done() == 0) return {};
  return QByteArray::fromStdString(service::csvOf(report::sweepTable(m_sweep->record())));
}

void SweepPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_table) m_chart->showSweep(*m_sweep, m_selected);
}

void SweepPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_split->setOrientation(height() > width() ? Qt::Vertical : Qt::Horizontal);
}

}  // namespace gridloom::widgets
