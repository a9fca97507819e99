// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <functional>
#include <optional>

#include "base/output_file.h"
#include "bridge/job.h"

namespace gridloom::widgets {

/// Writes a file in the background, whole or not at all.
class FileExport : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// Makes what the file holds; nothing when it is cancelled.
  using Bytes = std::function<std::optional<QByteArray>(base::Progress&)>;
  /// Ends an earlier export.
  void start(const QString& path, Bytes bytes);
  void cancel() { m_job.drop(); }
  bool isRunning() const { return m_job.running(); }
  std::int64_t done() const { return m_job.done(); }

 Q_SIGNALS:
  /// Not after a cancel.
  void finished(const gridloom::base::Written& written);

 private:
  Job m_job;
};

}  // namespace gridloom::widgets
