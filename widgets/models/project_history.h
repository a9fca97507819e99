// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>

#include "models/project.h"

namespace gridloom::widgets {

/// Every state of a project since it was loaded, with a current position that undo and redo move.
/// Consecutive typed letters are one step per word; any other edit is a step of its own.
class ProjectHistory {
 public:
  enum class Part { HardwareText, KernelText, Directives, Other };

  /// Starts with a loaded project: there is nothing to undo.
  void start(Project project);
  /// Records an edit of one part; `title` names it for undo ("typing in the kernel"). Drops the
  /// states that were undone before it. True when it goes on with the step before.
  bool record(Project project, Part part, const QString& title);

  bool canUndo() const { return m_at > 0; }
  bool canRedo() const { return m_at + 1 < m_states.size(); }
  /// Name of the edit that the next undo or redo reverts or repeats; empty when there is none.
  QString undoTitle() const { return canUndo() ? m_states[m_at].title : QString(); }
  QString redoTitle() const { return canRedo() ? m_states[m_at + 1].title : QString(); }
  /// The state before or after; requires canUndo() or canRedo().
  const Project& undo() { return go(m_at - 1); }
  const Project& redo() { return go(m_at + 1); }

 private:
  struct State {
    Project project;
    Part part = Part::Other;
    QString title;
    qsizetype end = -1;  ///< position where the next letter continues this step; -1: none
    bool typed = false;  ///< a run of letters, as opposed to a run of deletions
  };
  bool continues(const State& next) const;
  const Project& go(std::size_t to);
  void forgetOldest();

  std::deque<State> m_states;
  std::size_t m_at = 0;
};

}  // namespace gridloom::widgets
