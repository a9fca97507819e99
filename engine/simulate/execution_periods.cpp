// SPDX-License-Identifier: Apache-2.0
//
// Skips the steady state. When an execution returns to an earlier state, except for loop counters,
// the interval between them repeats until the iterations change. Time is counted in whole ticks, so
// equal states have exactly equal futures.
#include <algorithm>

#include "schedule/repeats.h"
#include "simulate/execution.h"
#include "values/value_machine.h"

namespace gridloom::simulate {

namespace {

// With more processes, snapshots cost more than they save.
constexpr std::int32_t kMostProcesses = 1 << 18;
// A band needs a few iterations to reach a steady state, and the last ones differ.
constexpr std::int64_t kFewestIterations = 4;
constexpr std::int64_t kMostCounted = std::int64_t{1} << 61;

}  // namespace

void Execution::watchForPeriods() {
  const Options& options = m_options;
  if (options.full || options.trace || options.values) return;
  // Tiles that differ in what they need, or that wait for each other, do not repeat.
  if (!schedule::mayRepeat(m_placed.schedule)) return;
  if (m_tokens.processCount() > kMostProcesses) return;
  for (Band& band : bandsOf(m_placed)) {
    if (band.uniform < kFewestIterations * band.stride) continue;
    m_finders.emplace_back(std::move(band));
  }
  if (m_finders.empty()) return;
  m_reference = schedule::referenceProcess(m_placed);
  m_referenceWaves.assign(m_placed.schedule.order.size(), -1);
}

void Execution::lookForPeriod() {
  m_atReference = false;
  const auto waves = std::as_const(m_tokens).waves(m_reference);
  // While an inner loop runs, only that loop's band and the bands inside it start an iteration.
  const auto moving =
      std::find_if(waves.rbegin(), waves.rend(), [](auto wave) { return wave != 0; });
  const std::size_t inner = static_cast<std::size_t>(waves.rend() - moving);
  const auto changed = std::mismatch(waves.begin(), waves.end(), m_referenceWaves.begin()).first;
  const auto outermost = static_cast<std::size_t>(changed - waves.begin());
  std::copy(waves.begin(), waves.end(), m_referenceWaves.begin());
  for (RecurrenceFinder& finder : m_finders) {
    const Band& band = finder.band();
    if (outermost < band.begin) finder.forget();
    if (band.end < inner || !finder.wants(band.indexOf(waves), m_executed)) continue;
    if (skipPeriods(finder)) return;
  }
}

bool Execution::skipPeriods(RecurrenceFinder& finder) {
  const Band& band = finder.band();
  Snapshot& now = finder.next();
  takeSnapshot(now, band);
  const Snapshot* then = finder.match(m_executed);
  if (then == nullptr) return false;
  const std::int64_t periods = periodsToSkip(band, *then, now);
  if (periods <= 0) return false;
  const UseRecorder::Row before = useAt(m_now);
  std::size_t n = 0;
  const std::int64_t bodies = m_bodies;
  forEachCount([&](std::int64_t& count) {
    count += periods * (now.counts[n] - then->counts[n]);
    ++n;
  });
  m_use.repeat(then->now, now.now, periods, before, useAt(m_now));
  m_skipped += periods * (now.now - then->now);
  m_progress.add(m_bodies - bodies);
  for (std::int32_t p = 0; p < m_tokens.processCount(); ++p) {
    const auto waves = m_tokens.waves(p);
    if (m_tokens.at(p).depth > static_cast<int>(band.begin)) {
      band.setIndex(waves, band.indexOf(waves) + periods * (now.index - then->index));
    }
  }
  finder.forget();
  return true;
}

std::int64_t Execution::periodsToSkip(const Band& band, const Snapshot& then,
                                      const Snapshot& now) const {
  std::int64_t ahead = 0;
  for (std::int32_t p = 0; p < m_tokens.processCount(); ++p) {
    if (m_tokens.at(p).depth <= static_cast<int>(band.begin)) continue;
    ahead = std::max(ahead, band.indexOf(m_tokens.waves(p)));
  }
  std::int64_t periods = (band.uniform - 1 - ahead) / (now.index - then.index);
  const auto keepsBelow = [&](std::int64_t limit, std::int64_t each) {
    if (each > 0) periods = std::min(periods, limit / each);
  };
  keepsBelow(network::kEndOfTime - std::min(m_now + m_skipped, network::kEndOfTime),
             now.now - then.now);
  for (std::size_t n = 0; n < now.counts.size(); ++n) {
    keepsBelow(kMostCounted - now.counts[n], now.counts[n] - then.counts[n]);
  }
  return periods;
}

}  // namespace gridloom::simulate
