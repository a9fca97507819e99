// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace gridloom::widgets {

/// The current selection of all views; every view shows it and may change it. One signal per
/// change.
class SelectionHub : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  int candidate() const { return m_candidate; }         ///< rank - 1, -1 for none
  int core() const { return m_core; }                   ///< CoreId, -1 for none
  const QString& operand() const { return m_operand; }  ///< tensor name, empty for all
  const QString& cause() const { return m_cause; }      ///< state of the simulation, empty for none

  void selectCandidate(int candidate);
  void selectCore(int core);
  void selectOperand(const QString& operand);
  void selectCause(const QString& cause);
  void clear();

 Q_SIGNALS:
  void candidateChanged(int candidate);
  void coreChanged(int core);
  void operandChanged(const QString& operand);
  void causeChanged(const QString& cause);

 private:
  int m_candidate = -1;
  int m_core = -1;
  QString m_operand;
  QString m_cause;
};

}  // namespace gridloom::widgets
