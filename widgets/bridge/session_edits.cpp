// SPDX-License-Identifier: GPL-3.0-or-later

// Edits of the project, each a step that can be undone.

#include <algorithm>

#include "bridge/session.h"
#include "models/text_change.h"

namespace gridloom::widgets {

void Session::setHardware(const QString& name, const QString& text) {
  m_project.hardwareName = name;
  m_project.hardwareText = asEdited(text);
  m_project.mode.clear();
  record(ProjectHistory::Part::Other, QStringLiteral("hardware %1").arg(name));
  Q_EMIT projectReplaced();
  Q_EMIT edited();
  explore();
}

void Session::setKernel(const QString& name, const QString& text) {
  m_project.kernelName = name;
  m_project.kernelText = asEdited(text);
  m_project.parameters.clear();
  m_project.directives.clear();
  record(ProjectHistory::Part::Other, QStringLiteral("kernel %1").arg(name));
  Q_EMIT projectReplaced();
  Q_EMIT edited();
  explore();
}

void Session::openProblem(Project project, const QString& title) {
  project.hardwareText = asEdited(project.hardwareText);
  project.kernelText = asEdited(project.kernelText);
  project.directives = asEdited(project.directives);
  m_project = std::move(project);
  record(ProjectHistory::Part::Other, title);
  Q_EMIT projectReplaced();
  Q_EMIT edited();
  explore();
}

void Session::setHardwareText(const QString& text) {
  if (m_project.hardwareText == text) return;
  m_project.hardwareText = text;
  record(ProjectHistory::Part::HardwareText, QStringLiteral("edit of the hardware"));
  touch();
}

void Session::editHardware(const QString& text, const QString& title) {
  if (m_project.hardwareText == text) return;
  m_project.hardwareText = text;
  record(ProjectHistory::Part::Other, title);
  Q_EMIT projectReplaced();
  touch();
}

void Session::setKernelText(const QString& text) {
  if (m_project.kernelText == text) return;
  m_project.kernelText = text;
  record(ProjectHistory::Part::KernelText, QStringLiteral("edit of the kernel"));
  touch();
}

void Session::setDirectives(const QString& text) {
  if (m_project.directives == text) return;
  m_project.directives = text;
  record(ProjectHistory::Part::Directives, QStringLiteral("edit of the directives"));
  touch();
}

void Session::setParameter(const QString& name, qint64 value) {
  const auto found = m_project.parameters.find(name);
  if (found != m_project.parameters.end() && found->second == value) return;
  m_project.parameters[name] = value;
  record(ProjectHistory::Part::Other, QStringLiteral("%1 = %2").arg(name).arg(value));
  touch();
}

void Session::setMode(const QString& mode) {
  if (m_project.mode == mode) return;
  m_project.mode = mode;
  record(ProjectHistory::Part::Other, QStringLiteral("change of the numeric mode"));
  touch();
}

void Session::setTop(int top) {
  top = std::clamp(top, 1, kMostMappings);
  if (m_project.top == top) return;
  m_project.top = top;
  record(ProjectHistory::Part::Other, QStringLiteral("best %1").arg(top));
  touch();
}

void Session::setSimulate(bool simulate) {
  if (m_project.simulate == simulate) return;
  m_project.simulate = simulate;
  record(ProjectHistory::Part::Other, QStringLiteral("switch of the simulation"));
  Q_EMIT edited();
  if (!simulate) {
    m_rest.stop();
    m_simulateJob.drop();
    updateBusy();
  } else if (m_exploration && !m_stale) {
    simulateNext();
  }
}

void Session::record(ProjectHistory::Part part, const QString& title) {
  const bool continues = m_history.record(m_project, part, title);
  m_actions.edit(m_project, title, continues);
}

void Session::undo() {
  if (!m_history.canUndo()) return;
  const QString title = m_history.undoTitle();
  restore(m_history.undo(), QStringLiteral("undo ") + title);
}

void Session::redo() {
  if (!m_history.canRedo()) return;
  const QString title = m_history.redoTitle();
  restore(m_history.redo(), QStringLiteral("redo ") + title);
}

void Session::restore(const Project& project, const QString& title) {
  m_project = project;
  m_actions.edit(m_project, title, false);
  Q_EMIT projectReplaced();
  touch();
}

}  // namespace gridloom::widgets
