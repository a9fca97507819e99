// SPDX-License-Identifier: GPL-3.0-or-later

// The figures above the mesh, and the line that names the mapping.

#include <limits>

#include "bridge/export_check.h"
#include "bridge/session.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "window/figure_strip.h"
#include "window/line_label.h"
#include "window/mesh_panel.h"

namespace gridloom::widgets {

namespace {

enum Figures : std::size_t { Simulated, Predicted, Error, Rate, Utilization, Bottleneck, Bound };

}  // namespace

std::vector<FigureStrip::Figure> MeshPanel::figureNames() {
  return {
      {QStringLiteral("Simulated"),
       QStringLiteral("Cycles of the event-driven simulation, launch included")},
      {QStringLiteral("Predicted"),
       QStringLiteral("Cycles by the analytical model, launch included")},
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

void MeshPanel::refreshFigures() {
  const auto& exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  if (!showsMapping()) {
    for (std::size_t i = 0; i <= Bound; ++i) m_figures->setValue(i, QStringLiteral("–"));
    refreshChanges(nullptr);
    return;
  }
  const ranking::Ranked ranked =
      service::rankedAt(*exploration, static_cast<std::size_t>(candidate));
  const cost::Estimate& estimate = ranked.candidate.estimate;
  const auto run = m_session->runOf(candidate);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double simulated = run ? run->simulated.cycles : nan;
  const double cycles = run ? simulated : estimate.cycles;
  m_figures->setValue(Simulated, cyclesText(simulated));
  m_figures->setValue(Predicted, cyclesText(estimate.cycles));
  m_figures->setValue(Error, signedPercentText(estimate.cycles / simulated - 1));
  m_figures->setValue(Rate, rateText(run ? run->simulated.tflops : estimate.tflops));
  m_figures->setValue(Utilization,
                      percentText(run ? run->simulated.utilization : estimate.utilization));
  m_figures->setValue(Bottleneck, causeTitle(text(estimate.bottleneck)));
  m_figures->setValue(Bound, percentText(exploration->roofline.cycles / cycles));
  refreshChanges(run.get());
}

/// The figures are checked off this thread; of a large mesh those of the prediction alone, as a run
/// of it has millions of links.
void MeshPanel::refreshDoubts() {
  const service::ExplorationRef exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  if (!showsMapping()) {
    m_doubtJob.drop();
    return showDoubts({});
  }
  const bool large = exploration->hardware->topology.coreCount() > kMostCoresDrawnAtOnce;
  const auto run = large ? nullptr : m_session->runOf(candidate);
  showDoubts({});  // those of the mapping before
  m_doubtJob.start<base::Diagnostics>(
      [exploration, candidate, run](base::Progress&) -> Job::Answer<base::Diagnostics> {
        return std::make_shared<const base::Diagnostics>(doubtsOf(
            service::rankedAt(*exploration, static_cast<std::size_t>(candidate)), run.get()));
      },
      [this](Job::Answer<base::Diagnostics> answer) {
        if (answer) showDoubts(**answer);
      });
}

void MeshPanel::showDoubts(const base::Diagnostics& findings) {
  m_doubt->setVisible(!findings.empty());
  if (findings.empty()) return m_doubt->setLine({});
  m_doubt->setLine(QStringLiteral("✕ These figures cannot be right: %1. This is a fault of "
                                  "Gridloom; please report it with the project file")
                       .arg(text(findings.front().message)));
}

/// Under each figure: how it differs from that of the frozen mapping A.
void MeshPanel::refreshChanges(const service::SimulationRun* run) {
  std::vector<FigureStrip::Change> changes(Bound + 1);
  if (!run || !m_session->compares(run->kernel)) return m_figures->setChanges(changes);
  const service::SimulationRun* a = m_session->frozen().run.get();
  const auto relative = [](double before, double after) {
    const QString change = signedPercentText(after / before - 1);
    return FigureStrip::Change{QStringLiteral("A %1, %2").arg(cyclesText(before), change), change};
  };
  const auto was = [](const QString& value) {
    return FigureStrip::Change{QStringLiteral("A %1").arg(value), {}};
  };
  changes[Predicted] = relative(a->predicted.cycles, run->predicted.cycles);
  changes[Simulated] = relative(a->simulated.cycles, run->simulated.cycles);
  changes[Rate] = was(rateText(a->simulated.tflops));
  changes[Utilization] = was(percentText(a->simulated.utilization));
  changes[Bottleneck] = was(causeTitle(text(a->predicted.bottleneck)));
  m_figures->setChanges(changes);
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
                     .arg(text(service::lineAt(*exploration,
                                               static_cast<std::size_t>(m_hub->candidate()))))
      : exploration && !m_session->stale()
          ? QStringLiteral("No mapping fits; see \"Mapping space\" for the reasons.")
          : QString();
  m_line->setLine(line);
  m_line->setEnabled(!m_session->stale() || !reason.isEmpty());
}

}  // namespace gridloom::widgets
