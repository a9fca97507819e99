// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "bridge/job.h"
#include "bridge/run_recorder.h"
#include "report/tile_path.h"

namespace gridloom::widgets {

class SelectionHub;
class Session;

/// Records the run of the selected mapping in the background, and that of the frozen mapping A
/// while two are compared; and plays the former: the selection's cycle moves with the time,
/// forwards or backwards.
class Replay : public QObject {
  Q_OBJECT
 public:
  Replay(Session* session, SelectionHub* hub, QObject* parent = nullptr);
  ~Replay() override;

  /// Of the selected mapping; null before it is recorded.
  const std::shared_ptr<const Recording>& recording() const { return m_shown->recording(); }
  /// Of the frozen mapping A; null without one, before it is recorded, where the selected mapping
  /// is A itself, and where Session::compares() is false.
  std::shared_ptr<const Recording> against() const;
  /// A view shows recordings: runs of usual size are recorded without being asked.
  void setWanted(bool wanted);
  /// Records the selected mapping, and A, however long it takes.
  void record();
  void stop();
  bool isRecording() const { return m_shown->isRecording() || m_frozen->isRecording(); }
  /// Share of the run that is recorded so far; negative when unknown.
  double shareDone() const;
  /// Why there is no recording, or what it leaves out; empty when there is nothing to say.
  QString notice() const;
  /// record() would do something.
  bool canRecord() const { return m_shown->canRecord() || canRecordFrozen(); }

  /// Follows the tile of a move of recording(), in the background; followedChanged() tells.
  void follow(const report::TileInFlight& move);
  /// Follows the tile of Recording::transferOf(); false where there is none.
  bool followTransferOf(const TransferChoice& choice, double cycle);
  void unfollow();
  /// The path of the followed tile; null without one.
  const std::shared_ptr<const report::TilePath>& followed() const { return m_path; }

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
  void recordingChanged();  ///< recording() or against() is another
  void statusChanged();
  void followedChanged();
  void playingChanged(bool playing);

 private:
  void refresh();
  void adopt();
  void advance();
  void followRuns(const service::SimulationRunRef& shown, const service::SimulationRunRef& frozen);
  bool canRecordFrozen() const { return m_compares && m_frozen->canRecord(); }

  Session* m_session;
  SelectionHub* m_hub;
  RunRecorder m_recorders[2];
  RunRecorder *m_shown = &m_recorders[0], *m_frozen = &m_recorders[1];
  bool m_compares = false;  ///< both runs are known, and views show one beside the other
  bool m_refreshing = false;
  Job m_pathJob;
  std::shared_ptr<const report::TilePath> m_path;
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

}  // namespace gridloom::widgets
