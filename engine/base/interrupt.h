// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/exit_status.h"
#include "base/progress.h"

namespace gridloom::base {

/// During its lifetime, the first Ctrl-C (or SIGTERM) cancels the work, so that partial results can
/// be printed. A second one ends the program at once. Only one instance may exist at a time.
class InterruptGuard {
 public:
  explicit InterruptGuard(Progress& progress);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// Exit status of a program that was stopped by Ctrl-C or by SIGTERM.
ExitStatus stoppedStatus();

}  // namespace gridloom::base
