// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "bridge/job.h"
#include "models/sweep_problem.h"
#include "sweep/explorer.h"

namespace gridloom::widgets {

/// Explores a project at every point of a few parameters, in the background, as `gridloom sweep`
/// does. What was found is kept by the meaning of the inputs, so that a wider range computes its
/// new points only.
class Sweep : public QObject {
  Q_OBJECT
 public:
  explicit Sweep(QObject* parent = nullptr);
  ~Sweep() override;

  /// `kernel`: that of the project.
  void start(const Project& project, const kernel::Kernel& kernel, std::vector<SweepAxis> axes);
  /// What is found by then stays.
  void stop();
  /// Waits, while other work needs the cores of this computer; the point under way begins again.
  void setPaused(bool paused);
  bool paused() const { return m_paused && m_running; }
  /// Until all points are known, or it is stopped; also while it is paused.
  bool running() const { return m_running; }
  /// Points that are known.
  int done() const;

  const std::vector<SweepAxis>& axes() const { return m_record.axes; }
  const std::vector<SweepPoint>& points() const { return m_record.points; }
  const SweepRecord& record() const { return m_record; }
  /// The project at the start.
  const Project& project() const { return m_project; }
  /// A project with the values of a point.
  Project at(int point, Project project) const;
  /// Points that this start computed; the others were known.
  int computed() const { return m_computed; }

 Q_SIGNALS:
  void changed();  ///< points() are others, or more of them are known
  void runningChanged(bool running);
  void pausedChanged(bool paused);

 private:
  void work();
  void adopt(std::size_t point, sweep::Explorer::Step step);
  void setRunning(bool running);

  Project m_project;
  SweepRecord m_record;
  std::shared_ptr<sweep::KnownPoints> m_known = std::make_shared<sweep::KnownPoints>();
  std::uint64_t m_request = 0;
  int m_computed = 0;
  bool m_running = false, m_paused = false;
  Job m_job;
};

}  // namespace gridloom::widgets
