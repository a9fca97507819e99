// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <vector>

#include "bridge/job.h"
#include "report/reproduction.h"

namespace gridloom::widgets {

/// A user's measurements beside ours: a file in the form of `gridloom study FILE`, run in the
/// background.
class Measurements : public QObject {
  Q_OBJECT
 public:
  explicit Measurements(QObject* parent = nullptr);
  ~Measurements() override;

  /// Runs every row of a file; a run that is under way is dropped. The last result stays until
  /// changed().
  void open(const QString& path);
  /// Ends the run; the last result stays.
  void stop();
  bool running() const { return m_job.running(); }
  /// "Row 3 of 12"; empty when nothing runs.
  QString activity() const;
  /// Completed share of the rows, from 0 to 1; negative while it is unknown.
  double shareDone() const;

  const QString& path() const { return m_path; }  ///< of the result
  /// Tables of the last run that ended; empty after one with problems.
  const std::vector<report::Reproduction>& tables() const { return m_tables; }
  /// Why the file has no result, at its places.
  const base::Diagnostics& problems() const { return m_problems; }

 Q_SIGNALS:
  void changed();  ///< tables() and problems() are new
  void runningChanged(bool running);

 private:
  struct Outcome {
    std::vector<report::Reproduction> tables;
    base::Diagnostics problems;
    bool stopped = false;
  };
  struct Rows {
    std::atomic<std::size_t> at{0}, count{0};
  };
  void adopt(const QString& path, const Outcome& outcome);

  QString m_path;
  std::vector<report::Reproduction> m_tables;
  base::Diagnostics m_problems;
  std::shared_ptr<Rows> m_rows;
  Job m_job;
};

}  // namespace gridloom::widgets
