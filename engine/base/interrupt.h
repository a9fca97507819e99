// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/exit_status.h"
#include "base/progress.h"

namespace gridloom::base {

/// While it lives, the first Ctrl-C (or SIGTERM) cancels the work, so that what was found so far can be
/// printed; a second one ends the program at once. One at a time.
class InterruptGuard {
 public:
  explicit InterruptGuard(Progress& progress);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// What a program ends with whose work was stopped: by Ctrl-C, or by SIGTERM.
ExitStatus stoppedStatus();

}  // namespace gridloom::base
