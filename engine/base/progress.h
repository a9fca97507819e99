// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace gridloom::base {

/// Shared between who asks for work and who does it. The worker checks `cancelled()` at least every
/// few milliseconds; the asker polls the counters. All members may be used from any thread.
class Progress {
 public:
  void cancel() { m_cancelled.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return m_cancelled.load(std::memory_order_relaxed); }

  /// Starts a step of the work: its counter begins at 0 again.
  void setTotal(std::int64_t total) {
    m_done.store(0, std::memory_order_relaxed);
    m_total.store(total, std::memory_order_relaxed);
  }
  void add(std::int64_t steps) { m_done.fetch_add(steps, std::memory_order_relaxed); }
  std::int64_t total() const { return m_total.load(std::memory_order_relaxed); }
  std::int64_t done() const { return m_done.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> m_cancelled{false};
  std::atomic<std::int64_t> m_total{0};
  std::atomic<std::int64_t> m_done{0};
};

}  // namespace gridloom::base
