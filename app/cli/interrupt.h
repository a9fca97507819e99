// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/progress.h"
#include "terminal.h"

namespace gridloom::cli {

/// While it lives, the first Ctrl-C (or SIGTERM) cancels the work, so that what was found so far can be
/// printed; a second one ends the program at once. One at a time.
class InterruptGuard {
 public:
  explicit InterruptGuard(base::Progress& progress);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// What a verb ends with whose work was stopped: by Ctrl-C, or by SIGTERM.
Exit stopped();

}  // namespace gridloom::cli
