// SPDX-License-Identifier: Apache-2.0
#include "traffic/global_traffic.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "traffic/active_cores.h"
#include "traffic/dominant_resources.h"

namespace gridloom::traffic {

using hardware::ChannelId;
using hardware::CoreId;
using hardware::LinkId;
using mapping::DimMask;
using mapping::TensorLayout;

GlobalTraffic::GlobalTraffic(const hardware::Topology& hw, const std::vector<std::int64_t>& active,
                             const std::vector<ChannelWindow>& windows,
                             const base::Progress* progress, std::shared_ptr<const Load> nothing)
    : m_hw(hw),
      m_active(active),
      m_windows(windows),
      m_progress(progress),
      m_resources(hw),
      m_nothing(std::move(nothing)),
      m_all{std::vector<std::int64_t>(static_cast<std::size_t>(hw.global().channels)),
            std::vector<std::int64_t>(static_cast<std::size_t>(hw.global().channels), 1)} {
  std::iota(m_all.offsets.begin(), m_all.offsets.end(), 0);
}

ChannelId GlobalTraffic::nearestTo(CoreId core, DimMask shared, bool write) const {
  std::vector<std::int64_t> at(m_active.size());
  m_hw.coordinatesOf(core, at);
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (shared >> d & 1) at[d] = 0;
  }
  return m_hw.nearestChannel(m_hw.coreAt(at), write);
}

ChannelChoice GlobalTraffic::choiceFor(Home home, bool write) const {
  if (home.layout == TensorLayout::NearestChannel)
    return {{0}, {1}, [=, this](CoreId core) { return nearestTo(core, home.shared, write); }};
  if (home.window == 0) return m_all;
  const ChannelWindow& window = m_windows[home.window - 1];
  ChannelChoice choice =
      home.gather < 0 ? ChannelChoice{window.offsets, window.parts} : gathered(window, home.gather);
  const bool common = std::ranges::all_of(window.step, [](auto step) { return step == 0; });
  if (common) return choice;
  choice.first = [&](CoreId core) {
    std::vector<std::int64_t> at(m_active.size());
    m_hw.coordinatesOf(core, at);
    std::int64_t first = 0;
    for (std::size_t d = 0; d < at.size(); ++d) first += window.step[d] * at[d];
    return ChannelId(static_cast<std::int32_t>(first % m_hw.global().channels));
  };
  return choice;
}

ChannelChoice GlobalTraffic::gathered(const ChannelWindow& window, int along) const {
  const auto d = static_cast<std::size_t>(along);
  std::map<std::int64_t, std::int64_t> parts;
  for (std::int64_t n = 0; n < m_active[d]; ++n) {
    for (std::size_t o = 0; o < window.offsets.size(); ++o)
      parts[(window.offsets[o] + n * window.step[d]) % m_hw.global().channels] += window.parts[o];
  }
  ChannelChoice choice;
  for (const auto& [offset, count] : parts) {
    choice.offsets.push_back(offset);
    choice.parts.push_back(count);
  }
  return choice;
}

Phase GlobalTraffic::phaseOf(DimMask mask, bool write, Home home, Pattern& pattern) const {
  Phase phase{m_resources.empty()};
  const double rate = write ? m_hw.global().writeBandwidth : m_hw.global().readBandwidth;
  std::vector<CoreId> cores;
  const auto add = [&](std::vector<std::int64_t>& at) { cores.push_back(m_hw.coreAt(at)); };
  forCores(m_active, mask, add, m_progress);
  const ChannelChoice choice = choiceFor(home, write);
  const ChannelTraffic traffic =
      channelTraffic(m_hw, cores, write, choice, m_progress, [&](LinkId id, double bytes) {
        m_resources.addLink(phase, id, bytes, pattern);
      });
  std::size_t channel = firstChannelResource(m_hw, write);
  for (const double bytes : traffic.channels) phase.load[channel++] = bytes / rate;
  for (const CoreId core : cores) m_resources.port(phase.load, core) += m_resources.portRate();
  const double share = static_cast<double>(std::ranges::max(choice.parts)) /
                       static_cast<double>(std::reduce(choice.parts.begin(), choice.parts.end()));
  phase.alone = std::max({traffic.alone, m_resources.loneRate(), share / rate});
  phase.latency = traffic.latency;
  phase.meanLatency = traffic.meanLatency;
  pattern.transfers = static_cast<double>(cores.size());
  (write ? pattern.localOut : pattern.localIn) += pattern.transfers;
  return phase;
}

const KnownPhase& GlobalTraffic::knownPhase(DimMask mask, bool write, Home home) {
  auto& all = m_known[write ? 1 : 0];
  const Key key{mask, home.key()};
  const auto known = all.find(key);
  if (known != all.end()) return known->second;
  Pattern moved;
  Phase phase = phaseOf(mask, write, home, moved);
  return all.emplace(key, KnownPhase(std::move(phase), moved)).first->second;
}

std::vector<double> GlobalTraffic::together(DimMask loaders, bool write, Home home, double alone) {
  std::vector<double> peaks(std::size_t{1} << m_active.size(), alone);
  for (DimMask mask = 1; mask < peaks.size(); ++mask) {
    if ((mask & ~loaders) != 0 || isCancelled()) continue;
    const Key key{mask, home.key()};
    const auto known = m_known[write ? 1 : 0].find(key);
    double& peak = m_together[write ? 1 : 0][key];
    if (known != m_known[write ? 1 : 0].end()) {
      peak = known->second.peak;
    } else if (peak == 0) {
      Pattern unused;
      const Phase phase = phaseOf(mask, write, home, unused);
      peak = phase.load.peak();
    }
    peaks[mask] = std::max(alone, peak);
  }
  return peaks;
}

PatternDraft GlobalTraffic::of(DimMask mask, bool write, Home home) {
  PatternDraft draft{};
  Pattern& p = draft.pattern;
  p.loaders = mask;
  if (home.layout == TensorLayout::Local) {
    p.together.assign(std::size_t{1} << m_active.size(), 0.0);
    p.transfers = 0;
    draft.load = m_nothing;
    return draft;
  }
  const KnownPhase& phase = knownPhase(mask, write, home);
  phase.moved.addTo(p);
  p.transfers = phase.transfers;
  p.loadPeak = phase.peak;
  p.together = together(mask, write, home, phase.alone);
  p.loadLatency = phase.latency;
  p.meanLatency = phase.meanLatency;
  draft.load = phase.load;
  return draft;
}

}  // namespace gridloom::traffic
