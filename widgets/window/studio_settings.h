// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>
#include <memory>

#include "theme/apply_theme.h"

class QSettings;

namespace gridloom::widgets {

/// What the studio remembers between runs. A file that cannot be read, or a value that makes no sense,
/// counts as not there.
/// Which panels share tabs with others because the window is too small for all.
struct FoldedDocks {
  bool right = false;  ///< those of the right side, with those below the mesh
  bool sides = false;  ///< the lower one of each side, with the upper one
};

class StudioSettings {
 public:
  /// An empty path takes the user's own settings file.
  explicit StudioSettings(const QString& path);
  ~StudioSettings();

  Scheme scheme() const;
  void setScheme(Scheme scheme);
  QStringList recentProjects() const;
  void addRecentProject(const QString& path);
  void forgetRecentProjects();
  QByteArray geometry() const;
  QByteArray layout() const;
  FoldedDocks folded() const;
  void setWindow(const QByteArray& geometry, const QByteArray& layout, FoldedDocks folded);
  void forgetWindow();
  /// The folder of the settings file.
  QString folder() const;

 private:
  std::unique_ptr<QSettings> m_store;
};

}  // namespace gridloom::widgets
