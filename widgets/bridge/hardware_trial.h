// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <optional>

#include "bridge/job.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// Simulates a mapping on another hardware text in the background, for a slider that is dragged:
/// only the latest text counts.
class HardwareTrial : public QObject {
  Q_OBJECT
 public:
  explicit HardwareTrial(QObject* parent = nullptr);
  ~HardwareTrial() override;

  /// `run`: the mapping, its kernel, and what it takes now.
  void start(const QString& hardwareText, service::SimulationRunRef run);
  void drop();
  bool running() const { return m_pause.isActive() || m_job.running(); }
  /// Simulated cycles before, and with the text that was started last; none before they are known.
  double before() const { return m_run ? m_run->simulated.cycles : 0; }
  std::optional<double> after() const { return m_after; }
  /// Why there are none.
  const QString& failure() const { return m_failure; }

 Q_SIGNALS:
  void changed();

 private:
  void run();

  QTimer m_pause;
  Job m_job;
  QString m_text;
  service::SimulationRunRef m_run;
  std::optional<double> m_after;
  QString m_failure;
};

}  // namespace gridloom::widgets
