// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridloom::widgets {

/// Before the application: without any display, Qt draws into memory instead of aborting. Also makes
/// the studio's icons and themes known, and exported files the same on every run.
void prepareDisplay();

}  // namespace gridloom::widgets
