// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace gridloom::base {

/// Shared between the requester of work and the worker. The worker checks `cancelled()` at least
/// every few milliseconds; the requester polls the counters. All members are thread-safe.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  void cancel() { m_cancelled.store(true, std::memory_order_relaxed); }
  /// Cancelled by the requester, or past the deadline of the current step.
  bool cancelled() const { return m_cancelled.load(std::memory_order_relaxed) || late(); }

  /// The current step must end by the deadline, with partial results.
  void setDeadline(Clock::time_point deadline) {
    m_deadline.store(deadline.time_since_epoch().count(), std::memory_order_relaxed);
  }
  void clearDeadline() { m_deadline.store(kNoDeadline, std::memory_order_relaxed); }
  bool late() const {
    const Clock::rep deadline = m_deadline.load(std::memory_order_relaxed);
    return deadline != kNoDeadline && Clock::now().time_since_epoch().count() >= deadline;
  }

  /// Starts a step of the work: its counter restarts at 0.
  void setTotal(std::int64_t total) {
    m_done.store(0, std::memory_order_relaxed);
    m_total.store(total, std::memory_order_relaxed);
  }
  void add(std::int64_t steps) { m_done.fetch_add(steps, std::memory_order_relaxed); }
  std::int64_t total() const { return m_total.load(std::memory_order_relaxed); }
  std::int64_t done() const { return m_done.load(std::memory_order_relaxed); }

 private:
  static constexpr Clock::rep kNoDeadline = std::numeric_limits<Clock::rep>::max();

  std::atomic<bool> m_cancelled{false};
  std::atomic<Clock::rep> m_deadline{kNoDeadline};
  std::atomic<std::int64_t> m_total{0};
  std::atomic<std::int64_t> m_done{0};
};

}  // namespace gridloom::base
