// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "models/project.h"

namespace gridloom::widgets {

/// The inputs of a result, and the mapping of it that an action is about.
struct ScriptInputs {
  Project project;
  std::vector<std::pair<std::string, std::int64_t>> settings;  ///< that the kernel has
  int rank = 0;             ///< of the mapping, from 1; 0 for none
  QString mapping;          ///< directives that leave it alone
  bool arePartial = false;  ///< their search was stopped
  bool areWrong = false;    ///< they have errors: there is no result of them
};

/// One thing that a person did, or that the studio showed for it.
struct Action {
  enum class Kind {
    Edit,        ///< another state of the inputs: opened, edited, undone
    Explore,     ///< the ranking of the inputs is shown
    Select,      ///< another mapping is shown
    Freeze,      ///< the mapping is A, with which later ones are compared
    Release,     ///< the comparison is left
    Result,      ///< the ranking is exported as JSON
    Table,       ///< the ranking is exported as a table
    Figure,      ///< a chart is exported
    Sweep,       ///< numbers of the inputs are varied
    SweepTable,  ///< the sweep is exported as a table
    SweepFigure  ///< the chart of the sweep is exported
  };
  Kind kind = Kind::Edit;
  QString title;  ///< what it was, for a comment
  ScriptInputs inputs;
  QString file;   ///< name of an exported file
  QString chart;  ///< of a figure, as `gridloom-render --chart` names it; empty: not of a mapping
  QStringList vary = {};  ///< of a sweep: its axes, as `--vary` takes them
  double width = 0;       ///< of a figure, in pixels of 1/96 inch
  bool dark = false;      ///< of a figure: its theme
};

/// What was done to a project since it was opened, in order. As in the undo history, letters typed
/// one after the other are one action; the rankings shown between them are left out.
class ActionRecord {
 public:
  void start(const Project& project);
  /// `continues`: it goes on with the last edit.
  void edit(const Project& project, const QString& title, bool continues);
  /// Of selections in a row, the last one counts.
  void add(Action action);

  const std::deque<Action>& actions() const { return m_actions; }
  /// Counts the projects that were opened: an action that began under another one is not of this
  /// record.
  int number() const { return m_number; }
  /// How many of the oldest are left out.
  std::int64_t forgotten() const { return m_forgotten; }

 private:
  void forgetOldest();

  std::deque<Action> m_actions;
  int m_number = 0;
  std::int64_t m_forgotten = 0;
};

}  // namespace gridloom::widgets
