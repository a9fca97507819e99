// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "bridge/job.h"
#include "timeline/recording.h"

namespace gridloom::widgets {

class SelectionHub;
class Session;

/// Records the run of the selected mapping in the background, and plays it: the selection's cycle
/// moves with the time, forwards or backwards.
class Replay : public QObject {
  Q_OBJECT
 public:
  Replay(Session* session, SelectionHub* hub, QObject* parent = nullptr);
  ~Replay() override;

  /// Of the selected mapping; null before it is recorded.
  const std::shared_ptr<const Recording>& recording() const { return m_recording; }
  /// A view shows recordings: runs of usual size are recorded without being asked.
  void setWanted(bool wanted);
  /// Records the selected mapping, however long it takes.
  void record();
  void stop();
  bool isRecording() const { return m_job.running(); }
  /// Share of the run that is recorded so far; negative when unknown.
  double shareDone() const;
  /// Why there is no recording, or what it leaves out; empty when there is nothing to say.
  QString notice() const;
  /// record() would do something.
  bool canRecord() const;

  /// The state at the selected cycle, from the engine's index; none without a recording or a cycle.
  const report::RunState* state();

  bool isPlaying() const { return m_frame.isActive(); }
  void play(bool backwards);
  void pause();
  void step(double cycles);
  void goTo(double cycle);
  double speed() const { return m_speed; }
  void setSpeed(double speed);

 Q_SIGNALS:
  void recordingChanged();
  void statusChanged();
  void playingChanged(bool playing);

 private:
  void refresh();
  void adopt(std::shared_ptr<const Recording> recording);
  void advance();

  Session* m_session;
  SelectionHub* m_hub;
  Job m_job;
  std::shared_ptr<const Recording> m_recording;
  service::SimulationRunRef m_of;       ///< the run that is recorded, or is to be
  service::SimulationRunRef m_refused;  ///< it failed, or the user stopped it
  QString m_failure;
  bool m_wanted = false;
  report::RunState m_state;
  bool m_hasState = false;
  QTimer m_frame;
  QElapsedTimer m_sinceFrame;
  double m_speed = 10;
  double m_played = 0;  ///< cycle, with the fraction that the selection does not show
  bool m_backwards = false;
};

/// Cycles per second at speed 1.
constexpr double kPlayedCycles = 1000;
constexpr double kSlowest = 0.1, kFastest = 1000;
/// Longer runs are recorded only when asked for.
constexpr std::int64_t kUsualEvents = 20'000'000;

}  // namespace gridloom::widgets
