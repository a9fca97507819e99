// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/replay.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
  for (RunRecorder& each : m_recorders) {
    connect(&each, &RunRecorder::recordingChanged, this, [this, recorder = &each] {
      if (m_refreshing) return;
      if (recorder == m_shown) return adopt();
      Q_EMIT recordingChanged();
    });
    connect(&each, &RunRecorder::statusChanged, this, [this] {
      if (!m_refreshing) Q_EMIT statusChanged();
    });
  }
  m_frame.setInterval(kFramePause);
  connect(&m_frame, &QTimer::timeout, this, &Replay::advance);
}

Replay::~Replay() {
  for (RunRecorder& each : m_recorders) each.disconnect(this);
}

void Replay::setWanted(bool wanted) {
  if (m_wanted == wanted) return;
  m_wanted = wanted;
  refresh();
}

std::shared_ptr<const Recording> Replay::against() const {
  return m_compares ? m_frozen->recording() : nullptr;
}

/// What is recorded of one, or on its way, is not recorded again for the other: the recorders
/// change places.
void Replay::followRuns(const service::SimulationRunRef& shown,
                        const service::SimulationRunRef& frozen) {
  const bool isFrozenShown = shown && shown != m_shown->run() && shown == m_frozen->run();
  const bool isShownFrozen = frozen && frozen == m_shown->run() && frozen != shown;
  if (isFrozenShown || isShownFrozen) std::swap(m_shown, m_frozen);
  m_shown->follow(shown);
  m_frozen->follow(frozen);
  m_compares = shown && frozen && shown != frozen && m_session->compares(shown->kernel);
}

/// Follows the selected mapping and A.
void Replay::refresh() {
  const service::SimulationRunRef shownBefore = m_shown->run();
  const auto ofShown = recording(), ofFrozen = against();
  m_refreshing = true;
  followRuns(m_session->runOf(m_hub->candidate()), m_session->frozen().run);
  if (m_wanted) m_shown->recordUsual();
  if (m_wanted && m_compares) m_frozen->recordUsual();
  m_refreshing = false;
  if (m_shown->run() != shownBefore) pause();
  if (recording() != ofShown)
    adopt();
  else if (against() != ofFrozen)
    Q_EMIT recordingChanged();
  Q_EMIT statusChanged();
}

void Replay::record() {
  m_shown->record();
  if (canRecordFrozen()) m_frozen->record();
}

void Replay::stop() {
  m_shown->stop();
  m_frozen->stop();
}

double Replay::shareDone() const {
  return m_shown->isRecording() ? m_shown->shareDone() : m_frozen->shareDone();
}

QString Replay::notice() const {
  if (!m_shown->run()) return QStringLiteral("The timeline shows a mapping once it is simulated");
  const QString own = m_shown->notice();
  if (!own.isEmpty() || !m_compares) return own;
  const QString other = m_frozen->notice();
  return other.isEmpty() ? QString() : QStringLiteral("A: %1").arg(other);
}

void Replay::adopt() {
  m_hasState = false;
  unfollow();
  if (recording() && m_hub->cycle() > recording()->cycles())
    m_hub->selectCycle(recording()->cycles());
  Q_EMIT recordingChanged();
}

bool Replay::followTransferOf(const TransferChoice& choice, double cycle) {
  if (!recording() || choice.core < 0) return false;
  const auto move = recording()->transferOf(choice, cycle);
  if (move) follow(*move);
  return move.has_value();
}

void Replay::follow(const report::TileInFlight& move) {
  if (!recording()) return;
  m_pathJob.start<report::TilePath>(
      [recording = recording(), move](base::Progress& progress) -> Job::Answer<report::TilePath> {
        const service::SimulationRun& run = recording->run();
        const report::TileTracker tracker(run.schedule, run.hardware->topology, *run.kernel->nest,
                                          recording->states(), recording->cycles());
        auto path = std::make_shared<const report::TilePath>(tracker.pathOf(move, progress));
        if (progress.cancelled()) return base::plainError("cancelled");
        return {std::move(path)};
      },
      [this](Job::Answer<report::TilePath> answer) {
        if (!answer || (*answer)->stays.empty()) return;
        m_path = *answer;
        Q_EMIT followedChanged();
      });
}

void Replay::unfollow() {
  m_pathJob.drop();
  if (!m_path) return;
  m_path.reset();
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
