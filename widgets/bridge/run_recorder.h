// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "bridge/job.h"
#include "timeline/recording.h"

namespace gridloom::widgets {

/// Simulates the mapping of a run again, with a trace.
base::Result<std::shared_ptr<const Recording>> recordingOf(const service::SimulationRunRef& run,
                                                           base::Progress& progress);

/// Records one run in the background.
class RunRecorder : public QObject {
  Q_OBJECT
 public:
  explicit RunRecorder(QObject* parent = nullptr);
  ~RunRecorder() override;

  /// Follows another run, null for none; the recording of the run before is dropped.
  void follow(service::SimulationRunRef run);
  const service::SimulationRunRef& run() const { return m_run; }
  /// Null before the run is recorded.
  const std::shared_ptr<const Recording>& recording() const { return m_recording; }

  /// record() would do something.
  bool canRecord() const { return m_run && !m_recording && !m_job.running(); }
  /// Records the run, however long it takes.
  void record();
  /// Records a run of usual size that was not stopped and did not fail.
  void recordUsual();
  void stop();
  bool isRecording() const { return m_job.running(); }
  /// Share of the run that is recorded so far; negative when unknown.
  double shareDone() const;
  /// Why there is no recording, or what it leaves out; empty when there is nothing to say.
  QString notice() const;

 Q_SIGNALS:
  void recordingChanged();
  void statusChanged();

 private:
  void adopt(std::shared_ptr<const Recording> recording);

  Job m_job;
  service::SimulationRunRef m_run;
  std::shared_ptr<const Recording> m_recording;
  service::SimulationRunRef m_refused;  ///< it failed, or the user stopped it
  QString m_failure;
};

/// Longer runs are recorded only when asked for.
constexpr std::int64_t kUsualEvents = 20'000'000;

}  // namespace gridloom::widgets
