// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/sweep.h"

#include <algorithm>
#include <utility>

namespace gridloom::widgets {

Sweep::Sweep(QObject* parent) : QObject(parent) {}

Sweep::~Sweep() {
  m_job.disconnect(this);
  m_job.drop();
}

int Sweep::done() const {
  return static_cast<int>(std::ranges::count_if(m_record.points, &SweepPoint::known));
}

Project Sweep::at(int point, Project project) const {
  return projectAt(std::move(project), m_record.axes,
                   m_record.points[static_cast<std::size_t>(point)]);
}

void Sweep::start(const Project& project, const kernel::Kernel& kernel,
                  std::vector<SweepAxis> axes) {
  m_project = project;
  m_record = sweep::sweepOf(inputTexts(project), kernel, project.simulate, std::move(axes));
  m_computed = 0;
  Q_EMIT changed();
  setRunning(true);
  work();
}

void Sweep::stop() {
  ++m_request;
  m_job.drop();
  setRunning(false);
}

void Sweep::setPaused(bool paused) {
  if (m_paused == paused) return;
  m_paused = paused;
  if (m_running && paused) {
    ++m_request;
    m_job.drop();
  } else if (m_running) {
    work();
  }
  if (m_running) Q_EMIT pausedChanged(paused);
}

/// Explores the points that are not known yet.
void Sweep::work() {
  if (m_paused) return;
  m_job.start<int>(
      [this, request = ++m_request, points = m_record.points,
       explorer = std::make_shared<sweep::Explorer>(
           inputTexts(m_project), m_record.axes,
           sweep::ExplorerOptions{m_project.simulate ? ranking::kQuickReranking
                                                     : ranking::Reranking{}},
           m_known)](base::Progress& progress) -> Job::Answer<int> {
        for (std::size_t i = 0; i < points.size(); ++i) {
          if (points[i].known) continue;
          auto step = explorer->at(points[i], progress);
          if (!step) break;
          // The answer of the job says only that it has ended.
          QMetaObject::invokeMethod(
              this,
              [this, request, i, step = *std::move(step)] {
                if (request == m_request) adopt(i, step);
              },
              Qt::QueuedConnection);
        }
        return {std::make_shared<const int>(0)};
      },
      [](const Job::Answer<int>&) {});
}

void Sweep::adopt(std::size_t point, sweep::Explorer::Step step) {
  if (step.computed) ++m_computed;
  m_record.points[point].known = true;
  m_record.points[point].found = std::move(step.found);
  Q_EMIT changed();
  if (done() == static_cast<int>(m_record.points.size())) setRunning(false);
}

void Sweep::setRunning(bool running) {
  if (m_running == running) return;
  m_running = running;
  Q_EMIT runningChanged(running);
}

}  // namespace gridloom::widgets
