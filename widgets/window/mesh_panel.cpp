// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/mesh_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <optional>

#include "bridge/session.h"
#include "canvas/mesh_canvas.h"
#include "canvas/mesh_difference.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "theme/tokens.h"
#include "window/figure_strip.h"
#include "window/flow_layout.h"
#include "window/heat_scale.h"
#include "window/line_label.h"

namespace gridloom::widgets {

namespace {

/// Larger meshes are prepared in the background.
constexpr std::int64_t kInlineCores = 4096;

enum Figures : std::size_t { Predicted, Simulated, Error, Rate, Utilization, Bottleneck, Bound };

std::vector<FigureStrip::Figure> figureNames() {
  return {
      {QStringLiteral("Predicted"),
       QStringLiteral("Cycles by the analytical model, launch included")},
      {QStringLiteral("Simulated"),
       QStringLiteral("Cycles of the event-driven simulation, launch included")},
      {QStringLiteral("Error"), QStringLiteral("Predicted over simulated cycles, minus one")},
      {QStringLiteral("TFLOP/s"),
       QStringLiteral(
           "The kernel's own operations per second; simulated where known, else predicted")},
      {QStringLiteral("Utilization"),
       QStringLiteral(
           "The kernel's own operations over the peak of the numeric mode on all enabled cores for "
           "the whole time, launch included; padding counts as waste")},
      {QStringLiteral("Bottleneck"), QStringLiteral("The largest term of the predicted cycles")},
      {QStringLiteral("Of bound"), QStringLiteral("Cycles no mapping can beat (computing at peak, "
                                                  "compulsory DRAM traffic) over the cycles "
                                                  "of this mapping")}};
}

QPixmap swatch(const QColor& colour) {
  QPixmap pixmap(20, 20);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(QRectF(1, 7, 18, 6), 3, 3);
  return pixmap;
}

std::optional<report::PeakLoss> lossNamed(const QString& key) {
  for (std::size_t l = 0; l < report::kPeakLosses; ++l) {
    const auto loss = static_cast<report::PeakLoss>(l);
    if (key == text(report::keyOf(loss))) return loss;
  }
  return std::nullopt;
}

/// Whether the drawings of two machines look alike. For large ones, compares the texts only, for
/// speed.
bool looksAlike(const service::Hardware& a, const service::Hardware& b) {
  if (a.source->text() == b.source->text()) return true;
  return std::max(a.topology.coreCount(), b.topology.coreCount()) <= kInlineCores &&
         sameMachine(sceneOf(a.topology), sceneOf(b.topology));
}

}  // namespace

MeshPanel::MeshPanel(Session* session, SelectionHub* hub, QWidget* parent)
    : QWidget(parent), m_session(session), m_hub(hub) {
  build();
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
    m_core->setText(core < 0 || core >= m_canvas->scene().coreCount()
                        ? QString()
                        : m_canvas->scene().describe(core).replace(QLatin1Char('\n'),
                                                                   QStringLiteral("   ·   ")));
    m_core->setVisible(!m_core->text().isEmpty());
  });
  connect(hub, &SelectionHub::operandChanged, this, &MeshPanel::markChips);
  connect(hub, &SelectionHub::lossChanged, this, [this](const QString& loss) {
    const Heat now = loss.isEmpty() ? Heat::Computing : Heat::Lost;
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
  connect(m_canvas, &MeshCanvas::corePicked, hub, &SelectionHub::selectCore);
  updateCanvasText();
}

void MeshPanel::build() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_figures = new FigureStrip(figureNames());
  m_line = new LineLabel;
  m_line->setObjectName(QStringLiteral("mappingLine"));
  m_line->setProperty("role", QStringLiteral("muted"));
  m_line->setContentsMargins(14, 0, 14, 6);
  m_canvas = new MeshCanvas;
  m_canvas->setObjectName(QStringLiteral("mesh"));
  m_core = new QLabel;
  m_core->setContentsMargins(16, 6, 16, 2);
  m_core->setWordWrap(true);
  m_core->hide();
  column->addWidget(m_figures);
  column->addWidget(m_line);
  column->addWidget(m_canvas, 1);
  column->addWidget(m_core);
  column->addWidget(makeLegend());
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
}

QWidget* MeshPanel::makeLegend() {
  m_legend = new QWidget;
  m_legendRows = new FlowLayout({6, 4, 4}, m_legend);
  m_legendRows->setContentsMargins(12, 4, 12, 6);
  m_heat = new QComboBox;
  m_heat->setObjectName(QStringLiteral("heat"));
  m_heat->setAccessibleName(QStringLiteral("What the colour of a core says"));
  for (int i = 0; i < kHeats; ++i) {
    m_heat->addItem(titleOf(static_cast<Heat>(i)));
    m_heat->setItemData(i, meaningOf(static_cast<Heat>(i)), Qt::ToolTipRole);
  }
  m_heat->setCurrentIndex(static_cast<int>(Heat::Computing));
  connect(m_heat, &QComboBox::currentIndexChanged, this, &MeshPanel::refresh);
  m_scale = new HeatScale(m_canvas);
  arrangeLegend();
  return m_legend;
}

/// Operands at the left, the scale at the right; keeps the widgets and changes only their order.
void MeshPanel::arrangeLegend() {
  while (QLayoutItem* item = m_legendRows->takeAt(0)) delete item;
  for (QToolButton* chip : m_chipButtons) m_legendRows->addWidget(chip);
  m_legendRows->addStretch();
  m_legendRows->addWidget(m_heat);
  m_legendRows->addWidget(m_scale);
  m_legendRows->invalidate();
  reserveRows();
}

/// Layouts around this panel use minimum sizes only, and not the height for a given width.
void MeshPanel::reserveRows() {
  m_legend->setMinimumHeight(m_legend->layout()->heightForWidth(width()));
}

Heat MeshPanel::heat() const { return static_cast<Heat>(m_heat->currentIndex()); }
void MeshPanel::setHeat(Heat heat) { m_heat->setCurrentIndex(static_cast<int>(heat)); }
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
  if (!exploration || candidate < 0 || candidate >= static_cast<int>(exploration->top.size()))
    return false;
  const service::HardwareRef& now = m_session->hardware();
  if (!m_session->stale() || !now || now == exploration->hardware) return true;
  if (m_compared.then != exploration->hardware || m_compared.now != now)
    m_compared = {exploration->hardware, now, looksAlike(*exploration->hardware, *now)};
  return m_compared.alike;
}

/// The scene does not correspond to the current texts.
bool MeshPanel::showsStale() const {
  return m_session->stale() && (showsMapping() || !m_session->hardwareIsCurrent());
}

void MeshPanel::refresh() {
  refreshFigures();
  refreshStale();
  const auto exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  const bool mapped = showsMapping();
  const service::HardwareRef hardware = mapped ? exploration->hardware : m_session->hardware();
  if (!hardware) {
    m_sceneJob.drop();
    return adopt({});
  }
  const auto make = [hardware, exploration, mapped, candidate, run = m_session->runOf(candidate),
                     heat = heat(), peak = m_session->peak(), loss = m_hub->loss(),
                     frozen = m_session->frozen().run] {
    if (!mapped) return sceneOf(hardware->topology);
    const std::optional<report::PeakLoss> lost = lossNamed(loss);
    const bool shows = heat == Heat::Lost && peak && lost;
    MeshScene scene =
        sceneOf(*hardware, *exploration->kernel,
                exploration->top[static_cast<std::size_t>(candidate)].candidate.mapping,
                run ? &run->simulated : nullptr,
                (heat == Heat::Lost && !shows) || heat == Heat::Moved ? Heat::Computing : heat);
    if (shows) scene.showLost(peak->sharesOfCores(*lost));
    if (heat == Heat::Moved && run && frozen && canDraw(*frozen, *run))
      showDifference(scene, *frozen, *run);
    return scene;
  };
  if (hardware->topology.coreCount() <= kInlineCores) {
    m_sceneJob.drop();
    adopt(make());
    return;
  }
  m_sceneJob.start<MeshScene>(
      [make](base::Progress&) -> Job::Answer<MeshScene> {
        return std::make_shared<const MeshScene>(make());
      },
      [this](Job::Answer<MeshScene> answer) {
        if (answer) adopt(**answer);
      });
}

void MeshPanel::refreshStale() {
  m_figures->setEnabled(!m_session->stale());
  m_canvas->setStale(showsStale());
  m_scale->update();
  refreshLine();
}

void MeshPanel::adopt(MeshScene scene) {
  m_canvas->setScene(std::move(scene));
  m_canvas->setSelectedCore(m_hub->core());
  markResource(m_hub->resource());
  m_scale->setVisible(!m_canvas->scene().heatOfCore.empty());
  rebuildChips();
  m_scale->update();
  updateCanvasText();
}

void MeshPanel::refreshFigures() {
  const auto& exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  if (!showsMapping()) {
    for (std::size_t i = 0; i <= Bound; ++i) m_figures->setValue(i, QStringLiteral("–"));
    refreshChanges(nullptr);
    return;
  }
  const service::Ranked& ranked = exploration->top[static_cast<std::size_t>(candidate)];
  const cost::Estimate& estimate = ranked.candidate.estimate;
  const auto run = m_session->runOf(candidate);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double simulated = run ? run->simulated.cycles : nan;
  const double cycles = run ? simulated : estimate.cycles;
  m_figures->setValue(Predicted, cyclesText(estimate.cycles));
  m_figures->setValue(Simulated, cyclesText(simulated));
  m_figures->setValue(Error, signedPercentText(estimate.cycles / simulated - 1));
  m_figures->setValue(Rate, rateText(run ? run->simulated.tflops : estimate.tflops));
  m_figures->setValue(Utilization,
                      percentText(run ? run->simulated.utilization : estimate.utilization));
  m_figures->setValue(Bottleneck, causeTitle(text(estimate.bottleneck)));
  m_figures->setValue(Bound, percentText(exploration->roofline.cycles / cycles));
  refreshChanges(run.get());
}

/// Under each figure: how it differs from that of the frozen mapping A.
void MeshPanel::refreshChanges(const service::SimulationRun* run) {
  const service::SimulationRun* a = m_session->frozen().run.get();
  for (std::size_t i = 0; i <= Bound; ++i) m_figures->setChange(i, {});
  if (!run || !a) return;
  const auto relative = [](double before, double after) {
    return QStringLiteral("A %1, %2")
        .arg(cyclesText(before), signedPercentText(after / before - 1));
  };
  const auto was = [](const QString& value) { return QStringLiteral("A %1").arg(value); };
  m_figures->setChange(Predicted, relative(a->predicted.cycles, run->predicted.cycles));
  m_figures->setChange(Simulated, relative(a->simulated.cycles, run->simulated.cycles));
  m_figures->setChange(Rate, was(rateText(a->simulated.tflops)));
  m_figures->setChange(Utilization, was(percentText(a->simulated.utilization)));
  m_figures->setChange(Bottleneck, was(causeTitle(text(a->predicted.bottleneck))));
}

void MeshPanel::refreshLine() {
  const auto& exploration = m_session->exploration();
  const QString reason = m_session->staleReason();
  const bool mapped = showsMapping();
  const QString stale =
      mapped ? QStringLiteral("Of earlier inputs: %1") : QStringLiteral("Not explored: %1");
  const QString line =
      !reason.isEmpty() ? stale.arg(reason)
      : mapped          ? QStringLiteral("Mapping %1   %2")
                     .arg(m_hub->candidate() + 1)
                     .arg(text(exploration->top[static_cast<std::size_t>(m_hub->candidate())].line))
      : exploration && !m_session->stale()
          ? QStringLiteral("No mapping fits; see \"Mapping space\" for the reasons.")
          : QString();
  m_line->setLine(line);
  m_line->setEnabled(!m_session->stale() || !reason.isEmpty());
}

/// A comparison begins with what moved, and its end ends that.
void MeshPanel::showComparison() {
  const bool compares = m_session->frozen().run != nullptr;
  if (compares != m_comparing) setHeat(compares ? Heat::Moved : Heat::Computing);
  m_comparing = compares;
  refresh();
}

/// Links and channels have the names of the reports.
void MeshPanel::markResource(const QString& name) {
  int link = -1, memory = -1;
  const auto& exploration = m_session->exploration();
  if (!name.isEmpty() && exploration) {
    const hardware::Topology& hw = exploration->hardware->topology;
    const std::string wanted = name.toStdString();
    for (std::size_t l = 0; l < hw.links().size() && link < 0; ++l) {
      if (hw.linkName(hardware::LinkId::of(l)) == wanted) link = static_cast<int>(l);
    }
    for (const MemoryBlock& block : m_canvas->scene().memories) {
      if (hw.global().name + " " + std::to_string(block.channel) == wanted) memory = block.channel;
    }
  }
  m_canvas->setResource(link, memory);
}

void MeshPanel::rebuildChips() {
  for (QToolButton* button : m_chipButtons) button->deleteLater();
  m_chipButtons.clear();
  const Tokens& tokens = tokensFor(palette());
  for (const Flow& flow : m_canvas->scene().flows) {
    auto* chip = new QToolButton;
    chip->setText(flow.operand);
    chip->setIcon(QIcon(swatch(tokens.operand(flow.colour))));
    chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    chip->setCheckable(true);
    chip->setToolTip(
        QStringLiteral("%1: %2\nClick to show only this operand").arg(flow.operand, flow.movement));
    chip->setAccessibleName(QStringLiteral("Operand %1, %2").arg(flow.operand, flow.movement));
    connect(chip, &QToolButton::clicked, this, [this, name = flow.operand](bool checked) {
      m_hub->selectOperand(checked ? name : QString());
    });
    m_chipButtons.push_back(chip);
  }
  arrangeLegend();
  markChips(m_hub->operand());
}

void MeshPanel::markChips(const QString& operand) {
  for (QToolButton* chip : m_chipButtons) chip->setChecked(chip->text() == operand);
  m_canvas->setOperand(operand);
}

void MeshPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  reserveRows();
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
