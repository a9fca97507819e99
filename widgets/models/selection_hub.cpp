// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/selection_hub.h"

namespace gridloom::widgets {

void SelectionHub::selectCandidate(int candidate) {
  if (m_candidate == candidate) return;
  m_candidate = candidate;
  Q_EMIT candidateChanged(candidate);
}

void SelectionHub::selectBrush(const std::vector<int>& candidates) {
  if (m_brush == candidates) return;
  m_brush = candidates;
  Q_EMIT brushChanged(m_brush);
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

void SelectionHub::selectLoss(const QString& loss) {
  if (m_loss == loss) return;
  m_loss = loss;
  Q_EMIT lossChanged(loss);
}

void SelectionHub::selectLoop(const QString& loop) {
  if (m_loop == loop) return;
  m_loop = loop;
  Q_EMIT loopChanged(loop);
}

void SelectionHub::selectResource(const QString& resource) {
  if (m_resource == resource) return;
  m_resource = resource;
  Q_EMIT resourceChanged(resource);
}

void SelectionHub::selectCycle(double cycle) {
  cycle = cycle < 0 ? -1 : cycle;
  if (m_cycle == cycle) return;
  m_cycle = cycle;
  Q_EMIT cycleChanged(cycle);
}

void SelectionHub::clear() {
  selectCycle(-1);
  selectResource({});
  selectLoop({});
  selectLoss({});
  selectOperand({});
  selectCore(-1);
  selectBrush({});
  selectCandidate(-1);
}

}  // namespace gridloom::widgets
