// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/job.h"

namespace gridloom::widgets {

Job::Job(QObject* parent) : QObject(parent) {
  // One thread for the newest request, one for a cancelled request that still runs.
  m_pool.setMaxThreadCount(2);
}

Job::~Job() {
  drop();
  m_pool.waitForDone();
}

void Job::launch(std::function<Delivery(base::Progress&)> work) {
  if (m_progress) m_progress->cancel();
  m_progress = std::make_shared<base::Progress>();
  const std::uint64_t generation = ++m_generation;
  m_pool.clear();  // requests that have not begun
  m_pool.start([this, generation, progress = m_progress, work = std::move(work)] {
    Delivery deliver = work(*progress);
    QMetaObject::invokeMethod(
        this,
        [this, generation, deliver = std::move(deliver)] {
          if (generation != m_generation) return;
          setRunning(false);
          deliver();
        },
        Qt::QueuedConnection);
  });
  setRunning(true);
}

void Job::cancel() {
  if (m_progress) m_progress->cancel();
}

void Job::drop() {
  cancel();
  m_pool.clear();
  ++m_generation;
  setRunning(false);
}

void Job::setRunning(bool running) {
  if (m_running == running) return;
  m_running = running;
  Q_EMIT runningChanged(running);
}

base::Diagnostic Job::outOfMemory() {
  return base::plainError("the problem does not fit into this computer's memory",
                          "make the kernel or the hardware smaller, or ask for fewer mappings");
}

base::Diagnostic Job::brokenOff(const char* what) {
  return base::plainError(std::string("the engine broke off: ") + what,
                          "this is a fault of Gridloom; please report it with the project file");
}

}  // namespace gridloom::widgets
