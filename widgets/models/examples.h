// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "models/project.h"

namespace gridloom::widgets {

/// A problem to begin with: presets, and directives where the space is too large without.
struct Example {
  QString title;
  QString about;  ///< one line
  QString hardware;
  QString kernel;
  QString directives;   ///< name of built-in ones; empty: none
  bool isQuick = true;  ///< a search of it takes less than a second
};
const std::vector<Example>& examples();

/// Error: a preset is missing.
base::Result<Project> projectOf(const Example& example);

/// What a project is about, in words: "gemm on wormhole_8x8".
QString subjectOf(const Project& project);
/// The sizes that a project sets, or those of its kernel's text: "M 4096, N 4096".
QString sizesOf(const Project& project);

}  // namespace gridloom::widgets
