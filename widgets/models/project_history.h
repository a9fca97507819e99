// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>

#include "models/project.h"

namespace gridloom::widgets {

/// Every state of a project since it was loaded, with a place in it: what undo and redo walk along.
/// Letters typed one after the other are one step per word; any other edit is a step of its own.
class ProjectHistory {
 public:
  enum class Part { HardwareText, KernelText, Directives, Other };

  /// A loaded project: there is nothing to undo.
  void start(Project project);
  /// An edit of one part; `title` says what undoing it takes back ("typing in the kernel").
  /// It forgets what was undone before it.
  void record(Project project, Part part, const QString& title);

  bool canUndo() const { return m_at > 0; }
  bool canRedo() const { return m_at + 1 < m_states.size(); }
  /// What the next undo or redo takes back or does again; empty when there is none.
  QString undoTitle() const { return canUndo() ? m_states[m_at].title : QString(); }
  QString redoTitle() const { return canRedo() ? m_states[m_at + 1].title : QString(); }
  /// The state before or after; requires canUndo() or canRedo().
  const Project& undo() { return m_states[--m_at].project; }
  const Project& redo() { return m_states[++m_at].project; }

 private:
  struct State {
    Project project;
    Part part = Part::Other;
    QString title;
    qsizetype end = -1;  ///< where the next letter continues this step; -1: no letter does
    bool typed = false;  ///< a run of letters, as opposed to a run of deletions
  };
  bool continues(const State& next) const;
  void forgetOldest();

  std::deque<State> m_states;
  std::size_t m_at = 0;
};

}  // namespace gridloom::widgets
