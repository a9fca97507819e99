// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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
    if (static_cast<std::int64_t>(m_spans.size()) >= m_options.maxSpans) {
      m_isTruncated = true;
      return;
    }
    const std::int32_t core = m_tokens.coreOf(process);
    const std::int32_t first = m_tokens.placed().wiring.firstProcess(core);
    m_spans.push_back({hardware::CoreId(core), static_cast<std::int16_t>(process - first), state,
                       static_cast<std::int8_t>(what), begin, end});
  }

  std::int64_t memoryBytes() const {
    return static_cast<std::int64_t>(m_spans.size() * sizeof(Span));
  }
  /// Ends the recording: the spans by core, process and begin.
  void moveTo(Simulation& out) {
    std::sort(m_spans.begin(), m_spans.end(), [](const Span& a, const Span& b) {
      return std::tuple(a.core, a.process, a.begin, a.end) <
             std::tuple(b.core, b.process, b.begin, b.end);
    });
    out.trace = std::move(m_spans);
    out.traceTruncated = m_isTruncated;
  }

 private:
  const schedule::TokenMachine& m_tokens;
  const Options& m_options;
  std::vector<Span> m_spans;
  bool m_isTruncated = false;
};

}  // namespace gridloom::simulate
