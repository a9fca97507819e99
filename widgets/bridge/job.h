// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>

#include "base/progress.h"
#include "base/result.h"

namespace gridloom::widgets {

/// One kind of engine work in the background. Only the newest request counts: a start cancels the
/// previous request and drops its result. A cancel keeps the request, so that a partial result
/// still arrives.
///
/// Engine threads and Qt interact only here: a result crosses as one queued `shared_ptr<const T>`,
/// and progress is polled.
class Job : public QObject {
  Q_OBJECT
 public:
  template <class T> using Answer = base::Result<std::shared_ptr<const T>>;

  explicit Job(QObject* parent = nullptr);
  /// Cancels and waits for the worker.
  ~Job() override;

  /// Runs `work(progress)` on a worker thread; then, on the thread of this object, calls
  /// `deliver(Answer<T>)` if no later start came.
  template <class T, class Work, class Deliver> void start(Work work, Deliver deliver) {
    launch([work = std::move(work),
            deliver = std::move(deliver)](base::Progress& progress) -> std::function<void()> {
      auto answer = std::make_shared<Answer<T>>(guarded<T>(work, progress));
      return [answer, deliver] { deliver(std::move(*answer)); };
    });
  }

  void cancel();
  /// Cancels, and drops the result as well.
  void drop();
  bool running() const { return m_running; }
  /// Steps done, for polling; `total` is 0 while it is unknown.
  std::int64_t done() const { return m_progress ? m_progress->done() : 0; }
  std::int64_t total() const { return m_progress ? m_progress->total() : 0; }

 Q_SIGNALS:
  void runningChanged(bool running);

 private:
  using Delivery = std::function<void()>;
  void launch(std::function<Delivery(base::Progress&)> work);
  void setRunning(bool running);
  static base::Diagnostic outOfMemory();
  static base::Diagnostic brokenOff(const char* what);

  template <class T, class Work>
  static Answer<T> guarded(const Work& work, base::Progress& progress) {
    try {
      return work(progress);
    } catch (const std::bad_alloc&) {
      return outOfMemory();
    } catch (const std::exception& error) {
      return brokenOff(error.what());
    }
  }

  QThreadPool m_pool;
  std::shared_ptr<base::Progress> m_progress;
  std::uint64_t m_generation = 0;
  bool m_running = false;
};

}  // namespace gridloom::widgets
