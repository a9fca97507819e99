// SPDX-License-Identifier: Apache-2.0

// Work in the background.

#include <QtTest>
#include <atomic>
#include <thread>

#include "bridge/job.h"
#include "models/quantity_text.h"
#include "studio_helpers.h"
#include "suites.h"
#include "theme/apply_theme.h"
#include "theme/tokens.h"

using namespace gridloom;
using namespace gridloom::widgets;

class JobTests : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void jobDeliversTheNewestOnly() {
    Job job;
    std::vector<int> delivered;
    for (int i = 0; i < 5; ++i) {
      job.start<int>(
          [i](base::Progress& progress) -> Job::Answer<int> {
            for (int wait = 0; wait < 50 && !progress.cancelled(); ++wait)
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return std::make_shared<const int>(i);
          },
          [&](Job::Answer<int> answer) {
            if (answer) delivered.push_back(**answer);
          });
    }
    QTRY_VERIFY(!job.running());
    QCOMPARE(delivered, std::vector<int>{4});
  }

  // Work that does not look at its progress is not queued up.
  void jobLeavesOutRequestsThatHaveNotBegun() {
    Job job;
    std::atomic<int> begun{0};
    for (int i = 0; i < 20; ++i) {
      job.start<int>(
          [&](base::Progress&) -> Job::Answer<int> {
            ++begun;
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            return std::make_shared<const int>(1);
          },
          [](Job::Answer<int>) {});
    }
    QTRY_VERIFY(!job.running());
    QVERIFY(begun <= 3);
  }

  void jobCancelKeepsThePartialResult() {
    Job job;
    int steps = -1;
    job.start<int>(
        [](base::Progress& progress) -> Job::Answer<int> {
          progress.setTotal(1000000);
          int done = 0;
          for (; !progress.cancelled() && done < 1000000; ++done) {
            progress.add(1);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          return std::make_shared<const int>(done);
        },
        [&](Job::Answer<int> answer) {
          if (answer) steps = **answer;
        });
    QTRY_VERIFY(job.done() > 0);
    QCOMPARE(job.total(), 1000000);
    job.cancel();
    QTRY_VERIFY(steps > 0);
    QVERIFY(steps < 1000000);
  }

  void jobTurnsThrowsIntoMessages() {
    Job job;
    QString message;
    const auto deliver = [&](Job::Answer<int> answer) {
      message = text(answer.diagnostics().front().message);
    };
    job.start<int>([](base::Progress&) -> Job::Answer<int> { throw std::bad_alloc(); }, deliver);
    QTRY_VERIFY(message.contains(QStringLiteral("memory")));
    job.start<int>([](base::Progress&) -> Job::Answer<int> { throw std::runtime_error("oops"); },
                   deliver);
    QTRY_VERIFY(message.contains(QStringLiteral("oops")));
  }

  void jobMayBeDestroyedWhileItWorks() {
    std::atomic<bool> ended{false};
    bool delivered = false;
    {
      Job job;
      job.start<int>(
          [&](base::Progress& progress) -> Job::Answer<int> {
            while (!progress.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ended = true;
            return std::make_shared<const int>(1);
          },
          [&](Job::Answer<int>) { delivered = true; });
    }
    QVERIFY(ended);
    QCoreApplication::processEvents();
    QVERIFY(!delivered);
  }
};

QObject* makeJobTests() { return new JobTests; }

#include "job_tests.moc"
