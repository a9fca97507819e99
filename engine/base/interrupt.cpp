// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <signal.h>

#include <atomic>

namespace gridloom::base {

namespace {

// A global, as a signal handler has no other access to data.
std::atomic<Progress*> g_interrupted{nullptr};
std::atomic<int> g_signal{0};
static_assert(std::atomic<Progress*>::is_always_lock_free);
static_assert(std::atomic<int>::is_always_lock_free);

void onInterrupt(int signal) {
  g_signal.store(signal, std::memory_order_relaxed);
  if (Progress* progress = g_interrupted.load(std::memory_order_relaxed)) progress->cancel();
}

void setHandler(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard(Progress& progress) {
  g_interrupted.store(&progress);
  // SA_RESETHAND restores the default action, so the second signal ends the process.
  setHandler(onInterrupt, static_cast<int>(SA_RESETHAND) | SA_RESTART);
}

InterruptGuard::~InterruptGuard() {
  setHandler(SIG_DFL, 0);
  g_interrupted.store(nullptr);
}

ExitStatus stoppedStatus() {
  return g_signal.load() == SIGTERM ? ExitStatus::Terminated : ExitStatus::Interrupted;
}

}  // namespace gridloom::base
