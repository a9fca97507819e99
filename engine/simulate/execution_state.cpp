// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "simulate/execution.h"
#include "values/value_machine.h"

namespace gridloom::simulate {

void Execution::takeSnapshot(Snapshot& snapshot, const Band& band) {
  snapshot.index = band.indexOf(std::as_const(m_tokens).waves(m_reference));
  snapshot.now = m_now + m_skipped;
  forEachCount([&](std::int64_t count) { snapshot.counts.push_back(count); });
  const network::Ticks base = oldestMark();
  appendWaves(snapshot.state, band, snapshot.index);
  m_tokens.appendState(snapshot.state);
  m_dma.appendState(snapshot.state);
  appendTimes(snapshot.state, base);
  m_queue.copyTo(m_pending);
  m_network.appendState(snapshot.state, m_pending, m_now, base);
}

void Execution::appendWaves(std::vector<std::int64_t>& words, const Band& band,
                            std::int64_t index) const {
  for (std::int32_t p = 0; p < m_tokens.processCount(); ++p) {
    const auto waves = m_tokens.waves(p);
    for (std::size_t n = 0; n < waves.size(); ++n) {
      if (n < band.begin || n >= band.end) {
        words.push_back(waves[n]);
      } else if (const std::int64_t round = m_placed.placement.roundOf(n); round > 1) {
        words.push_back(waves[n] % round);
      }
    }
    const bool inside = m_tokens.at(p).depth > static_cast<int>(band.begin);
    if (inside) words.push_back(band.indexOf(waves) - index);
  }
}

// Attribution uses the time between a core's mark and now. All earlier times are equivalent.
void Execution::appendTimes(std::vector<std::int64_t>& words, network::Ticks base) const {
  const auto moment = [&](network::Ticks at) {
    words.push_back(at == Timeline::kNever ? at : std::max(at, base) - m_now);
  };
  const auto timeline = [&](const Timeline& t) {
    for (const network::Ticks at : {t.slot, t.first, t.served, t.loaded, t.credited, t.sent})
      moment(at);
  };
  for (std::int32_t p = 0; p < m_tokens.processCount(); ++p) {
    const ProcessTimes& times = m_processes[index(p)];
    words.push_back(static_cast<std::int64_t>(times.stage));
    moment(movementOf(p).arrived);
    timeline(movementOf(p).timeline);
    if (times.computes && !m_tokens.finished(p)) moment(m_clock.mark(m_tokens.coreOf(p)));
  }
  m_inbox.forEach(timeline);
}

/// Records every bin that ends before an event.
void Execution::recordUse(network::Ticks until) {
  if (until >= network::kEndOfTime) return;
  while (m_use.next() <= until + m_skipped) m_use.add(useAt(m_use.next() - m_skipped));
}

UseRecorder::Row Execution::useAt(network::Ticks time) const {
  UseRecorder::Row row;
  if (!m_use.records()) return row;
  row.reserve(m_network.resourceCount() + index(m_placed.placement.coreCount()));
  m_network.appendUse(row, time);
  for (std::int32_t core = 0; core < m_placed.placement.coreCount(); ++core) {
    const network::Ticks ahead = std::max(m_clock.mark(core) - time, network::Ticks{0});
    const auto& times = m_clock.times()[index(core)];
    row.push_back(static_cast<float>(
        network::inCycles(times[static_cast<std::size_t>(State::Compute)] - ahead)));
  }
  return row;
}

/// The earliest mark of the cores that still compute.
network::Ticks Execution::oldestMark() const {
  network::Ticks oldest = network::kEndOfTime;
  for (std::int32_t p = 0; p < m_tokens.processCount(); ++p) {
    if (!m_processes[index(p)].computes || m_tokens.finished(p)) continue;
    oldest = std::min(oldest, m_clock.mark(m_tokens.coreOf(p)));
  }
  return oldest;
}

}  // namespace gridloom::simulate
