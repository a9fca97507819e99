// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "schedule/token_machine.h"

namespace gridloom::schedule {

TokenMachine::State TokenMachine::state() const {
  const auto head = m_ready.begin() + static_cast<std::ptrdiff_t>(m_readyHead);
  return {m_processes, m_waves, m_rings, m_leaves, m_counts, m_copies, {head, m_ready.end()}};
}

// Compares everything but the waves. Of rings, only the differences of their counters matter.
bool TokenMachine::sameBut(const State& before) const {
  if (m_processes != before.processes || m_leaves != before.leaves) return false;
  if (m_counts != before.counts || m_copies != before.copies) return false;
  const auto head = m_ready.begin() + static_cast<std::ptrdiff_t>(m_readyHead);
  if (!std::equal(head, m_ready.end(), before.ready.begin(), before.ready.end())) return false;
  for (std::size_t r = 0; r < m_rings.size(); ++r) {
    const Ring& now = m_rings[r];
    const Ring& then = before.rings[r];
    const std::int32_t more = now.acquired - then.acquired;
    if (now.published - then.published != more || now.released[0] - then.released[0] != more ||
        (now.readers > 1 && now.released[1] - then.released[1] != more) ||
        now.waitsForFree != then.waitsForFree || now.waitsForFull != then.waitsForFull) {
      return false;
    }
  }
  return true;
}

// Every process may have advanced in one loop. A wave w is only compared with trip counts L, so the
// skipped periods end before w can reach the next L.
std::int64_t TokenMachine::periodsLeft(const State& before) const {
  constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();
  std::vector<std::vector<std::int64_t>> trips(m_stride);
  for (std::size_t p = 0; p < m_stride; ++p) {
    trips[p].push_back(m_waveCap);
    for (const TileShape& shape : m_placement.shapes()) trips[p].push_back(shape.waves[p]);
  }
  std::int64_t periods = kEndless;
  for (std::size_t process = 0; process < m_processes.size(); ++process) {
    int moved = 0;
    for (std::size_t p = 0; p < m_stride; ++p) {
      const std::int64_t then = before.waves[process * m_stride + p];
      const std::int64_t now = m_waves[process * m_stride + p];
      if (now == then) continue;
      if (now < then || ++moved > 1) return 0;
      for (const std::int64_t end : trips[p]) {
        if (end > then) periods = std::min(periods, (end - 1 - now) / (now - then));
        if (end > then && end <= now) return 0;
      }
    }
  }
  return periods == kEndless ? 0 : periods;
}

std::int64_t TokenMachine::skipRepeats(const State& before) {
  if (!sameBut(before)) return 0;
  const std::int64_t periods = periodsLeft(before);
  if (periods <= 0) return 0;
  for (std::size_t w = 0; w < m_waves.size(); ++w) {
    m_waves[w] += static_cast<std::int32_t>(periods * (m_waves[w] - before.waves[w]));
  }
  return periods;
}

}  // namespace gridloom::schedule
