// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/sweep_panel.h"

#include <QComboBox>
#include <QDoubleValidator>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
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
#include "window/number_box.h"

namespace gridloom::widgets {

namespace {

constexpr int kMostValues = 24, kUsualValues = 5;
constexpr int kNumberWidth = 76;
constexpr qsizetype kMostWords = 30;  // of the values behind their range

QLabel* caption(const QString& words) {
  auto* label = new QLabel(words);
  label->setProperty("role", QStringLiteral("muted"));
  return label;
}

/// Widgets that break from one row to the next as a whole.
QWidget* rowOf(const QList<QWidget*>& widgets) {
  auto* group = new QWidget;
  auto* row = new QHBoxLayout(group);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  for (QWidget* each : widgets) row->addWidget(each);
  return group;
}

QLineEdit* numberLine(const QString& name) {
  auto* line = new QLineEdit;
  line->setAccessibleName(name);
  line->setFixedWidth(kNumberWidth);
  auto* numbers = new QDoubleValidator(0, 1e15, 6, line);
  numbers->setLocale(QLocale::c());
  line->setValidator(numbers);
  return line;
}

/// A number in a field, without separators, so that it can be typed.
QString plainNumber(double value) {
  return value >= 1000 ? QString::number(value, 'f', 0) : QString::number(value, 'g', 4);
}

/// Inputs that a sweep depends on, with the present values of what it varies.
Project fixedInputs(const Project& project, const Sweep& sweep) {
  Project same = project;
  for (const SweepAxis& axis : sweep.axes())
    same = withValue(std::move(same), axis.parameter, axis.parameter.now);
  for (const SweepAxis& axis : sweep.axes()) {
    if (axis.parameter.ofKernel) same.parameters.erase(text(axis.parameter.component));
  }
  same.top = 1;
  return same;
}

}  // namespace

void SweepView::showSweep(const Sweep& sweep, int selected, const QString& facts) {
  if (sweep.axes().empty() || sweep.done() == 0) {
    m_sweep.reset();
    return show(std::nullopt);
  }
  QStringList names;
  for (const SweepAxis& axis : sweep.axes()) names << axis.parameter.title;
  const ChartHead head{
      QStringLiteral("Best mapping against ") + names.join(QStringLiteral(" and ")), facts};
  m_sweep = sweepChart(sweep.axes(), sweep.points(), head, tokensFor(palette()));
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
  connect(m_sweep, &Sweep::changed, this, &SweepPanel::reload);
  connect(m_sweep, &Sweep::runningChanged, this, &SweepPanel::reload);
  connect(m_chart, &SweepView::picked, this, &SweepPanel::select);
  connect(m_chart, &SweepView::activated, this, &SweepPanel::open);
  connect(m_table, &QTableView::activated, this, [this](const auto& at) { open(at.row()); });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& at) { select(at.row()); });
  refill();
  reload();
}

SweepPanel::Field SweepPanel::makeField(std::size_t axis) {
  const QString nth = QLatin1String(axis == 0 ? "first" : "second");
  Field field;
  field.parameter = new QComboBox;
  field.parameter->setAccessibleName(QStringLiteral("Number that varies, %1").arg(nth));
  field.parameter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  field.parameter->setMinimumContentsLength(22);
  field.from = numberLine(QStringLiteral("First value, %1 number").arg(nth));
  field.to = numberLine(QStringLiteral("Last value, %1 number").arg(nth));
  field.count = new NumberBox(QStringLiteral("Values, %1 number").arg(nth), 1, kMostValues);
  field.count->setValue(kUsualValues);
  field.values = caption({});
  field.range =
      rowOf({caption(QStringLiteral("from")), field.from, caption(QStringLiteral("to")), field.to,
             caption(QStringLiteral("in")), field.count, caption(QStringLiteral("values"))});
  connect(field.parameter, &QComboBox::activated, this, [this, axis] { suggest(axis); });
  for (const QLineEdit* line : {field.from, field.to})
    connect(line, &QLineEdit::textChanged, this, &SweepPanel::refreshValues);
  connect(field.count, &QSpinBox::valueChanged, this, &SweepPanel::refreshValues);
  return field;
}

QWidget* SweepPanel::makeControls() {
  auto* controls = new QWidget;
  auto* flow = new FlowLayout({8, 4, 6}, controls);
  flow->setContentsMargins(12, 8, 12, 6);
  for (std::size_t axis = 0; axis < m_fields.size(); ++axis) {
    m_fields[axis] = makeField(axis);
    const Field& field = m_fields[axis];
    auto* word = caption(QLatin1String(axis == 0 ? "Vary" : "and"));
    word->setMinimumWidth(word->fontMetrics().horizontalAdvance(QStringLiteral("Vary")) + 2);
    flow->addWidget(rowOf({word, field.parameter}));
    flow->addWidget(field.range);
    flow->addWidget(field.values);
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
  column->addWidget(m_running);
  column->addWidget(m_note);
  return both;
}

/// Offers the numbers of the inputs; what is chosen stays, with its range.
void SweepPanel::refill() {
  m_parameters = sweepParameters(m_session->project(), m_session->kernelValues());
  for (std::size_t axis = 0; axis < m_fields.size(); ++axis) {
    QComboBox* box = m_fields[axis].parameter;
    const QString before = box->currentText();
    box->clear();
    if (axis > 0) box->addItem(QStringLiteral("nothing else"));
    for (const SweepParameter& each : m_parameters) box->addItem(each.title);
    const int same = box->findText(before);
    const int usual = box->findText(QStringLiteral("cols"));
    box->setCurrentIndex(same >= 0 ? same : axis == 0 ? std::max(usual, 0) : 0);
    if (same < 0) suggest(axis);
  }
  refreshValues();
}

/// From half to twice of the present value.
void SweepPanel::suggest(std::size_t axis) {
  const Field& field = m_fields[axis];
  const int at = field.parameter->currentIndex() - static_cast<int>(axis);
  const bool chosen = at >= 0 && at < static_cast<int>(m_parameters.size());
  if (chosen) {
    const SweepParameter& parameter = m_parameters[static_cast<std::size_t>(at)];
    const double least =
        parameter.whole ? std::max(1.0, std::ceil(parameter.now / 2)) : parameter.now / 2;
    field.from->setText(plainNumber(least));
    field.to->setText(plainNumber(std::max(parameter.now * 2, least)));
  }
  refreshValues();
}

std::vector<SweepAxis> SweepPanel::axes() const {
  std::vector<SweepAxis> axes;
  for (std::size_t axis = 0; axis < m_fields.size(); ++axis) {
    const Field& field = m_fields[axis];
    const int at = field.parameter->currentIndex() - static_cast<int>(axis);
    if (at < 0 || at >= static_cast<int>(m_parameters.size())) continue;
    const SweepParameter& parameter = m_parameters[static_cast<std::size_t>(at)];
    const double from = field.from->text().toDouble(), to = field.to->text().toDouble();
    // The same number twice varies once.
    if (!axes.empty() && axes.front().parameter.title == parameter.title) continue;
    axes.push_back({parameter, sweepValues(parameter, std::min(from, to), std::max(from, to),
                                           field.count->value())});
  }
  return axes;
}

void SweepPanel::refreshValues() {
  const auto chosen = axes();
  std::size_t points = chosen.empty() ? 0 : 1;
  for (const SweepAxis& axis : chosen) points *= axis.values.size();
  for (std::size_t i = 0; i < m_fields.size(); ++i) {
    const bool used = i == 0 ? !chosen.empty() : m_fields[i].parameter->currentIndex() > 0;
    m_fields[i].range->setVisible(used);
    m_fields[i].values->setVisible(used);
    QStringList all;
    if (i < chosen.size()) {
      for (const double value : chosen[i].values) all << plainNumber(value);
      all << chosen[i].parameter.unit;
    }
    const QString words = all.join(QLatin1Char(' ')).trimmed();
    m_fields[i].values->setToolTip(words);
    m_fields[i].values->setText(words.size() > kMostWords ? QStringLiteral("…") : words);
  }
  m_run->setText(points == 1 ? QStringLiteral("Run 1 point")
                             : QStringLiteral("Run %1 points").arg(points));
  m_run->setEnabled(points > 0);
}

void SweepPanel::run() {
  const auto& hardware = m_session->hardware();
  const auto& kernel = m_session->kernel();
  m_facts = hardware && kernel
                ? factsOf(*hardware, *kernel, m_session->project().mode.toStdString())
                : QString();
  m_selected = -1;
  m_sweep->start(m_session->project(), axes());
  refreshStale();
}

void SweepPanel::reload() {
  const int done = m_sweep->done(), count = static_cast<int>(m_sweep->points().size());
  m_running->setVisible(m_sweep->running());
  m_activity->setText(QStringLiteral("%1 of %2 points").arg(done).arg(count));
  m_progress->setRange(0, std::max(count, 1));
  m_progress->setValue(done);
  m_model->show(m_sweep->axes().empty() ? report::Table{}
                                        : sweepTable(m_sweep->axes(), m_sweep->points()));
  m_table->setVisible(done > 0);
  m_open->setVisible(done > 0);
  if (done > 0) fitColumns();
  m_chart->showSweep(*m_sweep, m_selected, m_facts);
  select(m_selected);
  refreshStale();
}

/// The values, and what was found there; the number of cores goes first where not all fit.
void SweepPanel::fitColumns() {
  const auto axes = static_cast<int>(m_sweep->axes().size());
  std::vector<int> columns{axes + 1, axes + 4, axes + 2, axes + 3, axes + 5, axes};
  for (int axis = axes; axis-- > 0;) columns.insert(columns.begin(), axis);
  m_table->setElastic(axes + 5);
  m_table->setImportance(columns);
}

/// A point that was opened is one of the sweep: only other inputs make it old.
void SweepPanel::refreshStale() {
  const bool stale = m_sweep->done() > 0 && fixedInputs(m_session->project(), *m_sweep) !=
                                                fixedInputs(m_sweep->project(), *m_sweep);
  const int done = m_sweep->done(), count = static_cast<int>(m_sweep->points().size());
  const bool stopped = !m_sweep->running() && done > 0 && done < count;
  m_note->setText(stale ? QStringLiteral("Of earlier inputs: run again")
                        : QStringLiteral("Stopped: %1 of %2 points").arg(done).arg(count));
  m_note->setVisible(stale || stopped);
  m_chart->setStale(stale);
}

void SweepPanel::select(int point) {
  const bool known = point >= 0 && point < m_sweep->done();
  m_open->setEnabled(known);
  if (!known || point == m_selected) return;
  m_selected = point;
  m_table->selectRow(point);
  m_chart->showSweep(*m_sweep, m_selected, m_facts);
}

void SweepPanel::open(int point) {
  if (point < 0 || point >= m_sweep->done()) return;
  select(point);
  // What was edited since the sweep stays.
  Q_EMIT pointWanted(
      m_sweep->at(point, m_session->project()),
      sweepTitle(m_sweep->axes(), m_sweep->points()[static_cast<std::size_t>(point)]));
}

QByteArray SweepPanel::csv() const {
  if (m_sweep->done() == 0) return {};
  return QByteArray::fromStdString(service::csvOf(m_model->table()));
}

void SweepPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_table)
    m_chart->showSweep(*m_sweep, m_selected, m_facts);
}

void SweepPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_split->setOrientation(height() > width() ? Qt::Vertical : Qt::Horizontal);
}

}  // namespace gridloom::widgets
