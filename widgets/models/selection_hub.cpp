// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/selection_hub.h"

namespace gridloom::widgets {

void SelectionHub::selectCandidate(int candidate) {
  if (m_candidate == candidate) return;
  m_candidate = candidate;
  Q_EMIT candidateChanged(candidate);
}

void SelectionHub::selectCore(int core) {
  if (m_core == core) return;
  m_core = core;
  Q_EMIT coreChanged(core);
}

void SelectionHub::selectOperand(const QString& operand) {
  if (m_operand == operand) return;
  m_operand = operand;
  Q_EMIT operandChanged(operand);
}

void SelectionHub::selectCause(const QString& cause) {
  if (m_cause == cause) return;
  m_cause = cause;
  Q_EMIT causeChanged(cause);
}

void SelectionHub::clear() {
  selectCause({});
  selectOperand({});
  selectCore(-1);
  selectCandidate(-1);
}

}  // namespace gridloom::widgets
