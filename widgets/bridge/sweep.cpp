// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/sweep.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "bridge/checked_inputs.h"
#include "models/quantity_text.h"
#include "models/rejection_model.h"

namespace gridloom::widgets {

namespace {

constexpr std::size_t kMostKnownPoints = 100'000;

QString firstError(const CheckedInputs& checked) {
  for (const base::Diagnostics* each :
       {&checked.hardware.problems, &checked.kernelProblems, &checked.directiveProblems}) {
    for (const base::Diagnostic& problem : *each) {
      if (problem.severity == base::Severity::Error) return text(problem.message);
    }
  }
  return QStringLiteral("No mapping fits");
}

SweepFound foundOf(const service::Exploration& exploration) {
  SweepFound found;
  found.cores = exploration.hardware->topology.coreCount();
  if (exploration.top.empty()) {
    const auto& rejected = exploration.space.rejected;
    const auto most = std::ranges::max_element(rejected, {}, &search::Rejection::count);
    found.failure = most == rejected.end() ? QStringLiteral("No mapping fits")
                                           : rejectionTitle(text(most->reason));
    return found;
  }
  const ranking::Ranked& best = exploration.top.front();
  found.cycles = best.cycles();
  found.simulated = best.simulated.has_value();
  found.utilization =
      found.simulated ? best.simulated->utilization : best.candidate.estimate.utilization;
  // As above the mesh: the largest term of the prediction.
  found.bottleneck = text(best.candidate.estimate.bottleneck);
  found.mapping = mappingLine(service::lineAt(exploration, 0));
  return found;
}

/// Empty for inputs with errors, which are not kept.
std::string meaningOf(const CheckedInputs& checked, const Project& project) {
  return checked.constraints ? checked.meaning + (project.simulate ? "simulated" : "")
                             : std::string();
}

SweepFound bestAt(const Project& project, const CheckedInputs& checked, base::Progress& progress) {
  SweepFound none;
  if (!checked.constraints) {
    none.failure = firstError(checked);
    return none;
  }
  const auto explored =
      service::explore(checked.hardware.hardware, checked.kernel, *checked.constraints,
                       exploreOptions(project, checked.search), progress);
  if (explored) return foundOf(**explored);
  for (const base::Diagnostic& problem : explored.diagnostics()) {
    if (none.failure.isEmpty() && problem.severity == base::Severity::Error)
      none.failure = text(problem.message);
  }
  return none;
}

/// What one point lacks, memory for example, does not end the others.
SweepFound foundAt(const Project& project, const CheckedInputs& checked, base::Progress& progress) {
  try {
    return bestAt(project, checked, progress);
  } catch (const std::exception& fault) {
    SweepFound none;
    none.failure = QStringLiteral("Not explored: ") + QString::fromUtf8(fault.what());
    return none;
  }
}

}  // namespace

Sweep::Sweep(QObject* parent) : QObject(parent) {
  connect(&m_job, &Job::runningChanged, this, &Sweep::runningChanged);
}

Sweep::~Sweep() {
  m_job.disconnect(this);
  m_job.drop();
}

int Sweep::done() const {
  return static_cast<int>(std::ranges::count_if(m_points, &SweepPoint::known));
}

Project Sweep::at(int point, Project project) const {
  const auto& values = m_points[static_cast<std::size_t>(point)].values;
  for (std::size_t i = 0; i < m_axes.size(); ++i)
    project = withValue(std::move(project), m_axes[i].parameter, values[i]);
  return project;
}

void Sweep::start(const Project& project, std::vector<SweepAxis> axes) {
  m_project = project;
  m_axes = std::move(axes);
  m_points = sweepPoints(m_axes);
  m_computed = 0;
  std::vector<Project> all;
  for (int i = 0; i < static_cast<int>(m_points.size()); ++i) {
    all.push_back(at(i, m_project));
    all.back().top = 1;
  }
  Q_EMIT changed();
  m_job.start<int>(
      [this, request = ++m_request, known = m_known,
       all = std::move(all)](base::Progress& progress) -> Job::Answer<int> {
        CheckedInputs last;
        for (std::size_t i = 0; i < all.size(); ++i) {
          last = *checkInputs(all[i], last.hardware, last.hardware.hardware.get(), progress);
          const std::string meaning = meaningOf(last, all[i]);
          const auto earlier = known.find(meaning);
          const bool isKnown = earlier != known.end();
          SweepFound found = isKnown ? earlier->second : foundAt(all[i], last, progress);
          if (progress.cancelled()) break;
          // The answer of the job says only that it has ended.
          QMetaObject::invokeMethod(
              this,
              [this, request, i, meaning, found = std::move(found), isKnown] {
                if (request == m_request) adopt(i, meaning, found, !isKnown);
              },
              Qt::QueuedConnection);
        }
        return {std::make_shared<const int>(0)};
      },
      [](const Job::Answer<int>&) {});
}

void Sweep::adopt(std::size_t point, const std::string& meaning, SweepFound found, bool computed) {
  if (m_known.size() >= kMostKnownPoints) m_known.clear();
  if (!meaning.empty()) m_known[meaning] = found;
  if (computed) ++m_computed;
  m_points[point].known = true;
  m_points[point].found = std::move(found);
  Q_EMIT changed();
}

}  // namespace gridloom::widgets
