// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <functional>
#include <vector>

#include "bridge/checked_inputs.h"
#include "bridge/job.h"
#include "models/action_record.h"
#include "models/problem_model.h"
#include "models/project.h"
#include "models/project_history.h"
#include "service/peak_run.h"
#include "service/result_records.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// The current project and the engine's results for it. An edit is checked and explored in the
/// background after a short pause; the last result stays until the next one arrives.
class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  const Project& project() const { return m_project; }
  /// Replaces the whole project and explores at once. Loading clears the undo history.
  void setProject(Project project);

  void setHardware(const QString& name, const QString& text);
  void setKernel(const QString& name, const QString& text);
  /// Another problem, as one step that `title` names for undo; explores at once.
  void openProblem(Project project, const QString& title);
  void setHardwareText(const QString& text);
  /// An edit of the hardware text by a form: a step of its own, which `title` names for undo.
  void editHardware(const QString& text, const QString& title);
  void setKernelText(const QString& text);
  void setDirectives(const QString& text);
  void setParameter(const QString& name, qint64 value);
  void setMode(const QString& mode);
  void setTop(int top);
  void setSimulate(bool simulate);

  /// Undoes or redoes the last edit of any part; no effect when there is none.
  void undo();
  void redo();
  const ProjectHistory& history() const { return m_history; }

  /// What was done since the project was opened.
  const ActionRecord& actions() const { return m_actions; }
  /// The inputs as a script needs them, for a mapping of the shown result; -1 for none.
  ScriptInputs scriptInputs(int candidate) const;
  /// What a person does with the present results: looks at a mapping, exports a file.
  Action actionNow(Action::Kind kind, const QString& title, int candidate,
                   const QString& file = {}) const;
  void recordAction(Action action) { m_actions.add(std::move(action)); }

  /// Explores at once, without the pause, also what is known already.
  void explore();
  /// Stops the engine; partial results stay.
  void cancel();
  bool busy() const;
  /// Stopped, and a search or a check has not ended yet.
  bool stopping() const { return m_stopped && (m_checkJob.running() || m_exploreJob.running()); }
  /// Current activity of the engine, for the status bar; empty when idle.
  QString activity() const;
  /// Completed share of the current activity; negative when unknown.
  double shareDone() const;

  /// The last hardware and kernel of this project without errors; null before the first.
  const service::HardwareRef& hardware() const { return m_hardware; }
  /// hardware() corresponds to the current text; false while the text has errors.
  bool hardwareIsCurrent() const { return m_hardwareIsCurrent; }
  /// hardwareIsCurrent(), and no edit of the text waits for its check.
  bool hardwareIsChecked() const {
    return m_hardwareIsCurrent && m_checked.text == m_project.hardwareText.toStdString();
  }
  const service::KernelRef& kernel() const { return m_kernel; }
  const KernelValues& kernelValues() const { return m_kernelValues; }
  /// The last result of this project; null before the first.
  const service::ExplorationRef& exploration() const { return m_exploration; }
  /// The simulation of a ranked mapping; null when it has not run.
  service::SimulationRunRef runOf(int candidate) const;
  /// The last explanation and its candidate.
  const service::ExplanationRef& explanation() const { return m_explanation; }
  int explainedCandidate() const { return m_explained; }
  /// Simulates a mapping with twice of each resource, in the background.
  void explain(int candidate);
  /// Where the peak went in the simulation of the shown mapping; null while it is not known.
  const std::shared_ptr<const service::PeakOfRun>& peak() const { return m_peak; }
  /// Chooses the mapping whose peak is shown, in the background once it is simulated.
  void showPeak(int candidate);
  /// Keeps the simulation of a mapping as A, to compare others with it; without effect before it is
  /// simulated. It outlives edits of the inputs.
  void freeze(int candidate);
  void unfreeze();
  const service::NamedRun& frozen() const { return m_frozen; }
  /// Whether runs of a kernel are compared with A: it computes as much. Null: false.
  bool compares(const service::KernelRef& kernel) const;
  /// Why A and the shown mapping differ; null without A, or while the latter is not simulated.
  const std::shared_ptr<const report::RunDifference>& difference() const { return m_difference; }
  /// The result belongs to an older input.
  bool stale() const { return m_stale; }
  /// The result belongs to the current input, but better mappings may still be found.
  bool provisional() const { return m_provisional; }
  /// Why no result replaces a stale one; empty when it is not stale, or when one may still arrive.
  QString staleReason() const;
  const std::vector<Problem>& problems() const { return m_problems; }

 Q_SIGNALS:
  void projectReplaced();
  void inputsChanged();       ///< hardware() or kernel() are new
  void explorationChanged();  ///< exploration() is new, or null
  void runChanged(int candidate);
  void explanationChanged();
  void peakChanged();
  void differenceChanged();
  void problemsChanged();
  void staleChanged(bool stale);  ///< stale() or provisional()
  void staleReasonChanged();
  void busyChanged(bool busy);
  void edited();  ///< the project has changed

 private:
  /// A result with the meaning of the inputs that it belongs to.
  struct Kept {
    std::string meaning;
    service::ExplorationRef exploration;
    std::vector<service::SimulationRunRef> runs;
  };
  void record(ProjectHistory::Part part, const QString& title);
  void restore(const Project& project, const QString& title);
  void touch();
  /// Its earlier results are not kept, and its work waits for edits to end.
  static bool isLarge(const hardware::Topology& machine);
  void check();
  void adopt(const CheckedInputs& checked);
  void exploreChecked();
  bool reuse(const std::string& meaning);
  void keepShown();
  void recordShown();
  std::function<void(service::ExplorationRef)> previewer();
  std::vector<mapping::Mapping> shownMappings() const;
  void show(service::ExplorationRef exploration);
  bool foundNothingNew(const service::Exploration& answer) const;
  void adoptExploration(Job::Answer<service::Exploration> answer);
  void simulateNext();
  void findPeak();
  void findDifference();
  void setStale(bool stale, bool provisional = false);
  void forgetResults();
  void refreshStaleReason();
  void report(Subject subject, const base::Diagnostics& diagnostics);
  void forget(Subject subject);
  void updateBusy();

  Project m_project;
  ProjectHistory m_history;
  ActionRecord m_actions;
  service::HardwareRef m_hardware;
  service::KernelRef m_kernel;
  KernelValues m_kernelValues;
  std::shared_ptr<const mapping::Constraints> m_constraints;
  service::SearchLimits m_search;
  std::string m_meaning;         ///< of the current inputs; empty while they have errors
  std::string m_shownMeaning;    ///< of m_exploration; empty when it is not whole
  std::string m_runningMeaning;  ///< of what m_exploreJob searches
  std::vector<Kept> m_kept;      ///< earlier results, the latest last
  service::ExplorationRef m_exploration;
  std::vector<service::SimulationRunRef> m_runs;
  std::size_t m_nextRun = 0;
  int m_failed = -1;            ///< the last candidate that could not be simulated
  std::uint64_t m_request = 0;  ///< of the current exploration
  service::ExplanationRef m_explanation;
  int m_explained = -1;
  std::shared_ptr<const service::PeakOfRun> m_peak;
  int m_peakOf = -1;
  service::NamedRun m_frozen;
  std::shared_ptr<const report::RunDifference> m_difference;
  std::vector<Problem> m_problems;
  QTimer m_pause;
  QElapsedTimer m_sinceEdit, m_sinceShown;
  QTimer m_rest;  ///< until a large machine is simulated
  bool m_hardwareIsCurrent = false;
  OpenedHardware m_checked;  ///< the last text that was checked
  bool m_stale = false;
  bool m_provisional = false;
  bool m_stopped = false;  ///< the user stopped: start nothing until the next exploration
  bool m_wasBusy = false;
  QString m_staleReason;
  Job m_checkJob, m_exploreJob, m_simulateJob, m_explainJob, m_peakJob, m_differenceJob;
};

}  // namespace gridloom::widgets
