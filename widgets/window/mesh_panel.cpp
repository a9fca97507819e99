// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/mesh_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "bridge/replay.h"
#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_difference.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "window/figure_strip.h"
#include "window/heat_scale.h"
#include "window/line_label.h"
#include "window/mesh_title.h"
#include "window/state_legend.h"

namespace gridloom::widgets {

namespace {

/// Whether the drawings of two machines look alike. Of large ones, only those that share their
/// links are compared, for speed.
bool looksAlike(const service::Hardware& a, const service::Hardware& b) {
  if (a.source->text() == b.source->text() || a.topology.looksLike(b.topology)) return true;
  return std::max(a.topology.coreCount(), b.topology.coreCount()) <= kMostCoresDrawnAtOnce &&
         sameMachine(sceneOf(a.topology), sceneOf(b.topology));
}

}  // namespace

MeshPanel::MeshPanel(Session* session, SelectionHub* hub, Replay* replay, QWidget* parent)
    : QWidget(parent), m_session(session), m_hub(hub), m_replay(replay) {
  build();
  connect(session, &Session::edited, this, &MeshPanel::stopScene);
  connect(session, &Session::inputsChanged, this, &MeshPanel::refresh);
  connect(session, &Session::explorationChanged, this, &MeshPanel::refresh);
  connect(session, &Session::runChanged, this, [this](int candidate) {
    if (candidate == m_hub->candidate()) refresh();
  });
  connect(session, &Session::staleChanged, this, &MeshPanel::refreshStale);
  connect(session, &Session::staleReasonChanged, this, &MeshPanel::refreshLine);
  connect(session, &Session::problemsChanged, this, &MeshPanel::updateCanvasText);
  connect(hub, &SelectionHub::candidateChanged, this, &MeshPanel::refresh);
  connect(hub, &SelectionHub::coreChanged, this, [this](int core) {
    m_canvas->setSelectedCore(core);
    describeCore(core);
  });
  connect(hub, &SelectionHub::cycleChanged, this, &MeshPanel::showMoment);
  connect(replay, &Replay::recordingChanged, this, &MeshPanel::showMoment);
  connect(replay, &Replay::followedChanged, this, &MeshPanel::showMoment);
  connect(m_canvas, &MeshCanvas::tilePicked, replay, &Replay::follow);
  connect(hub, &SelectionHub::operandChanged, this, &MeshPanel::markChips);
  connect(hub, &SelectionHub::lossChanged, this, [this](const QString& loss) {
    const Heat now = loss.isEmpty() ? Heat::States : Heat::Lost;
    if (heat() == now)
      refresh();
    else
      setHeat(now);
  });
  connect(hub, &SelectionHub::resourceChanged, this, &MeshPanel::markResource);
  connect(session, &Session::differenceChanged, this, &MeshPanel::showComparison);
  connect(session, &Session::peakChanged, this, [this] {
    if (heat() == Heat::Lost) refresh();
  });
  connect(m_canvas, &MeshCanvas::corePicked, this, [this](int core) {
    m_hub->selectResource({});
    m_hub->selectCore(core);
  });
  connect(m_canvas, &MeshCanvas::resourcePicked, this, [this](int link, int memory) {
    m_hub->selectCore(-1);
    m_hub->selectResource(resourceName(link, memory));
  });
  m_settle.setSingleShot(true);
  connect(&m_settle, &QTimer::timeout, this, &MeshPanel::makeLargeScene);
  updateCanvasText();
}

void MeshPanel::build() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_figures = new FigureStrip(MeshPanel::figureNames());
  m_line = new LineLabel;
  m_line->setObjectName(QStringLiteral("mappingLine"));
  m_line->setProperty("role", QStringLiteral("muted"));
  m_line->setContentsMargins(14, 0, 14, 0);
  m_doubt = new LineLabel;
  m_doubt->setObjectName(QStringLiteral("doubt"));
  m_doubt->setProperty("role", QStringLiteral("error"));
  m_doubt->setContentsMargins(14, 0, 14, 6);
  m_doubt->hide();
  m_canvas = new MeshCanvas;
  m_canvas->setObjectName(QStringLiteral("mesh"));
  m_core = new LineLabel;
  m_core->setObjectName(QStringLiteral("coreLine"));
  m_core->setContentsMargins(16, 4, 16, 2);
  m_core->hide();
  column->addWidget(m_figures);
  column->addWidget(m_doubt);
  m_lineRow = new QHBoxLayout;
  m_lineRow->setContentsMargins(0, 0, 12, 4);
  m_lineRow->addWidget(m_line, 1);
  column->addLayout(m_lineRow);
  m_title = new MeshTitle(m_canvas);
  column->addWidget(m_title);
  m_middle = new QBoxLayout(QBoxLayout::TopToBottom);
  m_middle->addWidget(m_canvas, 1);
  m_middle->addWidget(makeLegend());
  column->addLayout(m_middle, 1);
  column->addWidget(m_core);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
}

Heat MeshPanel::heat() const { return static_cast<Heat>(m_heat->currentIndex()); }
void MeshPanel::setHeat(Heat heat) { m_heat->setCurrentIndex(static_cast<int>(heat)); }
void MeshPanel::setOutcome(QWidget* outcome) {
  m_outcome = outcome;
  m_lineRow->addWidget(outcome);
}
void MeshPanel::setLinksShown(bool shown) { m_canvas->setLinksShown(shown); }

QString MeshPanel::title() const {
  const auto& exploration = m_session->exploration();
  if (!showsMapping()) return m_canvas->scene().hardware;
  return QStringLiteral("%1 on %2, mapping %3")
      .arg(text(exploration->kernel->kernel.name), text(exploration->hardware->topology.name()))
      .arg(m_hub->candidate() + 1);
}

/// A mapping stays visible during the search for new ones, unless its machine looks different from
/// the current one; that machine is drawn as soon as its text is valid.
bool MeshPanel::showsMapping() const {
  const auto& exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  if (!exploration || candidate < 0 || candidate >= static_cast<int>(exploration->listed()))
    return false;
  const service::HardwareRef& now = m_session->hardware();
  if (!m_session->stale() || !now || now == exploration->hardware) return true;
  if (m_compared.then != exploration->hardware || m_compared.now != now)
    m_compared = {exploration->hardware, now, looksAlike(*exploration->hardware, *now)};
  return m_compared.alike;
}

/// The scene does not correspond to the current texts.
bool MeshPanel::showsStale() const {
  return isOutdated() && (showsMapping() || !m_session->hardwareIsCurrent());
}

bool MeshPanel::isOutdated() const { return m_session->stale() && !m_session->provisional(); }

void MeshPanel::refresh() {
  refreshFigures();
  refreshDoubts();
  refreshStale();
  const service::HardwareRef shown = shownHardware();
  m_title->setFacts(shown ? meshFacts(shown->topology) : QString());
  requestScene();
}

/// A, where the shown mapping is compared with it.
service::SimulationRunRef MeshPanel::comparedRun() const {
  const service::SimulationRunRef run = m_session->runOf(m_hub->candidate());
  return run && m_session->compares(run->kernel) ? m_session->frozen().run : nullptr;
}

void MeshPanel::refreshStale() {
  m_figures->setEnabled(!isOutdated());
  if (m_outcome) m_outcome->setEnabled(!m_session->stale());
  m_canvas->setStale(showsStale());
  m_scale->update();
  m_linkScale->update();
  m_states->update();
  refreshLine();
}

/// A comparison begins with what moved, and its end ends that; so does a machine of another size,
/// whose cores are not those of A.
void MeshPanel::showComparison() {
  const service::SimulationRunRef a = m_session->frozen().run;
  const service::SimulationRunRef b = m_session->runOf(m_hub->candidate());
  bool compares =
      a && m_session->exploration() && m_session->compares(m_session->exploration()->kernel);
  // A mapping that is not simulated yet changes nothing.
  if (compares) compares = b ? canDraw(*a, *b) : m_comparing;
  if (compares != m_comparing) setHeat(compares ? Heat::Moved : Heat::States);
  m_comparing = compares;
  refresh();
}

void MeshPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeLegend();  // shows legends, of which a low panel drops some
  dropLow();
}

void MeshPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  // Palettes also change while the panel is under construction.
  if (event->type() == QEvent::PaletteChange && m_legend) rebuildChips();
}

void MeshPanel::updateCanvasText() {
  const bool errors =
      std::any_of(m_session->problems().begin(), m_session->problems().end(),
                  [](const auto& p) { return p.diagnostic.severity == base::Severity::Error; });
  m_canvas->setEmptyText(
      errors
          ? QStringLiteral("The hardware cannot be drawn yet.\nSee \"Problems\" for what to mend.")
          : QStringLiteral("Choose a hardware and a kernel in the tool bar,\nor open a project."));
}

}  // namespace gridloom::widgets
