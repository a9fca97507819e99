// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>
#include <memory>

#include "theme/apply_theme.h"

class QSettings;

namespace gridloom::widgets {

/// Panels that share tabs with others because the window is too small for all.
struct FoldedDocks {
  bool right = false;  ///< panels of the right side, with those below the mesh
  bool sides = false;  ///< the lower panel of the left side, with the upper one
  bool tabs = false;   ///< the lower panels of the right side, with the upper one
  bool stack = false;  ///< the timeline, with the table below it
  friend bool operator==(const FoldedDocks&, const FoldedDocks&) = default;
};

/// The settings that the studio keeps between runs. An unreadable file or an invalid value counts
/// as absent.
class StudioSettings {
 public:
  /// With an empty path, uses the user's own settings file.
  explicit StudioSettings(const QString& path);
  ~StudioSettings();

  Scheme scheme() const;
  void setScheme(Scheme scheme);
  QStringList recentProjects() const;
  void addRecentProject(const QString& path);
  void forgetRecentProjects();
  /// Columns of the ranked mappings that are hidden.
  QStringList hiddenColumns() const;
  void setHiddenColumns(const QStringList& keys);
  /// Pixels of 1/96 inch.
  double figureWidth() const;
  void setFigureWidth(double pixels);
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
