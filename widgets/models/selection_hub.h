// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <vector>

namespace gridloom::widgets {

/// The current selection of all views; every view shows it and may change it. One signal per
/// change.
class SelectionHub : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  int candidate() const { return m_candidate; }  ///< rank - 1, -1 for none
  /// Candidates brushed together, ascending; empty for none.
  const std::vector<int>& brush() const { return m_brush; }
  int core() const { return m_core; }                   ///< CoreId, -1 for none
  const QString& operand() const { return m_operand; }  ///< tensor name, empty for all
  /// key of a report::PeakLoss, empty for none
  const QString& loss() const { return m_loss; }
  const QString& loop() const { return m_loop; }          ///< name, empty for none
  const QString& resource() const { return m_resource; }  ///< name of a link or memory channel
  double cycle() const { return m_cycle; }  ///< of the run of the candidate, -1 for the whole run

  void selectCandidate(int candidate);
  void selectBrush(const std::vector<int>& candidates);
  void selectCore(int core);
  void selectOperand(const QString& operand);
  void selectLoss(const QString& loss);
  void selectLoop(const QString& loop);
  void selectResource(const QString& resource);
  void selectCycle(double cycle);
  void clear();

 Q_SIGNALS:
  void candidateChanged(int candidate);
  void brushChanged(const std::vector<int>& candidates);
  void coreChanged(int core);
  void operandChanged(const QString& operand);
  void lossChanged(const QString& loss);
  void loopChanged(const QString& loop);
  void resourceChanged(const QString& resource);
  void cycleChanged(double cycle);

 private:
  int m_candidate = -1;
  std::vector<int> m_brush;
  int m_core = -1;
  QString m_operand;
  QString m_loss;
  QString m_loop;
  QString m_resource;
  double m_cycle = -1;
};

}  // namespace gridloom::widgets
