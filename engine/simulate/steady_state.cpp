// SPDX-License-Identifier: Apache-2.0
#include "simulate/steady_state.h"

#include <algorithm>

namespace gridloom::simulate {
namespace {

// The longest period that is found, in snapshots; and the limit on words in all snapshots of a
// band.
constexpr std::size_t kMostSnapshots = 16;
constexpr std::size_t kMostWords = std::size_t{1} << 22;
// This many words of a snapshot cost about as much as one event. Snapshots then take some percent
// of the run.
constexpr std::int64_t kWordsPerEvent = 4;

}  // namespace

Snapshot& RecurrenceFinder::next() {
  const std::size_t words = m_used == 0 ? 0 : m_ring[m_last].state.size();
  const std::size_t slots =
      std::clamp<std::size_t>(kMostWords / std::max<std::size_t>(words, 1), 2, kMostSnapshots);
  m_last = m_used == 0 ? 0 : (m_last + 1) % slots;
  if (m_last >= m_ring.size()) m_ring.emplace_back();
  m_used = std::max(m_used, m_last + 1);
  m_ring[m_last].state.clear();
  m_ring[m_last].counts.clear();
  return m_ring[m_last];
}

const Snapshot* RecurrenceFinder::match(std::int64_t events) {
  const Snapshot& now = m_ring[m_last];
  m_next = events + static_cast<std::int64_t>(now.state.size()) / kWordsPerEvent;
  // The latest one first: it gives the shortest period.
  for (std::size_t back = 1; back < m_used; ++back) {
    const Snapshot& then = m_ring[(m_last + m_used - back) % m_used];
    if (then.state == now.state) return &then;
  }
  return nullptr;
}

}  // namespace gridloom::simulate
