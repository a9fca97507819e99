// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <map>

#include "base/output_file.h"
#include "base/result.h"
#include "service/checked_inputs.h"
#include "service/workspace.h"

namespace gridloom::widgets {

/// The inputs that a user edits; a project file stores all of them.
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

/// Mappings ranked: a hundred thousand of them take half a gigabyte.
constexpr int kMostMappings = service::kLongestRanking;

/// The inputs as the engine takes them.
service::InputTexts inputTexts(const Project& project);

/// JSON with `schema: "gridloom.project/1"`, keys in a fixed order.
QByteArray projectJson(const Project& project);
/// Errors: not JSON (with the location), another schema, a key of the wrong kind, a number out of
/// range.
base::Result<Project> projectFromJson(const QString& name, const QByteArray& json);

/// Writes the whole file or leaves the old one unchanged. An error names the file and the cause.
base::Written saveProject(const Project& project, const QString& path);
base::Result<Project> loadProject(const QString& path);

/// A GEMM of 4096^3 on an 8x8 mesh, from the presets.
/// Error: the presets are missing.
base::Result<Project> exampleProject();

}  // namespace gridloom::widgets
