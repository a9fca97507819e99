// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/file_export.h"

#include "charts/figure_file.h"

namespace gridloom::widgets {

void FileExport::start(const QString& path, Bytes bytes) {
  using Answer = Job::Answer<base::Written>;
  m_job.start<base::Written>(
      [path, bytes = std::move(bytes)](base::Progress& progress) -> Answer {
        const auto made = bytes(progress);
        if (!made || progress.cancelled()) return base::plainError("cancelled");
        return std::make_shared<const base::Written>(writeBytes(path, *made));
      },
      [this](Answer answer) {
        if (answer)
          Q_EMIT finished(**answer);
        else
          Q_EMIT finished({answer.diagnostics(), false});
      });
}

}  // namespace gridloom::widgets
