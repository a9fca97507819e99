// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session.h"

#include <algorithm>
#include <utility>

#include "models/quantity_text.h"
#include "models/text_change.h"

namespace gridloom::widgets {

namespace {

// Milliseconds after the last key until problems are shown. Incomplete words are often wrong, and a
// message that changes with every key disturbs; a ranking is shown at once.
constexpr int kPatience = 150;

}  // namespace

Session::Session(QObject* parent) : QObject(parent) {
  m_pause.setSingleShot(true);
  connect(&m_pause, &QTimer::timeout, this, &Session::check);
  m_rest.setSingleShot(true);
  connect(&m_rest, &QTimer::timeout, this, [this] {
    if (m_exploration && m_project.simulate && !m_stale) simulateNext();
    updateBusy();
  });
  for (const auto signal : {&Session::problemsChanged, &Session::inputsChanged})
    connect(this, signal, this, &Session::refreshStaleReason);
  connect(this, &Session::staleChanged, this, &Session::refreshStaleReason);
  connect(this, &Session::busyChanged, this, &Session::refreshStaleReason);
  for (Job* job : {&m_checkJob, &m_exploreJob, &m_simulateJob, &m_explainJob}) {
    connect(job, &Job::runningChanged, this, &Session::updateBusy);
  }
}

Session::~Session() {
  for (Job* job :
       {&m_checkJob, &m_exploreJob, &m_simulateJob, &m_explainJob, &m_peakJob, &m_differenceJob}) {
    job->disconnect(this);
    job->drop();
  }
}

void Session::setProject(Project project) {
  m_project = std::move(project);
  for (QString* each : {&m_project.hardwareText, &m_project.kernelText, &m_project.directives})
    *each = asEdited(*each);
  m_history.start(m_project);
  m_actions.start(m_project);
  m_frozen = {};
  forgetResults();
  Q_EMIT projectReplaced();
  explore();
}

void Session::touch() {
  setStale(true);
  m_rest.stop();
  // What a large machine still computes takes all cores of this computer, and would hold up the
  // answer.
  if (m_hardware && isLarge(m_hardware->topology))
    for (Job* job : {&m_exploreJob, &m_simulateJob, &m_explainJob}) job->drop();
  Q_EMIT edited();
  m_sinceEdit.start();
  m_pause.start(0);
}

void Session::explore() {
  m_shownMeaning.clear();
  m_runningMeaning.clear();
  m_kept.clear();
  m_pause.stop();
  m_sinceEdit.invalidate();
  setStale(true);
  check();
}

void Session::cancel() {
  m_stopped = true;
  m_pause.stop();
  m_rest.stop();
  for (Job* job : {&m_checkJob, &m_exploreJob}) job->cancel();
  for (Job* job : {&m_simulateJob, &m_explainJob}) job->drop();
  updateBusy();
}

void Session::check() {
  m_stopped = false;
  m_checkJob.start<CheckedInputs>(
      [project = m_project, known = m_checked,
       like = m_hardware](base::Progress& progress) -> Job::Answer<CheckedInputs> {
        return {checkInputs(project, known, like.get(), progress)};
      },
      [this](Job::Answer<CheckedInputs> answer) {
        if (answer) {
          adopt(**answer);
        } else {
          report(Subject::Exploration, answer.diagnostics());
          Q_EMIT problemsChanged();
        }
      });
}

void Session::adopt(const CheckedInputs& checked) {
  const qint64 since = m_sinceEdit.isValid() ? m_sinceEdit.elapsed() : kPatience;
  if (!checked.constraints && since < kPatience) {
    m_pause.start(static_cast<int>(kPatience - since));
    return;
  }
  m_problems.clear();
  report(Subject::Hardware, checked.hardware.problems);
  report(Subject::Kernel, checked.kernelProblems);
  report(Subject::Directives, checked.directiveProblems);
  m_hardwareIsCurrent = checked.hardware.hardware != nullptr;
  m_meaning = checked.meaning;
  const bool known = !m_meaning.empty() && m_meaning == m_shownMeaning;
  // What is shown belongs to texts that mean the same; the older ones then stay its inputs.
  m_checked = checked.hardware;
  if (m_hardwareIsCurrent && !(known && m_hardware)) m_hardware = checked.hardware.hardware;
  if (m_hardwareIsCurrent) m_checked.hardware = m_hardware;
  if (checked.kernel) m_kernel = checked.kernel;
  if (checked.kernel) m_kernelValues = checked.kernelValues;
  m_constraints = checked.constraints;
  m_search = checked.search;
  Q_EMIT problemsChanged();
  Q_EMIT inputsChanged();
  if (m_constraints && !m_stopped && !reuse(m_meaning)) exploreChecked();
}

/// Drops the results of the previous project.
void Session::forgetResults() {
  for (Job* job : {&m_checkJob, &m_exploreJob, &m_simulateJob, &m_explainJob}) job->drop();
  m_hardware.reset();
  m_checked = {};
  m_hardwareIsCurrent = false;
  m_kernel.reset();
  m_constraints.reset();
  m_problems.clear();
  m_meaning.clear();
  m_runningMeaning.clear();
  m_kept.clear();
  show(nullptr);
  updateBusy();
  Q_EMIT problemsChanged();
}

QString Session::staleReason() const {
  if (!m_stale) return {};
  for (const Problem& problem : m_problems) {
    if (problem.diagnostic.severity == base::Severity::Error)
      return text(problem.diagnostic.message);
  }
  return m_stopped && !m_exploreJob.running() ? QStringLiteral("stopped before a result")
                                              : QString();
}

void Session::refreshStaleReason() {
  QString reason = staleReason();
  if (reason == m_staleReason) return;
  m_staleReason = std::move(reason);
  Q_EMIT staleReasonChanged();
}

void Session::setStale(bool stale, bool provisional) {
  if (m_stale == stale && m_provisional == provisional) return;
  m_stale = stale;
  m_provisional = provisional;
  Q_EMIT staleChanged(stale);
}

void Session::report(Subject subject, const base::Diagnostics& diagnostics) {
  for (const base::Diagnostic& diagnostic : diagnostics)
    m_problems.push_back({subject, diagnostic});
}

void Session::forget(Subject subject) {
  std::erase_if(m_problems, [&](const Problem& problem) { return problem.subject == subject; });
}

void Session::updateBusy() {
  const bool now = busy();
  if (now == m_wasBusy) return;
  m_wasBusy = now;
  Q_EMIT busyChanged(now);
}

}  // namespace gridloom::widgets
