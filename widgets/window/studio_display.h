// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridloom::widgets {

/// Call before constructing the application: without a display, Qt draws into memory instead of
/// aborting. Also loads the studio's icons and themes, and makes exported files the same on every
/// run.
void prepareDisplay();

}  // namespace gridloom::widgets
