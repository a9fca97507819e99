// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bridge/job.h"
#include "models/sweep_problem.h"

namespace gridloom::widgets {

/// Explores a project at every point of a few parameters, in the background. What was found is kept
/// by the meaning of the inputs, so that a wider range computes its new points only.
class Sweep : public QObject {
  Q_OBJECT
 public:
  explicit Sweep(QObject* parent = nullptr);
  ~Sweep() override;

  void start(const Project& project, std::vector<SweepAxis> axes);
  /// What is found by then stays.
  void stop() { m_job.cancel(); }
  bool running() const { return m_job.running(); }
  /// Points that are known.
  int done() const;

  const std::vector<SweepAxis>& axes() const { return m_axes; }
  const std::vector<SweepPoint>& points() const { return m_points; }
  /// The project at the start.
  const Project& project() const { return m_project; }
  /// A project with the values of a point.
  Project at(int point, Project project) const;
  /// Points that this start computed; the others were known.
  int computed() const { return m_computed; }

 Q_SIGNALS:
  void changed();  ///< points() are others, or more of them are known
  void runningChanged(bool running);

 private:
  using Known = std::map<std::string, SweepFound>;
  void adopt(std::size_t point, const std::string& meaning, SweepFound found, bool computed);

  Project m_project;
  std::vector<SweepAxis> m_axes;
  std::vector<SweepPoint> m_points;
  Known m_known;  ///< by meaning
  std::uint64_t m_request = 0;
  int m_computed = 0;
  Job m_job;
};

}  // namespace gridloom::widgets
