// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/replay.h"

#include <algorithm>
#include <cmath>

#include "bridge/session.h"
#include "models/quantity_text.h"
#include "models/selection_hub.h"

namespace gridloom::widgets {

namespace {

constexpr int kFramePause = 16;  // milliseconds

}  // namespace

Replay::Replay(Session* session, SelectionHub* hub, QObject* parent)
    : QObject(parent), m_session(session), m_hub(hub) {
  connect(session, &Session::explorationChanged, this, &Replay::refresh);
  connect(session, &Session::runChanged, this, [this](int candidate) {
    if (candidate == m_hub->candidate()) refresh();
  });
  connect(hub, &SelectionHub::candidateChanged, this, &Replay::refresh);
  connect(hub, &SelectionHub::cycleChanged, this, [this] { m_hasState = false; });
  connect(&m_job, &Job::runningChanged, this, &Replay::statusChanged);
  m_frame.setInterval(kFramePause);
  connect(&m_frame, &QTimer::timeout, this, &Replay::advance);
}

Replay::~Replay() {
  m_job.disconnect(this);
  m_job.drop();
}

void Replay::setWanted(bool wanted) {
  if (m_wanted == wanted) return;
  m_wanted = wanted;
  refresh();
}

bool Replay::canRecord() const { return m_of && !m_recording && !m_job.running(); }

/// Follows the selected mapping.
void Replay::refresh() {
  const service::SimulationRunRef run = m_session->runOf(m_hub->candidate());
  if (run != m_of) {
    m_of = run;
    m_failure.clear();
    m_job.drop();
    pause();
    adopt(nullptr);
  }
  const bool usual = run && run->simulated.events <= kUsualEvents;
  if (m_wanted && usual && run != m_refused && canRecord()) record();
  Q_EMIT statusChanged();
}

void Replay::record() {
  if (!canRecord()) return;
  m_refused.reset();
  m_failure.clear();
  service::SimulateOptions options;
  options.mode = m_of->mode;
  options.trace = true;
  options.window.spans = kMostSpans;
  options.window.useBins = kUseBins;
  m_job.start<Recording>(
      [run = m_of, options](base::Progress& progress) -> Job::Answer<Recording> {
        auto traced =
            service::simulateMapping(run->hardware, run->kernel, run->mapping, options, progress);
        if (!traced) return traced.takeDiagnostics();
        auto recording = std::make_shared<const Recording>(*traced, progress);
        if (progress.cancelled()) return base::plainError("cancelled");
        return {std::move(recording)};
      },
      [this, run = m_of](Job::Answer<Recording> answer) {
        if (answer) return adopt(*answer);
        m_refused = run;
        m_failure = text(answer.diagnostics().front().message);
        Q_EMIT statusChanged();
      });
}

void Replay::stop() {
  if (!m_job.running()) return;
  m_refused = m_of;
  m_job.drop();
}

double Replay::shareDone() const {
  if (!m_job.running() || m_job.total() <= 0) return -1;
  return std::clamp(static_cast<double>(m_job.done()) / static_cast<double>(m_job.total()), 0.0,
                    1.0);
}

QString Replay::notice() const {
  if (m_job.running()) return {};
  if (!m_of) return QStringLiteral("The timeline shows a mapping once it is simulated");
  if (!m_recording) {
    if (!m_failure.isEmpty()) return QStringLiteral("Not recorded: %1").arg(m_failure);
    return QStringLiteral("Not recorded: the run has %1 events")
        .arg(countText(static_cast<double>(m_of->simulated.events)));
  }
  if (!m_recording->isTruncated()) return {};
  return QStringLiteral("Recorded up to cycle %1: a recording holds at most %2 spans")
      .arg(countText(std::floor(m_recording->until())), countText(kMostSpans));
}

void Replay::adopt(std::shared_ptr<const Recording> recording) {
  if (!recording && !m_recording) return;
  m_recording = std::move(recording);
  m_hasState = false;
  if (m_recording && m_hub->cycle() > m_recording->cycles())
    m_hub->selectCycle(m_recording->cycles());
  Q_EMIT recordingChanged();
  Q_EMIT statusChanged();
}

const report::RunState* Replay::state() {
  if (!m_recording || m_hub->cycle() < 0 || m_hub->cycle() > m_recording->cycles()) return nullptr;
  if (!m_hasState) m_state = m_recording->states().at(m_hub->cycle());
  m_hasState = true;
  return &m_state;
}

void Replay::play(bool backwards) {
  if (!m_recording) return;
  m_backwards = backwards;
  m_played = std::max(m_hub->cycle(), 0.0);
  // From the end it begins again.
  if (!backwards && m_played >= m_recording->cycles()) m_played = 0;
  if (backwards && m_played <= 0) m_played = m_recording->cycles();
  m_sinceFrame.start();
  m_frame.start();
  Q_EMIT playingChanged(true);
}

void Replay::pause() {
  if (!m_frame.isActive()) return;
  m_frame.stop();
  Q_EMIT playingChanged(false);
}

void Replay::setSpeed(double speed) { m_speed = std::clamp(speed, kSlowest, kFastest); }

void Replay::advance() {
  if (!m_recording) return pause();
  const double passed = static_cast<double>(m_sinceFrame.restart()) / 1000;
  m_played += (m_backwards ? -1 : 1) * passed * m_speed * kPlayedCycles;
  const bool ends = m_played <= 0 || m_played >= m_recording->cycles();
  m_played = std::clamp(m_played, 0.0, m_recording->cycles());
  m_hub->selectCycle(ends ? m_played : std::floor(m_played));
  if (ends) pause();
}

void Replay::step(double cycles) {
  pause();
  goTo(std::max(m_hub->cycle(), 0.0) + cycles);
}

void Replay::goTo(double cycle) {
  if (!m_recording) return;
  m_hub->selectCycle(std::clamp(cycle, 0.0, m_recording->cycles()));
  // Someone drags the cursor while it plays: it plays on from there.
  m_played = m_hub->cycle();
}

}  // namespace gridloom::widgets
