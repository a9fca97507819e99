// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/file_export.h"

#include <QFile>
#include <algorithm>
#include <ostream>

namespace gridloom::widgets {

namespace {

constexpr qsizetype kBlock = 1 << 20;  // bytes between two looks whether it is cancelled

}  // namespace

base::Written writeBlocks(const QString& path, const QByteArray& bytes,
                          const base::Progress& progress) {
  return base::writeFile(QFile::encodeName(path).toStdString(), [&](std::ostream& out) {
    for (qsizetype at = 0; at < bytes.size() && !progress.cancelled(); at += kBlock)
      out.write(bytes.constData() + at, std::min(kBlock, bytes.size() - at));
    if (progress.cancelled()) out.setstate(std::ios::failbit);
  });
}

void FileExport::start(const QString& path, Bytes bytes) {
  using Outcome = std::optional<base::Written>;  // none when it is cancelled
  using Answer = Job::Answer<Outcome>;
  m_job.start<Outcome>(
      [path, bytes = std::move(bytes)](base::Progress& progress) -> Answer {
        const auto made = bytes(progress);
        if (!made) return std::make_shared<const Outcome>();
        base::Written written = writeBlocks(path, *made, progress);
        if (!written.ok() && progress.cancelled()) return std::make_shared<const Outcome>();
        return std::make_shared<const Outcome>(std::move(written));
      },
      [this](Answer answer) {
        if (!answer) return Q_EMIT finished({answer.diagnostics(), false});
        const Outcome& outcome = **answer;
        if (outcome) return Q_EMIT finished(*outcome);
        Q_EMIT stopped();
      });
}

}  // namespace gridloom::widgets
