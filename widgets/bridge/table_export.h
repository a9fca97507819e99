// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "base/output_file.h"
#include "bridge/job.h"
#include "models/ranked_rows.h"

namespace gridloom::widgets {

/// Writes a table as CSV in the background. The file is written whole or not at all.
class TableExport : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// The rows as they are now; ends an earlier export.
  void start(const QString& path, std::shared_ptr<const RankedRows> rows, std::vector<int> shown);
  void cancel() { m_job.drop(); }
  bool isRunning() const { return m_job.running(); }
  std::int64_t rowsDone() const { return m_job.done(); }

 Q_SIGNALS:
  /// Not after a cancel.
  void finished(const gridloom::base::Written& written);

 private:
  Job m_job;
};

}  // namespace gridloom::widgets
