// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <map>

#include "base/output_file.h"
#include "base/result.h"

namespace gridloom::widgets {

/// What a user works on, and all that a project file keeps.
struct Project {
  QString hardwareName, hardwareText;
  QString kernelName, kernelText;
  std::map<QString, qint64> parameters;  ///< those that differ from the kernel's own
  QString directives;
  QString mode;  ///< numeric mode; empty follows the dtype
  int top = 12;  ///< mappings ranked
  bool simulate = true;
  friend bool operator==(const Project&, const Project&) = default;
};

constexpr int kMostMappings = 1000;

/// JSON with `schema: "gridloom.project/1"`, keys in a fixed order.
QByteArray projectJson(const Project& project);
/// Errors: not JSON (with its place), another schema, a key of the wrong kind, a number out of range.
base::Result<Project> projectFromJson(const QString& name, const QByteArray& json);

/// Writes all of the file or leaves the old one. An error names the file and the cause.
base::Written saveProject(const Project& project, const QString& path);
base::Result<Project> loadProject(const QString& path);

/// A GEMM of 4096^3 on an 8x8 mesh, from the presets. Error: the presets cannot be found.
base::Result<Project> exampleProject();

}  // namespace gridloom::widgets
