// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>

class QLockFile;

namespace gridloom::widgets {

/// Copies of unsaved work in one folder, a file per studio that runs. A lock tells whose a file is: one
/// whose lock nobody holds was left behind by a crash.
class UnsavedWork {
 public:
  explicit UnsavedWork(const QString& folder);
  ~UnsavedWork();

  /// This studio's own file; empty when the folder cannot be written to.
  const QString& path() const { return m_path; }
  /// Removes this studio's own file.
  void forget() const;
  /// What others left behind, newest first.
  QStringList abandoned() const;

 private:
  QString m_folder;
  QString m_path;
  std::unique_ptr<QLockFile> m_lock;
};

}  // namespace gridloom::widgets
