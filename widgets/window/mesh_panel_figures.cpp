// SPDX-License-Identifier: GPL-3.0-or-later

// The figures above the mesh, and the line that names the mapping.

#include <algorithm>
#include <functional>

#include "bridge/export_check.h"
#include "bridge/session.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"
#include "report/statistics.h"
#include "window/figure_strip.h"
#include "window/line_label.h"
#include "window/mesh_panel.h"

namespace gridloom::widgets {

namespace {

enum Figures : std::size_t { Simulated, Predicted, Rate, Utilization, Bottleneck, Count };

/// The evidence for the bottleneck: how much of the predicted cycles it is busy, and what is next.
FigureStrip::Change evidenceOf(const cost::Estimate& estimate) {
  std::vector<cost::Term> busy = estimate.busy;
  std::ranges::sort(busy, std::greater<>(), &cost::Term::cycles);
  const auto own = std::ranges::find(busy, estimate.bottleneck, &cost::Term::name);
  if (own == busy.end() || estimate.cycles <= 0) return {};
  const auto share = [&](const cost::Term& term) {
    return percentText(term.cycles / estimate.cycles);
  };
  const QString evidence = QStringLiteral("%1 busy").arg(share(*own));
  const auto next = std::ranges::find_if(
      busy, [&](const cost::Term& term) { return term.name != estimate.bottleneck; });
  if (next == busy.end()) return {evidence, share(*own)};
  return {evidence +
              QStringLiteral("; next %1, %2").arg(causeTitle(text(next->name)), share(*next)),
          share(*own)};
}

}  // namespace

std::vector<FigureStrip::Figure> MeshPanel::figureNames() {
  return {
      {QStringLiteral("Simulated cycles"),
       QStringLiteral("Cycles of the event-driven simulation, launch included; the time where the "
                      "machine has a clock")},
      {QStringLiteral("Predicted"),
       QStringLiteral("Cycles by the analytical model, launch included; its error is predicted "
                      "over simulated cycles, minus one")},
      {QStringLiteral("TFLOP/s"),
       QStringLiteral(
           "The kernel's own operations per second; simulated where known, else predicted")},
      {QStringLiteral("Of peak"),
       QStringLiteral(
           "Utilization: the kernel's own operations over the peak of the numeric mode on all "
           "enabled cores for the whole time, launch included; padding counts as waste. Of bound: "
           "cycles no mapping can beat (computing at peak, compulsory DRAM traffic) over the "
           "cycles "
           "of this mapping")},
      {QStringLiteral("Bottleneck"),
       QStringLiteral("The busiest resource of the prediction, or its largest term where none is "
                      "busy half of the time; how much of the cycles it is busy, and the next "
                      "one")}};
}

void MeshPanel::refreshFigures() {
  const auto& exploration = m_session->exploration();
  const int candidate = m_hub->candidate();
  if (!showsMapping()) {
    for (std::size_t i = 0; i < Count; ++i) {
      m_figures->setValue(i, QStringLiteral("–"));
      m_figures->setNote(i, {});
    }
    refreshChanges(nullptr);
    return;
  }
  const ranking::Ranked ranked =
      service::rankedAt(*exploration, static_cast<std::size_t>(candidate));
  const cost::Estimate& estimate = ranked.candidate.estimate;
  const auto run = m_session->runOf(candidate);
  const double cycles = run ? run->simulated.cycles : estimate.cycles;
  m_figures->setValue(Simulated, run ? cyclesText(cycles) : QStringLiteral("–"));
  m_figures->setValue(Predicted, cyclesText(estimate.cycles));
  m_figures->setValue(Rate, rateText(run ? run->simulated.tflops : estimate.tflops));
  m_figures->setValue(Utilization,
                      percentText(run ? run->simulated.utilization : estimate.utilization));
  m_figures->setValue(Bottleneck, causeTitle(text(estimate.bottleneck)));
  const double seconds = run ? run->simulated.seconds : 0;
  m_figures->setNote(Simulated, seconds > 0 ? secondsText(seconds) : QString());
  const double off = report::predictionRatio(estimate.cycles, cycles) - 1;
  m_figures->setNote(Predicted, run ? QStringLiteral("%1 off").arg(signedPercentText(off))
                                : m_session->provisional() ? QStringLiteral("best so far")
                                                           : QStringLiteral("not simulated yet"));
  m_figures->setNote(
      Utilization,
      QStringLiteral("%1 of bound").arg(percentText(exploration->roofline.cycles / cycles)));
  const FigureStrip::Change evidence = evidenceOf(estimate);
  m_figures->setNote(Bottleneck, evidence.whole, evidence.brief);
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
  std::vector<FigureStrip::Change> changes(Count);
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
                     .arg(shownText(service::lineAt(*exploration,
                                                    static_cast<std::size_t>(m_hub->candidate()))))
      : !exploration || m_session->stale() ? QString()
      : exploration->interrupted
          ? QStringLiteral("The search was stopped before it found a mapping.")
          : QStringLiteral("No mapping fits; see \"Mapping space\" for the reasons.");
  m_line->setLine(line);
  m_line->setEnabled(!isOutdated() || !reason.isEmpty());
}

}  // namespace gridloom::widgets
