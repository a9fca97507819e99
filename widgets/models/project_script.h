// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "models/action_record.h"

namespace gridloom::widgets {

/// A project as a script for `sh`: in a new folder, it writes the texts, ranks mappings as the
/// studio does, and explains the mapping of `shown`.
QByteArray scriptOf(const ScriptInputs& shown);

/// All that was done, as such a script: each edit writes the texts that it changed, each result is
/// computed by the command that finds it. It ends as the script of what is shown does.
QByteArray scriptOf(const ActionRecord& record, const ScriptInputs& shown);

}  // namespace gridloom::widgets
