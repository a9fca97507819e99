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
  connect(session, &Session::differenceChanged, this, &Replay::refresh);
  connect(&m_shown, &RunRecorder::recordingChanged, this, &Replay::adopt);
  connect(&m_frozen, &RunRecorder::recordingChanged, this, &Replay::recordingChanged);
  for (RunRecorder* recorder : {&m_shown, &m_frozen})
    connect(recorder, &RunRecorder::statusChanged, this, &Replay::statusChanged);
  m_frame.setInterval(kFramePause);
  connect(&m_frame, &QTimer::timeout, this, &Replay::advance);
}

Replay::~Replay() {
  for (RunRecorder* recorder : {&m_shown, &m_frozen}) recorder->disconnect(this);
}

void Replay::setWanted(bool wanted) {
  if (m_wanted == wanted) return;
  m_wanted = wanted;
  refresh();
}

std::shared_ptr<const Recording> Replay::against() const {
  return compares() ? m_frozen.recording() : nullptr;
}

/// Follows the selected mapping and A. What is recorded of one is not recorded again for the other.
void Replay::refresh() {
  const auto recordingOf = [this](const service::SimulationRunRef& run) {
    for (const RunRecorder* recorder : {&m_shown, &m_frozen})
      if (run && recorder->run() == run && recorder->recording()) return recorder->recording();
    return std::shared_ptr<const Recording>();
  };
  const service::SimulationRunRef shown = m_session->runOf(m_hub->candidate());
  const service::SimulationRunRef frozen = m_session->frozen().run;
  const auto ofShown = recordingOf(shown), ofFrozen = recordingOf(frozen);
  const bool compared = compares();
  if (m_shown.follow(shown, ofShown)) pause();
  m_frozen.follow(frozen, ofFrozen);
  if (compared != compares()) Q_EMIT recordingChanged();
  if (m_wanted) m_shown.recordUsual();
  if (m_wanted && compares()) m_frozen.recordUsual();
  Q_EMIT statusChanged();
}

void Replay::record() {
  m_shown.record();
  if (canRecordFrozen()) m_frozen.record();
}

void Replay::stop() {
  m_shown.stop();
  m_frozen.stop();
}

double Replay::shareDone() const {
  return m_shown.isRecording() ? m_shown.shareDone() : m_frozen.shareDone();
}

QString Replay::notice() const {
  if (!m_shown.run()) return QStringLiteral("The timeline shows a mapping once it is simulated");
  const QString own = m_shown.notice();
  if (!own.isEmpty() || !compares()) return own;
  const QString other = m_frozen.notice();
  return other.isEmpty() ? QString() : QStringLiteral("A: %1").arg(other);
}

void Replay::adopt() {
  m_hasState = false;
  unfollow();
  if (recording() && m_hub->cycle() > recording()->cycles())
    m_hub->selectCycle(recording()->cycles());
  Q_EMIT recordingChanged();
}

bool Replay::followMoveOf(const MoveChoice& choice, double cycle) {
  if (!recording() || choice.core < 0) return false;
  const auto move = recording()->moveOf(choice, cycle);
  if (move) follow(*move);
  return move.has_value();
}

void Replay::follow(const report::TileInFlight& move) {
  if (!recording()) return;
  m_wayJob.start<report::TileWay>(
      [recording = recording(), move](base::Progress&) -> Job::Answer<report::TileWay> {
        const service::SimulationRun& run = recording->run();
        const report::TileTracker tracker(run.schedule, run.hardware->topology, *run.kernel->nest,
                                          recording->states(), recording->cycles());
        return std::make_shared<const report::TileWay>(tracker.wayOf(move));
      },
      [this](Job::Answer<report::TileWay> answer) {
        if (!answer || (*answer)->stays.empty()) return;
        m_way = *answer;
        Q_EMIT followedChanged();
      });
}

void Replay::unfollow() {
  m_wayJob.drop();
  if (!m_way) return;
  m_way.reset();
  Q_EMIT followedChanged();
}

const report::RunState* Replay::state() {
  if (!recording() || m_hub->cycle() < 0 || m_hub->cycle() > recording()->cycles()) return nullptr;
  if (!m_hasState) m_state = recording()->states().at(m_hub->cycle());
  m_hasState = true;
  return &m_state;
}

void Replay::play(bool backwards) {
  if (!recording()) return;
  m_backwards = backwards;
  m_played = std::max(m_hub->cycle(), 0.0);
  // From the end it begins again.
  if (!backwards && m_played >= recording()->cycles()) m_played = 0;
  if (backwards && m_played <= 0) m_played = recording()->cycles();
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
  if (!recording()) return pause();
  const double passed = static_cast<double>(m_sinceFrame.restart()) / 1000;
  m_played += (m_backwards ? -1 : 1) * passed * m_speed * kPlayedCycles;
  const bool ends = m_played <= 0 || m_played >= recording()->cycles();
  m_played = std::clamp(m_played, 0.0, recording()->cycles());
  m_hub->selectCycle(ends ? m_played : std::floor(m_played));
  if (ends) pause();
}

void Replay::step(double cycles) {
  pause();
  goTo(std::max(m_hub->cycle(), 0.0) + cycles);
}

void Replay::goTo(double cycle) {
  if (!recording()) return;
  m_hub->selectCycle(std::clamp(cycle, 0.0, recording()->cycles()));
  // Someone drags the cursor while it plays: it plays on from there.
  m_played = m_hub->cycle();
}

}  // namespace gridloom::widgets
