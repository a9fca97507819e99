// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/unsaved_work.h"

#include <QDir>
#include <QFile>
#include <QLockFile>

namespace gridloom::widgets {

namespace {

constexpr int kMostStudios = 64;

/// The lock becomes stale with the end of its process, not by age.
std::unique_ptr<QLockFile> lockOf(const QString& path) {
  auto lock = std::make_unique<QLockFile>(path + QStringLiteral(".lock"));
  lock->setStaleLockTime(0);
  return lock->tryLock(0) ? std::move(lock) : nullptr;
}

}  // namespace

UnsavedWork::UnsavedWork(const QString& folder) : m_folder(folder) {
  QDir().mkpath(folder);
  for (int number = 0; number < kMostStudios && !m_lock; ++number) {
    const QString suffix = number == 0 ? QString() : QStringLiteral("-%1").arg(number);
    const QString path = QStringLiteral("%1/unsaved%2.gridloom").arg(folder, suffix);
    if (QFile::exists(path)) continue;
    m_lock = lockOf(path);
    if (m_lock) m_path = path;
  }
}

UnsavedWork::~UnsavedWork() = default;

void UnsavedWork::forget() const {
  if (!m_path.isEmpty()) QFile::remove(m_path);
}

QStringList UnsavedWork::abandoned() const {
  QStringList out;
  const QDir dir(m_folder);
  for (const QString& name :
       dir.entryList({QStringLiteral("unsaved*.gridloom")}, QDir::Files, QDir::Time)) {
    const QString path = dir.filePath(name);
    if (path != m_path && lockOf(path)) out << path;
  }
  return out;
}

}  // namespace gridloom::widgets
