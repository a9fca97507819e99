// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <memory>

class QLockFile;

namespace gridloom::widgets {

/// Copies of unsaved work in one folder, one file per running studio. A lock names the owner of a
/// file; a file without a held lock is from a crashed studio.
class UnsavedWork {
 public:
  explicit UnsavedWork(const QString& folder);
  ~UnsavedWork();

  /// This studio's own file; empty when the folder is not writable.
  const QString& path() const { return m_path; }
  /// Removes this studio's own file.
  void forget() const;
  /// Files of crashed studios, newest first.
  QStringList abandoned() const;

 private:
  QString m_folder;
  QString m_path;
  std::unique_ptr<QLockFile> m_lock;
};

}  // namespace gridloom::widgets
