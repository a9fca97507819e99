// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/project.h"

namespace gridloom::widgets {

/// What of a project a script needs besides its texts.
struct ScriptInputs {
  std::vector<std::pair<std::string, std::int64_t>> settings;  ///< that the kernel has
  QString mapping;  ///< directives that leave the selected mapping; empty for none
};

/// A project as a script for `sh`: in a new folder, it writes the texts, ranks mappings as the
/// studio does, and explains the selected one.
QByteArray scriptOf(const Project& project, const ScriptInputs& inputs);

}  // namespace gridloom::widgets
