// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>

#include "models/project.h"

namespace gridloom::widgets {

/// What one row of a study was run with, by name: `hardware`, `kernel`, `sizes`, ...
using RowSettings = std::map<std::string, std::string, std::less<>>;

/// The project that a row of a study stands for; `now` gives what a row does not say (how many are
/// ranked). Errors: a name that is not there, sizes that are none, a machine that the row varies,
/// an element type that the kernel's text cannot be given.
base::Result<Project> problemOf(const RowSettings& row, const Project& now);

}  // namespace gridloom::widgets
