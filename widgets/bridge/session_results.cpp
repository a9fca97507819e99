// SPDX-License-Identifier: GPL-3.0-or-later

// What the engine finds for the inputs: rankings, simulations, explanations, comparisons.

#include <QThreadPool>
#include <algorithm>
#include <limits>
#include <utility>

#include "bridge/session.h"
#include "models/quantity_text.h"
#include "report/recording.h"

namespace gridloom::widgets {

namespace {

constexpr std::size_t kMostSimulated = 1000;  // besides those that are selected
constexpr std::size_t kMostKept = 8;          // earlier results
/// Milliseconds after a result until a larger machine is simulated: what takes all cores of this
/// computer for a second must not hold up the prediction of the next edit.
constexpr int kSimulatePause = 300;
constexpr std::size_t kMostKeptMappings = 5000;  // of an earlier result
constexpr std::size_t kMostTold = 100;           // earlier mappings that a search looks at first
constexpr double kMuchFaster = 0.9;              // of the cycles shown, while a search goes on

}  // namespace

bool Session::isLarge(const hardware::Topology& machine) {
  constexpr std::int64_t kMostCores = 1 << 14;
  return machine.coreCount() > kMostCores;
}

/// Takes up the result of inputs that mean the same: the one shown, one on its way, an earlier one.
bool Session::reuse(const std::string& meaning) {
  if (meaning == m_shownMeaning) {
    m_exploreJob.drop();
    m_runningMeaning.clear();
    setStale(false);
    if (m_project.simulate && !m_simulateJob.running()) simulateNext();
    return true;
  }
  if (m_exploreJob.running() && meaning == m_runningMeaning) return true;
  const auto found = std::ranges::find(m_kept, meaning, &Kept::meaning);
  if (found == m_kept.end()) return false;
  for (Job* job : {&m_exploreJob, &m_simulateJob, &m_explainJob}) job->drop();
  m_runningMeaning.clear();
  Kept kept = std::move(*found);
  m_kept.erase(found);
  keepShown();
  setStale(false);
  show(kept.exploration);
  m_shownMeaning = std::move(kept.meaning);
  for (std::size_t i = 0; i < kept.runs.size(); ++i) {
    m_runs[i] = kept.runs[i];
    if (m_runs[i]) Q_EMIT runChanged(static_cast<int>(i));
  }
  recordShown();
  findPeak();
  if (m_project.simulate) simulateNext();
  return true;
}

/// Moves the shown result to the earlier ones, of which the latest few stay.
void Session::keepShown() {
  if (m_shownMeaning.empty() || !m_exploration) return;
  // A result on a wafer takes hundreds of megabytes, and so does a long ranking.
  if (isLarge(m_exploration->hardware->topology)) return;
  if (m_exploration->listed() > kMostKeptMappings) return;
  m_kept.push_back({m_shownMeaning, m_exploration, m_runs});
  if (m_kept.size() > kMostKept) m_kept.erase(m_kept.begin());
}

void Session::exploreChecked() {
  m_simulateJob.drop();
  m_explainJob.drop();
  m_rest.stop();
  m_runningMeaning = m_meaning;
  service::ExploreOptions options = exploreOptions(m_project, m_search);
  options.onImproved = previewer();
  options.earlier = shownMappings();
  m_exploreJob.start<service::Exploration>(
      [hardware = m_hardware, kernel = m_kernel, constraints = m_constraints,
       options](base::Progress& progress) {
        return service::explore(hardware, kernel, *constraints, options, progress);
      },
      [this](Job::Answer<service::Exploration> answer) { adoptExploration(std::move(answer)); });
}

/// The first mappings that are shown. The next search tells what they take for its inputs before it
/// has found others.
std::vector<mapping::Mapping> Session::shownMappings() const {
  std::vector<mapping::Mapping> shown;
  if (!m_exploration) return shown;
  const std::size_t count = std::min(m_exploration->top.size(), kMostTold);
  for (std::size_t i = 0; i < count; ++i) shown.push_back(m_exploration->top[i].candidate.mapping);
  return shown;
}

/// Delivers the first ranking of a search to this thread, and those that are much faster. Others
/// would only reorder the table.
std::function<void(service::ExplorationRef)> Session::previewer() {
  const auto shown = std::make_shared<double>(std::numeric_limits<double>::infinity());
  return [this, request = ++m_request, shown](service::ExplorationRef best) {
    if (best->top.empty()) return;
    const double cycles = best->top.front().candidate.estimate.cycles;
    if (cycles > kMuchFaster * *shown) return;
    *shown = cycles;
    QMetaObject::invokeMethod(
        this,
        [this, request, best = std::move(best)] {
          if (request != m_request || !m_exploreJob.running()) return;
          keepShown();
          // The text may have changed while the first mappings were found.
          const bool current = m_runningMeaning == m_meaning;
          setStale(true, current && !m_pause.isActive() && !m_checkJob.running());
          show(best);
        },
        Qt::QueuedConnection);
  };
}

void Session::show(service::ExplorationRef exploration) {
  m_shownMeaning.clear();
  std::swap(m_exploration, exploration);
  // It takes a while to free a long ranking.
  if (exploration && exploration->listed() > kMostKeptMappings)
    QThreadPool::globalInstance()->start([old = std::move(exploration)]() mutable { old.reset(); });
  m_runs.assign(m_exploration ? m_exploration->listed() : 0, nullptr);
  m_nextRun = 0;
  m_sinceShown.start();
  m_rest.stop();
  m_failed = -1;
  m_explanation.reset();
  m_explained = -1;
  m_peakOf = -1;
  findPeak();
  Q_EMIT explorationChanged();
}

/// A search that was stopped before it had a mapping says nothing about those that are shown.
bool Session::foundNothingNew(const service::Exploration& answer) const {
  return answer.interrupted && answer.top.empty() && m_exploration && !m_exploration->top.empty();
}

void Session::adoptExploration(Job::Answer<service::Exploration> answer) {
  forget(Subject::Exploration);
  if (!answer) {
    m_runningMeaning.clear();
    report(Subject::Exploration, answer.diagnostics());
    Q_EMIT problemsChanged();
    return;
  }
  // The text may have changed, to one with errors, while the search went on.
  const std::string meaning = std::exchange(m_runningMeaning, {});
  if (foundNothingNew(**answer)) {
    // Mappings shown before, predicted for these inputs, are the best so far.
    setStale(m_stale && !m_provisional);
    Q_EMIT problemsChanged();
    return;
  }
  setStale(meaning != m_meaning);
  Q_EMIT problemsChanged();
  keepShown();
  show(*answer);
  if (!(*answer)->interrupted) m_shownMeaning = meaning;
  recordShown();
  if (m_project.simulate && !m_stopped) simulateNext();
}

/// The selected mapping first, then the others by rank, of a long ranking its beginning.
void Session::simulateNext() {
  if (isLarge(m_exploration->hardware->topology) && m_sinceShown.elapsed() < kSimulatePause) {
    m_rest.start(kSimulatePause - static_cast<int>(m_sinceShown.elapsed()));
    return updateBusy();
  }
  const std::size_t most = std::min(m_runs.size(), kMostSimulated);
  while (m_nextRun < most && m_runs[m_nextRun]) ++m_nextRun;
  const bool chosen = m_peakOf >= 0 && m_peakOf < static_cast<int>(m_runs.size()) &&
                      m_peakOf != m_failed && !m_runs[static_cast<std::size_t>(m_peakOf)];
  if (!chosen && m_nextRun >= most) return;
  const std::size_t candidate = chosen ? static_cast<std::size_t>(m_peakOf) : m_nextRun;
  service::SimulateOptions options;
  options.mode = m_exploration->mode;
  m_simulateJob.start<service::SimulationRun>(
      [exploration = m_exploration, candidate, options](base::Progress& progress) {
        return service::simulateMapping(exploration->hardware, exploration->kernel,
                                        service::mappingAt(*exploration, candidate), options,
                                        progress);
      },
      [this, candidate](Job::Answer<service::SimulationRun> answer) {
        if (!answer) {
          m_failed = static_cast<int>(candidate);
          report(Subject::Exploration, answer.diagnostics());
          Q_EMIT problemsChanged();
        } else {
          m_runs[candidate] = *answer;
          Q_EMIT runChanged(static_cast<int>(candidate));
          if (static_cast<int>(candidate) == m_peakOf) findPeak();
        }
        if (candidate == m_nextRun) ++m_nextRun;
        if (m_project.simulate) simulateNext();
      });
}

void Session::showPeak(int candidate) {
  if (m_peakOf == candidate) return;
  m_peakOf = candidate;
  findPeak();
  if (m_exploration && !m_stale && m_project.simulate && !m_stopped && !m_simulateJob.running())
    simulateNext();
}

service::SimulationRunRef Session::runOf(int candidate) const {
  if (candidate < 0 || candidate >= static_cast<int>(m_runs.size())) return nullptr;
  return m_runs[static_cast<std::size_t>(candidate)];
}

void Session::explain(int candidate) {
  if (!m_exploration || m_stale || candidate < 0 || candidate >= static_cast<int>(m_runs.size()))
    return;
  service::SimulateOptions options;
  options.mode = m_exploration->mode;
  m_explainJob.start<service::Explanation>(
      [exploration = m_exploration, candidate, options](base::Progress& progress) {
        const auto at = static_cast<std::size_t>(candidate);
        return service::explain(exploration->hardware, exploration->kernel,
                                service::mappingAt(*exploration, at), options, progress);
      },
      [this, candidate](Job::Answer<service::Explanation> answer) {
        if (!answer) {
          report(Subject::Exploration, answer.diagnostics());
          Q_EMIT problemsChanged();
          return;
        }
        m_explanation = *answer;
        m_explained = candidate;
        Q_EMIT explanationChanged();
      });
}

bool Session::busy() const {
  return m_checkJob.running() || m_exploreJob.running() || m_rest.isActive() ||
         m_simulateJob.running() || m_explainJob.running();
}

QString Session::activity() const {
  if (stopping()) return QStringLiteral("Stopping");
  if (m_checkJob.running()) return QStringLiteral("Checking the inputs");
  if (m_exploreJob.running()) return QStringLiteral("Exploring mappings");
  if (m_rest.isActive() || m_simulateJob.running()) {
    return QStringLiteral("Simulating mapping %1 of %2")
        .arg(m_nextRun + 1)
        .arg(std::min(m_runs.size(), kMostSimulated));
  }
  if (m_explainJob.running()) return QStringLiteral("Trying twice of each resource");
  return {};
}

double Session::shareDone() const {
  if (m_simulateJob.running() && !m_runs.empty()) {
    return static_cast<double>(m_nextRun) /
           static_cast<double>(std::min(m_runs.size(), kMostSimulated));
  }
  const Job& job = m_exploreJob.running() ? m_exploreJob : m_explainJob;
  if (!job.running() || job.total() <= 0) return -1;
  return std::clamp(static_cast<double>(job.done()) / static_cast<double>(job.total()), 0.0, 1.0);
}

}  // namespace gridloom::widgets
