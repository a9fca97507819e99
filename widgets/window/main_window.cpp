// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QScopedValueRollback>
#include <QStatusBar>
#include <QToolBar>
#include <algorithm>

#include "bridge/measurements.h"
#include "bridge/replay.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "editors/code_editor.h"
#include "editors/language_highlighter.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "theme/tokens.h"
#include "window/charts_panel.h"
#include "window/compare_panel.h"
#include "window/inputs_panel.h"
#include "window/line_label.h"
#include "window/measured_panel.h"
#include "window/mesh_panel.h"
#include "window/nothing_fits.h"
#include "window/number_box.h"
#include "window/outcome_chip.h"
#include "window/peak_panel.h"
#include "window/ranked_panel.h"
#include "window/result_panels.h"
#include "window/sweep_panel.h"
#include "window/timeline_panel.h"

namespace gridloom::widgets {

namespace {

constexpr int kPollPause = 100;        // milliseconds between polls of the progress
constexpr int kAutosavePause = 15000;  // milliseconds between copies of unsaved work

}  // namespace

MainWindow::MainWindow(const QString& settingsPath, QWidget* parent)
    : QMainWindow(parent),
      m_settings(settingsPath),
      m_unsaved(m_settings.folder()),
      m_session(new Session(this)),
      m_hub(new SelectionHub(this)),
      m_replay(new Replay(m_session, m_hub, this)),
      m_measurements(new Measurements(this)) {
  setObjectName(QStringLiteral("studio"));
  setAcceptDrops(true);
  setDockOptions(AllowNestedDocks | AllowTabbedDocks | GroupedDragging);
  // Before there are widgets that would have to be polished twice.
  applyTheme(*static_cast<QApplication*>(QApplication::instance()), m_settings.scheme());
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  buildPanels();
  buildActions();
  buildToolBar();
  m_state = new QLabel;
  m_state->setObjectName(QStringLiteral("state"));
  statusBar()->addWidget(m_state);
  m_found = new LineLabel;
  m_found->setObjectName(QStringLiteral("found"));
  m_found->setProperty("role", QStringLiteral("muted"));
  m_found->setContentsMargins(10, 0, 10, 0);
  statusBar()->addWidget(m_found, 1);
  m_activity = new QLabel;
  m_progress = new QProgressBar;
  m_progress->setFixedWidth(160);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(QStringLiteral("Progress"));
  statusBar()->addPermanentWidget(m_activity);
  statusBar()->addPermanentWidget(m_progress);
  m_progress->hide();
  connectSession();
  connectEditors();
  connectMeasurements();
  refreshIcons();
  restoreLayout();
  m_kernel->editor()->setFocus();
  refreshRecent();
  refreshTitle();
  m_poll.setInterval(kPollPause);
  connect(&m_poll, &QTimer::timeout, this, &MainWindow::refreshActivity);
  connect(&m_autosave, &QTimer::timeout, this, &MainWindow::autosave);
  m_autosave.start(kAutosavePause);
}

MainWindow::~MainWindow() {
  // The session must not call views that no longer exist.
  m_session->disconnect();
  delete m_measurements;
  delete m_replay;
}

QDockWidget* MainWindow::dock(const QString& name, const QString& title, QWidget* widget) {
  auto* made = new QDockWidget(title, this);
  made->setObjectName(name);
  made->setWidget(widget);
  // Tabs are known only after the layout has settled.
  const auto settle = [this] { QTimer::singleShot(0, this, &MainWindow::updateTitleBars); };
  connect(made, &QDockWidget::dockLocationChanged, this, settle);
  connect(made, &QDockWidget::topLevelChanged, this, settle);
  connect(made, &QDockWidget::visibilityChanged, this, settle);
  m_docks << made;
  return made;
}

void MainWindow::buildPanels() {
  m_mesh = new MeshPanel(m_session, m_hub, m_replay);
  m_hardware = new CodeEditor(Language::Hardware);
  m_hardware->setAccessibleName(QStringLiteral("Hardware text"));
  m_hardware->setObjectName(QStringLiteral("hardwareEditor"));
  m_kernel = new KernelPanel(m_session, m_hub);
  m_directives = new DirectivesPanel(m_session, m_hub);
  m_peak = new PeakPanel(m_session, m_hub);
  m_compare = new ComparePanel(m_session, m_hub);
  m_explain = new ExplainPanel(m_session, m_hub);
  m_space = new SpacePanel(m_session);
  m_ranked = new RankedPanel(m_session, m_hub);
  m_mesh->setOutcome(new OutcomeChip(m_ranked->model(), m_hub));
  m_charts = new ChartsPanel(m_session, m_hub);
  m_problems = new ProblemPanel(m_session);
  m_timeline = new TimelinePanel(m_session, m_hub, m_replay);
  m_measured = new MeasuredPanel(m_measurements);
  m_sweep = new SweepPanel(m_session);
  // Tab goes through the panels in this order, with the mesh between the texts and the results.
  dock(QStringLiteral("kernelDock"), QStringLiteral("Kernel"), m_kernel);
  dock(QStringLiteral("directivesDock"), QStringLiteral("Directives"), m_directives);
  dock(QStringLiteral("hardwareDock"), QStringLiteral("Hardware"), makeHardwareTabs());
  setCentralWidget(m_mesh);
  dock(QStringLiteral("timelineDock"), QStringLiteral("Timeline"), m_timeline);
  dock(QStringLiteral("rankedDock"), QStringLiteral("Ranked mappings"), m_ranked);
  dock(QStringLiteral("spaceDock"), QStringLiteral("Mapping space"), m_space);
  dock(QStringLiteral("problemsDock"), QStringLiteral("Problems"), m_problems);
  dock(QStringLiteral("measuredDock"), QStringLiteral("Measured"), m_measured);
  dock(QStringLiteral("sweepDock"), QStringLiteral("Sweep"), m_sweep);
  dock(QStringLiteral("peakDock"), QStringLiteral("Where the peak went"), m_peak);
  dock(QStringLiteral("chartsDock"), QStringLiteral("Charts"), m_charts);
  dock(QStringLiteral("explainDock"), QStringLiteral("What if"), m_explain);
  dock(QStringLiteral("compareDock"), QStringLiteral("Compare"), m_compare);
}

void MainWindow::connectSession() {
  connect(m_session, &Session::projectReplaced, this, &MainWindow::showProject);
  connect(m_session, &Session::edited, this, &MainWindow::refreshDirty);
  connect(m_session, &Session::edited, this, [this] { m_explainTried = -1; });
  connect(m_session, &Session::edited, this, &MainWindow::refreshUndo);
  connect(m_session, &Session::projectReplaced, this, &MainWindow::refreshUndo);
  connect(m_session, &Session::problemsChanged, this, &MainWindow::showProblems);
  connect(m_session, &Session::inputsChanged, this, &MainWindow::fillModes);
  connect(m_session, &Session::explorationChanged, this, &MainWindow::adoptExploration);
  connect(m_session, &Session::busyChanged, this, [this](bool busy) {
    if (busy)
      m_poll.start();
    else
      m_poll.stop();
    refreshActivity();
    refreshState();
    // The answer that ends the work is taken up first.
    if (!busy) QMetaObject::invokeMethod(this, &MainWindow::explainSelected, Qt::QueuedConnection);
  });
  connect(m_session, &Session::explorationChanged, this, &MainWindow::refreshFound);
  connect(m_session, &Session::staleChanged, this, &MainWindow::refreshFound);
  connect(m_session, &Session::explorationChanged, this, &MainWindow::refreshState);
  connect(m_session, &Session::staleReasonChanged, this, &MainWindow::refreshState);
  connect(m_session, &Session::staleChanged, this, &MainWindow::refreshState);
  connect(m_hub, &SelectionHub::candidateChanged, this, [this](int candidate) {
    if (!m_adopting && candidate >= 0) {
      m_session->recordAction(
          m_session->actionNow(Action::Kind::Select,
                               QStringLiteral("look at mapping %1").arg(candidate + 1), candidate));
    }
    m_session->showPeak(candidate);
    explainSelected();
  });
  connectPanels();
}

void MainWindow::connectPanels() {
  for (auto* each : findChildren<NothingFits*>())
    connect(each, &NothingFits::reasonsWanted, this, [this] {
      m_docks[SpaceDock]->show();
      m_docks[SpaceDock]->raise();
    });
  m_ranked->setHiddenColumns(m_settings.hiddenColumns());
  connect(m_ranked, &RankedPanel::columnsChosen, this,
          [this](const QStringList& hidden) { m_settings.setHiddenColumns(hidden); });
  connect(m_ranked, &RankedPanel::choicesKept, m_directives, &DirectivesPanel::keep);
  connect(m_ranked, &RankedPanel::choiceExcluded, m_directives, &DirectivesPanel::exclude);
  connect(m_space, &SpacePanel::exampleWanted, m_directives, &DirectivesPanel::open);
  connect(m_directives, &DirectivesPanel::written, this, [this] {
    m_docks[DirectivesDock]->show();
    m_docks[DirectivesDock]->raise();
  });
  connect(m_hub, &SelectionHub::loopChanged, m_kernel->editor(), &CodeEditor::markWord);
  connect(m_problems, &ProblemPanel::activated, this, &MainWindow::goToProblem);
  connect(m_sweep, &SweepPanel::started, this, &MainWindow::recordSweep);
  connect(m_sweep, &SweepPanel::pointWanted, this, &MainWindow::openSweepPoint);
}

void MainWindow::connectEditors() {
  CodeEditor* kernel = m_kernel->editor();
  CodeEditor* directives = m_directives->editor();
  connect(m_hardware, &QPlainTextEdit::textChanged, m_session,
          [this] { m_session->setHardwareText(m_hardware->toPlainText()); });
  connect(kernel, &QPlainTextEdit::textChanged, m_session,
          [this, kernel] { m_session->setKernelText(kernel->toPlainText()); });
  connect(directives, &QPlainTextEdit::textChanged, m_session,
          [this, directives] { m_session->setDirectives(directives->toPlainText()); });
  for (CodeEditor* editor : {m_hardware, kernel, directives})
    editor->addActions({m_undoAction, m_redoAction});
  const auto tell = [this](const QString& message) { statusBar()->showMessage(message, 10000); };
  connect(m_kernel, &KernelPanel::corrected, this, tell);
  connect(m_topBox, &NumberBox::corrected, this, tell);
  qApp->installEventFilter(this);
}

void MainWindow::adoptExploration() {
  const auto& exploration = m_session->exploration();
  const bool listed = exploration && exploration->listed() > 0;
  m_explainTried = -1;
  const QScopedValueRollback adopting(m_adopting, true);
  m_hub->selectCore(-1);
  m_hub->selectBrush({});
  m_hub->selectCandidate(listed ? 0 : -1);
  m_session->showPeak(m_hub->candidate());
  if (exploration && !listed) m_docks[SpaceDock]->raise();
}

void MainWindow::explainSelected() {
  const int candidate = m_hub->candidate();
  if (!m_session->project().simulate || m_session->busy() || !m_session->runOf(candidate)) return;
  if (m_session->stale()) return;
  if (m_session->explainedCandidate() == candidate || m_explainTried == candidate) return;
  m_explainTried = candidate;
  m_session->explain(candidate);
}

void MainWindow::fillModes() {
  const QSignalBlocker quiet(m_modeBox);
  m_modeBox->clear();
  m_modeBox->addItem(QStringLiteral("auto"));
  if (m_session->hardware()) {
    for (const std::string& mode : m_session->hardware()->topology.modes()) {
      if (!mode.empty()) m_modeBox->addItem(text(mode));
    }
  }
  const int at = m_modeBox->findText(m_session->project().mode);
  m_modeBox->setCurrentIndex(std::max(at, 0));
}

void MainWindow::refreshActivity() {
  m_stopAction->setEnabled(m_session->busy() && !m_session->stopping());
  m_activity->setText(m_session->activity());
  const double share = m_session->shareDone();
  m_progress->setVisible(m_session->busy());
  m_progress->setRange(0, share < 0 ? 0 : 1000);
  if (share >= 0) m_progress->setValue(static_cast<int>(share * 1000));
}

bool MainWindow::isMenuShortcut(const QKeyEvent& event) const {
  const QKeySequence keys(event.keyCombination());
  return std::any_of(m_actions.begin(), m_actions.end(), [&](const QAction* each) {
    return each->isEnabled() && each->shortcuts().contains(keys);
  });
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (widget && widget->window() == this && isMenuShortcut(*static_cast<QKeyEvent*>(event))) {
      event->ignore();
      return true;
    }
  }
  // A panel that is raised must not cover what lies over all panels. Its tab comes up with it, for
  // which it must be on top for the moment.
  if (event->type() == QEvent::ZOrderChange && qobject_cast<QDockWidget*>(watched))
    QTimer::singleShot(0, this, &MainWindow::raiseOverlays);
  return QMainWindow::eventFilter(watched, event);
}

void MainWindow::setScheme(Scheme scheme) {
  m_settings.setScheme(scheme);
  applyTheme(*static_cast<QApplication*>(QApplication::instance()), scheme);
  refreshIcons();
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) refreshIcons();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!endExports() || !keepChanges()) {
    event->ignore();
    return;
  }
  m_settings.setWindow(saveGeometry(), saveState(), m_folded);
  m_unsaved.forget();
  m_session->cancel();
  event->accept();
}

}  // namespace gridloom::widgets
