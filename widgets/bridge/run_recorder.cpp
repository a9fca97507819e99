// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/run_recorder.h"

#include <algorithm>
#include <cmath>

#include "models/quantity_text.h"

namespace gridloom::widgets {

base::Result<std::shared_ptr<const Recording>> recordingOf(const service::SimulationRunRef& run,
                                                           base::Progress& progress) {
  service::SimulateOptions options;
  options.mode = run->mode;
  options.trace = true;
  options.window.slots = true;
  options.window.spans = kMostSpans;
  options.window.useBins = kUseBins;
  auto traced =
      service::simulateMapping(run->hardware, run->kernel, run->mapping, options, progress);
  if (!traced) return traced.takeDiagnostics();
  auto recording = std::make_shared<const Recording>(*traced, progress);
  if (progress.cancelled()) return base::plainError("cancelled");
  return {std::move(recording)};
}

RunRecorder::RunRecorder(QObject* parent) : QObject(parent) {
  connect(&m_job, &Job::runningChanged, this, &RunRecorder::statusChanged);
}

RunRecorder::~RunRecorder() {
  m_job.disconnect(this);
  m_job.drop();
}

void RunRecorder::follow(service::SimulationRunRef run) {
  if (run == m_run) return;
  m_run = std::move(run);
  m_failure.clear();
  m_job.drop();
  adopt(nullptr);
}

void RunRecorder::record() {
  if (!canRecord()) return;
  m_refused.reset();
  m_failure.clear();
  m_job.start<Recording>(
      [run = m_run](base::Progress& progress) { return recordingOf(run, progress); },
      [this, run = m_run](Job::Answer<Recording> answer) {
        if (answer) return adopt(*answer);
        m_refused = run;
        m_failure = text(answer.diagnostics().front().message);
        Q_EMIT statusChanged();
      });
}

void RunRecorder::recordUsual() {
  const bool usual = m_run && m_run->simulated.events <= kUsualEvents;
  if (usual && m_run != m_refused) record();
}

void RunRecorder::stop() {
  if (!m_job.running()) return;
  m_refused = m_run;
  m_job.drop();
}

double RunRecorder::shareDone() const {
  if (!m_job.running() || m_job.total() <= 0) return -1;
  return std::clamp(static_cast<double>(m_job.done()) / static_cast<double>(m_job.total()), 0.0,
                    1.0);
}

QString RunRecorder::notice() const {
  if (m_job.running() || !m_run) return {};
  if (!m_recording) {
    if (!m_failure.isEmpty()) return QStringLiteral("Not recorded: %1").arg(m_failure);
    return QStringLiteral("Not recorded: the run has %1 events")
        .arg(countText(static_cast<double>(m_run->simulated.events)));
  }
  if (!m_recording->isTruncated()) return {};
  return QStringLiteral("Recorded up to cycle %1: a recording holds at most %2 spans")
      .arg(countText(std::floor(m_recording->until())), countText(kMostSpans));
}

void RunRecorder::adopt(std::shared_ptr<const Recording> recording) {
  if (!recording && !m_recording) return;
  m_recording = std::move(recording);
  Q_EMIT recordingChanged();
  Q_EMIT statusChanged();
}

}  // namespace gridloom::widgets
