// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace gridloom::service {

/// What is left of the seconds that several searches may take together.
class TimeLeft {
 public:
  explicit TimeLeft(double seconds) : m_seconds(seconds) {}  ///< 0: unlimited
  /// The limit of the next search, in seconds; 0: unlimited.
  double seconds() const {
    if (m_seconds <= 0) return 0;
    const std::chrono::duration<double> passed = Clock::now() - m_begin;
    return std::max(kNone, m_seconds - passed.count());
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kNone = 1e-9;  ///< a search with this limit ends at once
  double m_seconds;
  Clock::time_point m_begin = Clock::now();
};

/// What is left of the steps (SearchLimits::work) that several searches may take together.
class WorkLeft {
 public:
  explicit WorkLeft(std::int64_t limit) : m_limit(limit) {}  ///< 0: unlimited

  /// Whether too little is left for another search.
  bool spent() const { return m_limit > 0 && left() <= m_limit / kMostSearches; }
  /// The limit of one of so many searches that share what is left; 0: unlimited.
  std::int64_t share(std::int64_t searches) const {
    return m_limit > 0 ? std::max<std::int64_t>(1, left() / searches) : 0;
  }
  void take(std::int64_t steps) { m_done += steps; }
  std::int64_t done() const { return m_done; }

 private:
  static constexpr std::int64_t kMostSearches = 64;
  std::int64_t left() const { return m_limit - m_done; }
  std::int64_t m_limit;
  std::int64_t m_done = 0;
};

}  // namespace gridloom::service
