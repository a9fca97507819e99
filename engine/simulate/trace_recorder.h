// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "network/event_queue.h"
#include "schedule/token_machine.h"
#include "simulate/simulation.h"

namespace gridloom::simulate {

/// Collects the trace of a run, within the window and the limit of its options.
class TraceRecorder {
 public:
  TraceRecorder(const schedule::TokenMachine& tokens, const Options& options)
      : m_tokens(tokens), m_options(options) {}

  /// `what`: as Span::what.
  void record(std::int32_t process, State state, int what, network::Ticks from, network::Ticks to) {
    if (!m_options.trace || to <= from) return;
    const double begin = network::inCycles(from), end = network::inCycles(to);
    if (end <= m_options.traceBegin || begin >= m_options.traceEnd) return;
    // Spans come as they end: those that are left out may begin before others end.
    if (static_cast<std::int64_t>(m_spans.size()) >= m_options.maxSpans) {
      m_until = std::min(m_until, begin);
      return;
    }
    const std::int32_t core = m_tokens.coreOf(process);
    const std::int32_t first = m_tokens.placed().wiring.firstProcess(core);
    m_spans.push_back({hardware::CoreId(core), static_cast<std::int16_t>(process - first), state,
                       static_cast<std::int8_t>(what), begin, end});
  }

  /// Slots that were taken before the window count as one event of their buffer.
  void record(const schedule::SlotTurn& turn, network::Ticks now) {
    const double cycle = network::inCycles(now);
    const std::int32_t core = m_tokens.coreOf(turn.process);
    if (cycle >= m_options.traceEnd) return;
    if (cycle < m_options.traceBegin) return takeBefore(core, turn);
    if (static_cast<std::int64_t>(m_slots.size()) >= m_options.maxSpans) {
      m_until = std::min(m_until, cycle);
      return;
    }
    const std::int32_t first = m_tokens.placed().wiring.firstProcess(core);
    m_slots.push_back({hardware::CoreId(core), static_cast<std::int16_t>(turn.process - first),
                       static_cast<std::int16_t>(turn.buffer), turn.kind, 1, cycle});
  }

  std::int64_t memoryBytes() const {
    return static_cast<std::int64_t>(m_spans.size() * sizeof(Span) +
                                     m_slots.size() * sizeof(SlotEvent) +
                                     m_before.size() * sizeof(std::int32_t));
  }
  /// Ends the recording: the spans by core, process and begin.
  void moveTo(Simulation& out) {
    std::sort(m_spans.begin(), m_spans.end(), [](const Span& a, const Span& b) {
      return std::tuple(a.core, a.process, a.begin, a.end) <
             std::tuple(b.core, b.process, b.begin, b.end);
    });
    out.trace.spans = std::move(m_spans);
    addBefore();
    std::stable_sort(m_slots.begin(), m_slots.end(), [](const SlotEvent& a, const SlotEvent& b) {
      return std::tuple(a.core, a.buffer, a.cycle) < std::tuple(b.core, b.buffer, b.cycle);
    });
    out.trace.slotEvents = std::move(m_slots);
    out.trace.until = m_until;
  }

 private:
  std::size_t buffers() const { return m_tokens.placed().schedule.buffers.size(); }
  void takeBefore(std::int32_t core, const schedule::SlotTurn& turn) {
    if (m_before.empty())
      m_before.resize(m_tokens.placed().schedule.programOfCore.size() * buffers());
    std::int32_t& taken = m_before[static_cast<std::size_t>(core) * buffers() +
                                   static_cast<std::size_t>(turn.buffer)];
    if (turn.kind == schedule::SlotTurn::Kind::Acquire) ++taken;
    if (turn.kind == schedule::SlotTurn::Kind::Free) --taken;
  }
  void addBefore() {
    for (std::size_t n = 0; n < m_before.size(); ++n) {
      if (m_before[n] > 0)
        m_slots.push_back({hardware::CoreId::of(n / buffers()), -1,
                           static_cast<std::int16_t>(n % buffers()),
                           schedule::SlotTurn::Kind::Acquire, m_before[n], 0});
    }
  }

  const schedule::TokenMachine& m_tokens;
  const Options& m_options;
  std::vector<Span> m_spans;
  std::vector<SlotEvent> m_slots;
  std::vector<std::int32_t> m_before;  ///< [core][buffer]: slots taken before the window
  double m_until = std::numeric_limits<double>::infinity();  ///< Simulation::traceUntil
};

}  // namespace gridloom::simulate
