// SPDX-License-Identifier: Apache-2.0
#include "report/span_index.h"

#include <bit>
#include <utility>

namespace gridloom::report {

SpanIndex::SpanIndex(std::span<const simulate::Span> spans)
    : m_spans(spans),
      m_leaves(std::bit_ceil(std::max<std::size_t>(1, (spans.size() + kLeaf - 1) / kLeaf))),
      m_latest(2 * m_leaves, 0.0) {
  for (std::size_t n = 0; n < spans.size(); ++n) {
    double& latest = m_latest[m_leaves + n / kLeaf];
    latest = std::max(latest, spans[n].end);
  }
  for (std::size_t node = m_leaves - 1; node > 0; --node) {
    m_latest[node] = std::max(m_latest[2 * node], m_latest[2 * node + 1]);
  }
}

SpanIndex::Range SpanIndex::rangeOf(hardware::CoreId core, std::int16_t process) const {
  const std::pair wanted(core, process);
  const auto found = std::ranges::equal_range(m_spans, wanted, {}, [](const simulate::Span& span) {
    return std::pair(span.core, span.process);
  });
  Range range;
  range.begin = static_cast<std::size_t>(found.begin() - m_spans.begin());
  range.end = range.begin + found.size();
  if (found.empty()) return range;
  range.first = found.front().begin;
  range.last = found.back().begin;
  for (auto span = found.begin(); span != found.end(); ++span) {
    auto next = span;
    const auto most = std::min(std::ptrdiff_t{kFew} + 1, found.end() - span);
    while (next - span < most && next->begin < span->end) ++next;
    range.depth = std::max(range.depth, static_cast<std::size_t>(next - span));
  }
  return range;
}

}  // namespace gridloom::report
