// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/large_vector.h"
#include "network/ticks.h"
#include "simulate/simulation.h"

namespace gridloom::simulate {

/// What the fill of a slot waited for, in time order: until `slot` for a free slot or a partner,
/// until `first` for setup and latency, until `served` for memory channels, until `loaded` for
/// links, until `credited` for the receivers' credits, until `sent` for the sender's setup, and
/// then for links.
struct Timeline {
  static constexpr network::Ticks kNever = std::numeric_limits<network::Ticks>::max();
  network::Ticks slot = kNever, first = kNever, served = kNever, loaded = kNever;
  network::Ticks credited = kNever, sent = kNever;

  /// All of it happened at one time: a finished tile that only waits to be sent.
  static Timeline at(network::Ticks now) { return {now, now, now, now, kNever, kNever}; }
};

/// Divides the time of every core's compute process among the states. Each core has a mark: time
/// before it is attributed.
class StateClock {
 public:
  using Times = std::array<network::Ticks, kStates>;

  StateClock(std::int32_t cores, network::Ticks start)
      : m_mark(static_cast<std::size_t>(cores), start),
        m_closed(static_cast<std::size_t>(cores), start),
        m_times(static_cast<std::size_t>(cores), Times{}),
        m_fills(static_cast<std::size_t>(cores)) {
    for (Times& times : m_times) times[static_cast<std::size_t>(State::Idle)] = start;
  }

  network::Ticks mark(std::int32_t core) const { return m_mark[static_cast<std::size_t>(core)]; }

  /// Attributes the time from the mark to `until` to one state.
  void settle(std::int32_t core, network::Ticks until, State state) {
    const auto c = static_cast<std::size_t>(core);
    m_times[c][static_cast<std::size_t>(state)] += until - m_mark[c];
    m_mark[c] = until;
  }

  /// Attributes the time from the mark to `until` to what the timeline waited for.
  template <class OnStretch>
  void settleWait(std::int32_t core, network::Ticks until, const Timeline& cause,
                  const OnStretch& stretch) {
    const std::pair<network::Ticks, State> stages[] = {
        {cause.slot, State::WaitSync},      {cause.first, State::WaitLoad},
        {cause.served, State::WaitDram},    {cause.loaded, State::WaitLink},
        {cause.credited, State::WaitSync},  {cause.sent, State::WaitLoad},
        {Timeline::kNever, State::WaitLink}};
    for (const auto& [end, state] : stages) {
      const network::Ticks begin = mark(core);
      const network::Ticks stop = end < until ? end : until;
      if (stop <= begin) continue;
      settle(core, stop, state);
      stretch(begin, stop, state);
    }
  }

  /// The core begins a tile operation: its waits before the first one are its fill.
  void endFill(std::int32_t core) {
    const auto c = static_cast<std::size_t>(core);
    if (m_fills[c].ended) return;
    m_fills[c].ended = true;
    for (std::size_t s = 0; s < kFillStates; ++s) {
      const Times& times = m_times[c];
      m_fills[c].waits[s] = static_cast<float>(
          network::inCycles(times[s + static_cast<std::size_t>(State::WaitLoad)]));
    }
  }
  const std::array<float, kFillStates>& fillOf(std::size_t core) const {
    return m_fills[core].waits;
  }

  const base::LargeVector<Times>& times() const { return m_times; }
  base::LargeVector<Times>& times() { return m_times; }
  /// The core finishes at `at` and is idle from then on.
  void close(std::int32_t core, network::Ticks at) {
    m_closed[static_cast<std::size_t>(core)] = at;
  }
  void finish(network::Ticks total) {
    for (std::size_t c = 0; c < m_closed.size(); ++c) {
      m_times[c][static_cast<std::size_t>(State::Idle)] += total - m_closed[c];
    }
  }

 private:
  base::LargeVector<network::Ticks> m_mark, m_closed;
  base::LargeVector<Times> m_times;
  struct Fill {
    std::array<float, kFillStates> waits{};  ///< cycles
    bool ended = false;
  };
  base::LargeVector<Fill> m_fills;
};

}  // namespace gridloom::simulate
