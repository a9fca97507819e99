// SPDX-License-Identifier: GPL-3.0-or-later

// What follows from simulated runs: where the peak went, and what differs between A and B.

#include "bridge/session.h"
#include "report/recording.h"

namespace gridloom::widgets {

void Session::freeze(int candidate) {
  const service::SimulationRunRef run = runOf(candidate);
  if (!run) return;
  m_frozen = {"mapping " + std::to_string(candidate + 1), run};
  recordAction(actionNow(Action::Kind::Freeze,
                         QStringLiteral("mapping %1 is A of a comparison").arg(candidate + 1),
                         candidate));
  findDifference();
}

void Session::unfreeze() {
  if (m_frozen.run)
    recordAction(actionNow(Action::Kind::Release, QStringLiteral("the comparison is left"), -1));
  m_frozen = {};
  findDifference();
}

bool Session::compares(const service::KernelRef& kernel) const {
  return kernel && m_frozen.run &&
         kernel::flopCount(kernel->kernel) == kernel::flopCount(m_frozen.run->kernel->kernel);
}

void Session::findDifference() {
  const service::NamedRun b{"mapping " + std::to_string(m_peakOf + 1), runOf(m_peakOf)};
  const auto set = [this](std::shared_ptr<const report::RunDifference> difference) {
    m_difference = std::move(difference);
    Q_EMIT differenceChanged();
  };
  if (!b.run || !compares(b.run->kernel)) {
    m_differenceJob.drop();
    return set(nullptr);
  }
  m_differenceJob.start<report::RunDifference>(
      [a = m_frozen, b](base::Progress&) -> Job::Answer<report::RunDifference> {
        return std::make_shared<const report::RunDifference>(service::differenceOf(a, b));
      },
      [set](Job::Answer<report::RunDifference> answer) {
        if (answer) set(*answer);
      });
}

/// The old one stays until the new one is there, unless there is none to come.
void Session::findPeak() {
  if (m_frozen.run) findDifference();
  const service::SimulationRunRef run = runOf(m_peakOf);
  const auto set = [this](std::shared_ptr<const service::PeakOfRun> peak) {
    m_peak = std::move(peak);
    Q_EMIT peakChanged();
  };
  if (!run) {
    m_peakJob.drop();
    if (m_peak) set(nullptr);
    return;
  }
  m_peakJob.start<service::PeakOfRun>(
      [run](base::Progress&) -> Job::Answer<service::PeakOfRun> {
        return std::make_shared<const service::PeakOfRun>(run);
      },
      [set](Job::Answer<service::PeakOfRun> answer) {
        if (answer) set(*answer);
      });
}

}  // namespace gridloom::widgets
