// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/table_export.h"

#include "charts/figure_file.h"
#include "models/ranked_csv.h"

namespace gridloom::widgets {

void TableExport::start(const QString& path, std::shared_ptr<const RankedRows> rows,
                        std::vector<int> shown) {
  using Answer = Job::Answer<base::Written>;
  m_job.start<base::Written>(
      [path, rows = std::move(rows), shown = std::move(shown)](base::Progress& progress) -> Answer {
        const auto csv = csvOf(*rows, shown, progress);
        if (!csv || progress.cancelled()) return base::plainError("cancelled");
        return std::make_shared<const base::Written>(writeBytes(path, *csv));
      },
      [this](Answer answer) {
        if (answer)
          Q_EMIT finished(**answer);
        else
          Q_EMIT finished({answer.diagnostics(), false});
      });
}

}  // namespace gridloom::widgets
