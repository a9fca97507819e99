// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <functional>
#include <optional>

#include "base/output_file.h"
#include "bridge/job.h"

namespace gridloom::widgets {

/// Writes a file block by block; a cancel is a failure, which leaves the old file.
base::Written writeBlocks(const QString& path, const QByteArray& bytes,
                          const base::Progress& progress);

/// Writes a file in the background, whole or not at all.
class FileExport : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// Makes what the file holds; nothing when it is cancelled.
  using Bytes = std::function<std::optional<QByteArray>(base::Progress&)>;
  /// Ends an earlier export.
  void start(const QString& path, Bytes bytes);
  void cancel() { m_job.cancel(); }
  bool isRunning() const { return m_job.running(); }
  std::int64_t done() const { return m_job.done(); }

 Q_SIGNALS:
  /// Also after a cancel that came too late: the file is written.
  void finished(const gridloom::base::Written& written);
  /// After a cancel, when nothing writes any more: there is no file.
  void stopped();

 private:
  Job m_job;
};

}  // namespace gridloom::widgets
